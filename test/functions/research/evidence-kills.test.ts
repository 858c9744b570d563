import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import type { DescribedTable, EvidenceRow } from '../../../lib/evidence/request-schema.ts';
import { waitForRun } from '../../support/agent-client.ts';
import { answerCells, evidenceAnswer } from '../../support/evidence-model.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

/** `npm run test:long` uses 50 kills. */
const KILLS = Number(process.env.KILLS ?? 5);
const DOCUMENTS = 200;
/** Calls in progress when the service is killed. */
const AT_ONCE = 4;
const MOST_MS = 400;
/**
 * Long enough that there is work left after the last kill. Answers take up to three times as long, so that they don't
 * arrive together: a kill would cut off either all or none.
 */
const ANSWER_MS = 50 + 5 * KILLS;
/** A busy host takes ten seconds to start the service again. */
const PATIENCE_MS = 300_000 + 20_000 * KILLS;
const TOPICS = ['Weight', 'Wingspan', 'Place', 'Diet', 'Eggs', 'Colour', 'Call', 'Year'];
const COLUMNS = TOPICS.map((name) => ({ name, question: name, type: 'text' }));

function documentOf(at: number): string {
  const lines = TOPICS.map((topic, column) => `${topic}: value ${at * 10 + column} of bird ${at}`);
  return `# Bird ${at}\n\n${lines.join('\n\n')}\n`;
}

/** Counts the calls per document. */
function countCalls() {
  const asked = new Map<string, number>();
  const answer = evidenceAnswer((cells) => {
    const file = cells.passages[0]?.file ?? '';
    asked.set(file, (asked.get(file) ?? 0) + 1);
    return answerCells(cells);
  });
  return { asked, answer };
}

async function readRows(service: Service, tableId: string) {
  const rows: EvidenceRow[] = [];
  let cursor = '';
  for (;;) {
    const path = `/api/evidence-tables/${tableId}?limit=100${cursor}`;
    const { body, headers } = await service.call<DescribedTable>('GET', path);
    rows.push(...body.rows);
    if (headers['x-next-cursor'] === undefined) return { table: body, rows };
    cursor = `&cursor=${String(headers['x-next-cursor'])}`;
  }
}

interface FoundQuotes {
  cells: number;
  quotes: number;
  lost: string[][];
}

/** Looks for the quotes of the Excel export by another program, which reads only it and the files. */
async function findQuotes(service: Service, { root }: TestWorkspace, tableId: string): Promise<FoundQuotes> {
  const { bytes } = await service.call('GET', `/api/evidence-tables/${tableId}/export?format=xlsx`);
  const exported = join(await tempFolder(), 'table.xlsx');
  await writeFile(exported, bytes);
  const program = join(import.meta.dirname, '../../support/find_quotes.py');
  const { stdout } = await promisify(execFile)('python3', [program, exported, root]);
  return JSON.parse(stdout) as FoundQuotes;
}

it(
  `table of ${DOCUMENTS} documents loses no cell and pays for no answer twice in ${KILLS} kills`,
  async () => {
    const { asked, answer } = countCalls();
    const callsSoFar = () => [...asked.values()].reduce((sum, count) => sum + count, 0);
    const provider = await startFakeOpenai({ answer, delayMs: ANSWER_MS });
    provider.beforePiece = (number) => pause(number === 0 ? Math.random() * 2 * ANSWER_MS : 0);
    whenDone(() => provider.stop());
    const env = {
      PROVIDER_A_BASE_URL: provider.url,
      PROVIDER_A_API_KEY: 'sk',
      EMBEDDING_MODEL: 'none',
      DATA_DIR: await tempFolder(),
    };
    let service = await startService(env);
    const workspace = await makeWorkspace(service);
    for (let at = 0; at < DOCUMENTS; at++)
      await writeFile(join(workspace.root, `bird-${at}.md`), documentOf(at));
    await syncWorkspace(service, workspace.id);

    const body = {
      ...{ workspaceId: workspace.id, name: 'Birds', rows: { glob: '*.md' }, columns: COLUMNS },
      pilot: 3,
    };
    const created = await service.call<{ tableId: string; runId: string }>(
      'POST',
      '/api/evidence-tables',
      body,
    );
    expect(created.status).toBe(202);
    const { tableId } = created.body;
    await waitForRun(service, created.body.runId, 'done');
    const path = `/api/evidence-tables/${tableId}`;
    const resumed = await service.call<{ runId: string }>('POST', `${path}/resume`, {});
    expect(resumed.status).toBe(202);

    let kills = 0;
    for (; kills < KILLS; kills++) {
      // At most one kill in five may come before any progress, because a run ends after ten such kills in a row.
      const before = callsSoFar();
      if (kills % 5 > 0)
        await eventually(
          async () => callsSoFar(),
          (calls) => calls >= before + AT_ONCE + 1 || asked.size === DOCUMENTS,
        );
      await pause(Math.random() * MOST_MS);
      const { body: run } = await service.call<{ status: string }>(
        'GET',
        `/api/agent/runs/${resumed.body.runId}`,
      );
      if (run.status !== 'running') break; // nothing is left to kill
      await service.kill();
      service = await startService(env);
    }
    await waitForRun(service, resumed.body.runId, 'done');

    const { table, rows } = await readRows(service, tableId);
    expect(table.counts).toMatchObject({ rows: DOCUMENTS, cells: 1600, found: 1600, waiting: 0, look: 0 });
    expect(await findQuotes(service, workspace, tableId)).toEqual({ cells: 1600, quotes: 1600, lost: [] });
    for (const { path: file, cells } of rows) {
      const at = Number(/\d+/.exec(file)?.[0]);
      const values = TOPICS.map((_, column) => `value ${at * 10 + column} of bird ${at}`);
      expect(Object.values(cells).map(({ value }) => value)).toEqual(values);
    }
    const calls = callsSoFar();
    const cut = calls - DOCUMENTS;
    console.info(`${kills} kills, ${calls} calls for ${asked.size} documents, ${cut} cut off by a kill`);
    // Each answer that arrived was stored once. The first documents were read by a run of their own.
    expect(table.used?.calls).toBe(DOCUMENTS - body.pilot);
    expect(asked.size).toBe(DOCUMENTS);
    expect(cut).toBeLessThanOrEqual(AT_ONCE * kills);
    expect(kills).toBeGreaterThan(KILLS / 2);

    const again = await service.call<{ runId: string }>('POST', `${path}/resume`, {});
    await waitForRun(service, again.body.runId, 'done');
    expect(callsSoFar()).toBe(calls);
  },
  PATIENCE_MS,
);
