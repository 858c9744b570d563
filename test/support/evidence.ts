import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { continueTable } from '../../lib/evidence/continue.ts';
import { describeTable } from '../../lib/evidence/describe.ts';
import type { ReadTablePorts } from '../../lib/evidence/ports.ts';
import { changeTableBody, type TableBody, tableBody } from '../../lib/evidence/request-schema.ts';
import { changeTable, createTable, findTable } from '../../lib/evidence/tables.ts';
import { indexedFiles } from '../../lib/indexing/schema.ts';
import { indexes } from '../../lib/passages/search-space.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import type { LanguageModel } from '../../lib/ports/language-model.ts';
import type { PassageRow, Vectors } from '../../lib/ports/vectors.ts';
import { runMessageSchema } from '../../lib/runs/schema.ts';
import { MEMBER, startAgentRig } from './agent.ts';
import { type AskedCells, answerCells, isOfTable, readAskedCells } from './evidence-model.ts';

const COLUMNS = [
  { name: 'Weight', question: 'Weight', type: 'number', unit: 'g' },
  { name: 'Place', question: 'Place', type: 'text' },
];

/**
 * Evidence tables without a host: real SQLite and disk, a scripted model, and an index with one passage per line
 * block of each file.
 */
export async function startTableRig(files: Record<string, string>) {
  const rig = await startAgentRig();
  const { workspace } = rig;
  const { records } = rig.ports;
  const model = {
    script: (_: AskedCells): unknown => undefined,
    prompts: [] as string[],
    contextTokens: undefined as number | undefined,
  };
  const searches: string[] = [];
  const vectors = { open: async () => tableOf(workspace.rootPath, searches) } as unknown as Vectors;
  const ports: ReadTablePorts & typeof rig.ports = {
    ...rig.ports,
    prices: { scripted: { inputPerMillion: 1, outputPerMillion: 2 } },
    openModel: () => scriptedModel(model),
    searchFor: () => ({ records, vectors, embedder: undefined }),
  };
  let commits = 0;

  /** Writes a file, and indexes it. */
  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(workspace.rootPath, path)), { recursive: true });
    await writeFile(join(workspace.rootPath, path), text);
    await indexedFiles.put(records, {
      ...{ workspaceId: workspace.id, path, size: text.length, mtimeMs: 0, ctimeMs: 0, table: '', readAt: 0 },
      ...{
        hash: await sha256(Buffer.from(text)),
        chunks: passagesIn(text).length,
        space: 'lexical',
        givenUp: false,
      },
      ...{ format: 'text', formatVersion: 1, embedded: true },
    });
    commits += 1;
    await indexes.put(records, { workspaceId: workspace.id, space: 'lexical', rows: 1, commits });
  }
  for (const [path, text] of Object.entries(files)) await write(path, text);

  const create = (fields: Partial<TableBody> | Record<string, unknown> = {}) => {
    const body = {
      workspaceId: workspace.id,
      name: 'Owls',
      rows: { glob: '*.md' },
      columns: COLUMNS,
      ...fields,
    };
    return createTable(ports, MEMBER, workspace, tableBody.parse(body));
  };
  /** Passes the queued messages to a worker with these ports. */
  async function work(given: ReadTablePorts = ports): Promise<number> {
    const messages = await rig.ports.agentQueue.receive({ max: 10 });
    for (const { body, receipt } of messages) {
      await continueTable(given, runMessageSchema.parse(JSON.parse(body)).runId, rig.time.requestMs);
      await rig.ports.agentQueue.delete([receipt]);
    }
    return messages.length;
  }
  async function finish(): Promise<void> {
    while ((await work()) > 0);
  }
  const find = (tableId: string) => findTable(records, MEMBER, tableId);
  const look = async (tableId: string) =>
    (await describeTable(ports, MEMBER, await find(tableId), { limit: 100 })).table;
  const change = async (tableId: string, body: unknown) =>
    changeTable(ports, MEMBER, await find(tableId), changeTableBody.parse(body));
  return {
    ...rig,
    findRun: rig.find,
    ports,
    model,
    searches,
    write,
    create,
    work,
    finish,
    find: rig.find,
    table: find,
    look,
    change,
  };
}

export type TableRig = Awaited<ReturnType<typeof startTableRig>>;

/** Each block of lines is a passage. */
function passagesIn(text: string): { text: string; start: number }[] {
  return [...text.matchAll(/(?:.+\n?)+/g)].map((found) => ({ text: found[0], start: found.index }));
}

function tableOf(root: string, searches: string[]) {
  const rowsOf = async (path: string): Promise<PassageRow[]> => {
    const bytes = await readFile(join(root, path)).catch(() => Buffer.alloc(0));
    const whole = bytes.toString();
    const fileHash = await sha256(bytes);
    return passagesIn(whole).map(({ text, start }, chunk) => {
      const startLine = whole.slice(0, start).split('\n').length;
      return {
        ...{
          path,
          chunk,
          fileHash,
          text,
          startLine,
          endLine: startLine + text.trimEnd().split('\n').length - 1,
        },
        ...{ startChar: start, endChar: start + text.length, part: {}, context: '', vector: null },
      };
    });
  };
  return {
    rowsOf,
    async searchText(query: string, _: number, scope?: { files?: readonly string[] }) {
      searches.push(query);
      const all = (await Promise.all((scope?.files ?? []).map(rowsOf))).flat();
      const near = all.filter(({ text }) => query.split(' ').some((word) => text.includes(word)));
      return near.map(({ vector: _vector, ...passage }) => ({ ...passage, score: 1 }));
    },
    count: async () => 1,
  };
}

function scriptedModel(model: {
  script(asked: AskedCells): unknown;
  prompts: string[];
  contextTokens: number | undefined;
}): LanguageModel {
  return {
    ...{ provider: 'a', model: 'scripted' },
    async readWindow() {
      return model.contextTokens === undefined
        ? undefined
        : { contextTokens: model.contextTokens, from: 'settings' };
    },
    async *stream({ system = '', messages, signal }) {
      signal?.throwIfAborted();
      const content = String(messages[0]?.content);
      if (!isOfTable(system)) throw new Error(`not of a table: ${system}`);
      model.prompts.push(content.replace(/(<\/?[a-z]+-)[0-9a-f]{16}/g, '$1'));
      const asked = readAskedCells(content);
      const answer = model.script(asked) ?? answerCells(asked);
      yield { type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}
