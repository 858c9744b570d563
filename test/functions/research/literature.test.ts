import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from '../../../lib/documents/schema.ts';
import type { DescribedTable, EvidenceRow } from '../../../lib/evidence/request-schema.ts';
import type { DraftCheck } from '../../../lib/verify/request-schema.ts';
import { getRun, waitForRun } from '../../support/agent-client.ts';
import { evidenceAnswer } from '../../support/evidence-model.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { paperEnv, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { startFakeZotero } from '../../support/fakes/fake-zotero.ts';
import {
  COLUMNS,
  catalogue,
  fileName,
  fillWithWorks,
  inApa,
  inBibtex,
  inDocx,
  inRis,
  makeWorks,
  PLANTED,
  plantErrors,
  statedValue,
} from '../../support/literature.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

/** Four lists at the rate limits of the catalogs, on a busy host. */
const PATIENCE_MS = 900_000;
const WORKS = makeWorks(200);
const ENTRIES = plantErrors(WORKS);
const FOLDER = 'sources/Zotero/Night birds';
const pathOf = (n: number) => `${FOLDER}/${fileName(n)}.pdf`;

let service: Service;
let provider: FakeOpenai;
let library: TestWorkspace;

beforeAll(async () => {
  const [zotero, papers] = await Promise.all([startFakeZotero(), startFakePapers()]);
  fillWithWorks(zotero, WORKS);
  catalogue(papers, WORKS);
  provider = await startFakeOpenai({ answer: evidenceAnswer() });
  whenDone(() => provider.stop());
  service = await startService({
    ...{ ZOTERO_BASE_URL: zotero.url, ...paperEnv(papers), EMBEDDING_MODEL: 'none' },
    ...{ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk' },
  });
  library = await makeWorkspace(service);
  const sources = `/api/workspaces/${library.id}/sources`;
  const body = { name: 'Zotero', kind: 'zotero', config: { apiKey: zotero.apiKey } };
  const { body: source } = await service.call<{ id: string }>('POST', sources, body);
  await service.call('POST', `${sources}/${source.id}/sync`);
  await eventually(
    async () => (await service.call<{ lastRun: Run | null }>('GET', `${sources}/${source.id}`)).body,
    ({ lastRun }) => lastRun?.finishedAt != null,
    PATIENCE_MS,
  );
  await syncWorkspace(service, library.id);
}, PATIENCE_MS);

interface Run {
  finishedAt: string | null;
}

describe('a library of 200 items in Zotero', () => {
  it('has the title, the authors, the year, and the DOI of each file, whose names say nothing', async () => {
    const read = async (n: number) => {
      const path = encodeURIComponent(pathOf(n));
      const { body } = await service.call<Document>('GET', `/api/workspaces/${library.id}/documents/${path}`);
      return body;
    };
    for (const [n, { title, authors, year, doi = null }] of WORKS.entries())
      expect(await read(n)).toMatchObject({ path: pathOf(n), title, authors, year, doi });
  });

  it('fills a table of 60 papers and 6 columns, whose rows have titles', async () => {
    const rows = { paths: WORKS.slice(0, 60).map((_, n) => pathOf(n)) };
    const body = { workspaceId: library.id, name: 'Night birds', rows, columns: COLUMNS, pilot: 3 };
    const { body: made } = await service.call<{ tableId: string; runId: string }>(
      ...(['POST', '/api/evidence-tables', body] as const),
    );
    await waitForRun(service, made.runId, 'done');
    const table = `/api/evidence-tables/${made.tableId}`;
    const { body: rest } = await service.call<{ runId: string }>('POST', `${table}/resume`);
    await waitForRun(service, rest.runId, 'done');
    const { body: read } = await service.call<DescribedTable>('GET', `${table}?limit=100`);
    expect(read.counts).toMatchObject({ rows: 60, cells: 360, found: 360, look: 0 });
    expect(read.rows.map(shownRow(read.columns))).toEqual(WORKS.slice(0, 60).map(expectedRow));
    expect(provider.chatRequests).toBe(60);
  });
});

const shownRow =
  (columns: DescribedTable['columns']) =>
  ({ path, title, cells }: EvidenceRow) => ({
    ...{ path, title },
    values: columns.map(({ id }) => cells[id]?.value),
  });

const expectedRow = ({ title }: { title: string }, n: number) => ({
  ...{ path: pathOf(n), title },
  values: COLUMNS.map(({ name }) => statedValue(n, name)),
});

const SENTENCES = ENTRIES.map((_, n) => `Night birds of kind ${n + 1} hunt late [${n + 1}].`);
const LIST = ENTRIES.map((entry, n) => `[${n + 1}] ${inApa(entry)}`);

/** Checks a draft, and returns the entries that an author has to look at, by their numbers. */
async function doubtfulIn(body: object, workspaceId = library.id) {
  const { body: begun } = await service.call<{ runId: string }>('POST', '/api/verify', {
    ...{ workspaceId, references: true, judge: false, ...body },
  });
  await eventually(
    () => getRun(service, begun.runId),
    ({ status }) => status === 'done',
    PATIENCE_MS,
  );
  const { body: check } = await service.call<DraftCheck>('GET', `/api/verify/${begun.runId}`);
  const { references = [] } = check;
  expect(references).toHaveLength(60);
  return Object.fromEntries(
    references.flatMap(({ state, differences }, n) =>
      state === 'found' ? [] : [[n, [state, ...differences.map(({ field }) => field)].join(' ')]],
    ),
  );
}

describe('a reference list of 60 entries with ten planted errors', () => {
  it(
    'has no other doubtful entry as text',
    async () => {
      const text = `# Night birds\n\n${SENTENCES.join(' ')}\n\n# References\n\n${LIST.join('\n\n')}\n`;
      expect(await doubtfulIn({ text })).toEqual(PLANTED);
    },
    PATIENCE_MS,
  );

  it(
    'has no other doubtful entry in a Word document',
    async () => {
      const bytes = await inDocx(['Night birds', SENTENCES.join(' '), 'References', ...LIST]);
      const url = `data:;base64,${bytes.toString('base64')}`;
      expect(await doubtfulIn({ attachment: { url, filename: 'draft.docx' } })).toEqual(PLANTED);
    },
    PATIENCE_MS,
  );

  it(
    'has no other doubtful entry as BibTeX',
    async () => {
      const cited = ENTRIES.map((_, n) => `Night birds of kind ${n + 1} hunt late [@w${n}].`);
      const text = `${cited.join(' ')}\n\n${ENTRIES.map(inBibtex).join('\n')}`;
      expect(await doubtfulIn({ text })).toEqual(PLANTED);
    },
    PATIENCE_MS,
  );

  it(
    'has no other doubtful entry in an RIS file of the workspace, which is cited by key',
    async () => {
      const workspace = await makeWorkspace(service);
      await writeFile(join(workspace.root, 'references.ris'), ENTRIES.map(inRis).join('\r\n'));
      await writeFile(join(workspace.root, 'owls.md'), 'Owls hunt at night.\n');
      await syncWorkspace(service, workspace.id);
      const cited = ENTRIES.map((_, n) => `Night birds of kind ${n + 1} hunt late [@r${n}].`);
      expect(await doubtfulIn({ text: cited.join(' ') }, workspace.id)).toEqual(PLANTED);
    },
    PATIENCE_MS,
  );
});
