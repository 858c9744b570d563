import { beforeEach, expect, it } from '@jest/globals';
import { indexMessageSchema } from '../../../lib/indexing/messages.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import { advanceReindex, readReindex, startReindex } from '../../../lib/indexing/reindex.ts';
import { isRunning, syncs } from '../../../lib/indexing/schema.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { startPipeline, takeAll } from '../../support/pipeline.ts';
import { ADMIN } from '../../support/tasks.ts';

const pipeline = await startPipeline();
const { ports, embedder, drain } = pipeline;

beforeEach(async () => {
  embedder.fail = false;
  for await (const { id } of workspaces.all(ports.records, { partition: 'WORKSPACE', limit: 100 })) {
    await workspaces.delete(ports.records, { id });
  }
});

async function makeWorkspaces(count: number, files: number) {
  const made = [];
  for (let number = 0; number < count; number++) {
    const workspace = await pipeline.makeWorkspace();
    for (let file = 0; file < files; file++)
      await workspace.write(`f${file}.md`, `owls of ${number} and ${file}`);
    await workspace.sync();
    made.push(workspace);
  }
  return made;
}

/** Starts a re-indexing; returns its message as the queue would deliver it at each step. */
async function start() {
  const state = await startReindex(pipeline.syncPorts(), ADMIN);
  const [message] = await takeAll(ports.indexQueue);
  const body = indexMessageSchema.parse(JSON.parse(message?.body ?? ''));
  if (body.kind !== 'reindex') throw new Error(`a message ${body.kind}`);
  return { state, reindexId: body.reindexId };
}

async function modelsOf(made: { id: string }[]): Promise<(string | null)[]> {
  return Promise.all(made.map(async ({ id }) => (await readIndexState(ports.records, id)).embedding));
}

it('re-indexing syncs all workspaces, a few at a time, and each uses its old index until then', async () => {
  embedder.model = 'before';
  const made = await makeWorkspaces(6, 1);
  embedder.model = 'after';
  const { state, reindexId } = await start();
  expect(state).toMatchObject({
    status: 'running',
    model: 'after',
    workspaces: { total: 6, done: 0, failed: 0 },
  });
  expect(await startReindex(pipeline.syncPorts(), ADMIN)).toEqual(state);
  expect(await takeAll(ports.indexQueue)).toEqual([]);
  await advanceReindex(ports, { reindexId, step: 0 });
  await advanceReindex(ports, { reindexId, step: 0 }); // delivered twice
  const running = await Promise.all(made.map(({ id }) => syncs.get(ports.records, { workspaceId: id })));
  expect(running.filter((sync) => sync !== undefined && isRunning(sync.status))).toHaveLength(4);
  expect(await modelsOf(made)).toEqual(Array(6).fill('before'));
  await drain();
  for (let step = 1; step < 4; step++) {
    await advanceReindex(ports, { reindexId, step });
    await drain();
  }
  expect(await readReindex(ports.records, ADMIN)).toMatchObject({
    status: 'ready',
    workspaces: { total: 6, done: 6, failed: 0 },
    textsEmbedded: 6,
    finishedAt: expect.any(String),
  });
  expect(await modelsOf(made)).toEqual(Array(6).fill('after'));
});

it('re-indexing continues if its message was lost', async () => {
  await makeWorkspaces(1, 1);
  const { reindexId } = await start();
  pipeline.now.offsetMs += 6 * 60_000;
  expect(await startReindex(pipeline.syncPorts(), ADMIN)).toMatchObject({ status: 'running' });
  // Messages of the earlier re-indexing arrive late, and do nothing.
  const messages = (await takeAll(ports.indexQueue)).map(({ body }) => JSON.parse(body));
  expect(messages).toContainEqual({ kind: 'reindex', reindexId, step: 0 });
  await advanceReindex(ports, { reindexId, step: 0 });
  await drain();
  await advanceReindex(ports, { reindexId, step: 1 });
  expect(await readReindex(ports.records, ADMIN)).toMatchObject({ status: 'ready' });
});

it('re-indexing keeps the old index if the embedder fails, reports it, and fills the new one later', async () => {
  embedder.model = 'good';
  const [workspace] = await makeWorkspaces(1, 12);
  if (workspace === undefined) throw new Error('none was made');
  embedder.model = 'broken';
  embedder.fail = true;
  const { reindexId } = await start();
  await advanceReindex(ports, { reindexId, step: 0 });
  await drain();
  await advanceReindex(ports, { reindexId, step: 1 });
  expect(await readReindex(ports.records, ADMIN)).toMatchObject({
    status: 'failed',
    workspaces: { total: 1, done: 0, failed: 1 },
  });
  const state = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'failed', embedding: 'good' });
  expect(state.errors[0]?.error).toMatch(/Embedding failed for 12 files/);
  const rows = await (await workspace.table()).rowsOf('f3.md');
  expect(rows.every(({ vector }) => vector !== null)).toBe(true);
  embedder.fail = false;
  expect(await workspace.sync()).toMatchObject({ status: 'ready', embedding: 'broken', errors: [] });
});
