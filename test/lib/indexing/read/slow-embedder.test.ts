import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openaiEmbedder } from '../../../../lib/adapters/openai/embedder.ts';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { touchIndex } from '../../../../lib/indexing/enqueue.ts';
import { handleIndexMessage } from '../../../../lib/indexing/handle-index-message.ts';
import { commitMessageSchema, indexMessageSchema } from '../../../../lib/indexing/messages.ts';
import { readIndexState } from '../../../../lib/indexing/read-index-state.ts';
import { startSync } from '../../../../lib/indexing/sync.ts';
import { type FakeOpenai, startFakeOpenai } from '../../../support/fakes/fake-openai.ts';
import { startPipeline, takeAll } from '../../../support/pipeline.ts';
import { whenDone } from '../../../support/temp-folder.ts';

const pipeline = await startPipeline();
const { ports, now, makeWorkspace } = pipeline;
let provider: FakeOpenai;
/** Every text of the requests, in its batch. */
let asked: string[][] = [];
let msPerText = 200;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
});
beforeEach(async () => {
  asked = [];
  provider.embeddingFailure = undefined;
  provider.beforeVectors = async (texts) => {
    asked.push(texts);
    now.offsetMs += texts.length * msPerText; // only the clock of the pipeline advances
  };
  await takeAll(ports.indexQueue);
  await takeAll(ports.commitQueue);
});

function useEmbedder(model: string, textMs: number) {
  msPerText = textMs;
  ports.embedder = openaiEmbedder({
    who: 'The embedding service',
    settings: { baseUrl: provider.url },
    model,
  });
}

const sentence = (number: number) =>
  `Paragraph ${number} is about rivers. ${'They flow into the sea. '.repeat(50)}`;

/**
 * Handles one message of each queue in turn. Returns the state of the sync after each commit, and the
 * messages.
 */
async function work(workspaceId: string) {
  const texts: number[] = [];
  const done: number[] = [];
  const messages: { kind: string; ms: number }[] = [];
  for (let rounds = 0; rounds < 500; rounds++) {
    const [message] = await ports.indexQueue.receive({ max: 1 });
    const commits = await ports.commitQueue.receive({ max: 1 });
    if (message === undefined && commits.length === 0) return { texts, done, messages };
    if (message !== undefined) {
      const startedAt = ports.clock.now();
      const body = indexMessageSchema.parse(JSON.parse(message.body));
      await handleIndexMessage(ports, body, message);
      await ports.indexQueue.delete([message.receipt]);
      messages.push({ kind: body.kind, ms: ports.clock.now() - startedAt });
    }
    for (const { body, receipt } of commits) {
      await commitMessages(ports, [commitMessageSchema.parse(JSON.parse(body))]);
      await ports.commitQueue.delete([receipt]);
      const state = await readIndexState(ports.records, workspaceId);
      texts.push(state.textsEmbedded);
      done.push(state.done);
    }
  }
  throw new Error('it does not come to an end');
}

it('sync embeds 1,000 texts at 5 per second, none twice, and shows its progress', async () => {
  useEmbedder('slow', 200);
  const workspace = await makeWorkspace();
  for (let file = 0; file < 60; file++) await workspace.write(`f${file}.md`, `Note ${file} about owls.`);
  const paragraphs = Array.from({ length: 940 }, (_, number) => sentence(number));
  await workspace.write('large.md', paragraphs.join('\n\n'));
  await startSync(pipeline.syncPorts(), workspace.id);
  const { texts, messages } = await work(workspace.id);
  const state = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'ready', newCount: 61, updatedCount: 0, errors: [], done: 61 });
  const all = asked.flat();
  expect(all.length).toBe(new Set(all).size);
  expect(all.length).toBeGreaterThanOrEqual(1000);
  expect(state.textsEmbedded).toBe(all.length);
  expect(await (await workspace.table()).count()).toBe(all.length);
  expect((await (await workspace.table()).rowsOf('large.md')).every(({ vector }) => vector !== null)).toBe(
    true,
  );
  // Visible at least every 40 s. Each message took less than the index worker's timeout.
  expect(new Set(texts).size).toBeGreaterThan((all.length * 0.2) / 40);
  expect(texts).toEqual([...texts].sort((a, b) => a - b));
  expect(Math.max(...messages.map(({ ms }) => ms))).toBeLessThan(270_000);
  expect(messages.filter(({ kind }) => kind === 'files').length).toBeGreaterThan(2);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(32);
});

it('sync counts finished files while others of their batch are still being embedded', async () => {
  useEmbedder('slow by file', 1000);
  const workspace = await makeWorkspace();
  for (let file = 0; file < 120; file++) await workspace.write(`f${file}.md`, sentence(file));
  await startSync(pipeline.syncPorts(), workspace.id);
  const { done } = await work(workspace.id);
  const counts = [...new Set(done)].filter((count) => count > 0);
  expect(counts.length).toBeGreaterThan(5);
  expect(Math.min(...counts)).toBeLessThan(40);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  const state = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'ready', total: 120, done: 120, newCount: 120 });
});

it('sync soon sends large batches to a fast embedder', async () => {
  useEmbedder('fast', 1);
  const workspace = await makeWorkspace();
  await workspace.write(
    'large.md',
    Array.from({ length: 900 }, (_, number) => sentence(number)).join('\n\n'),
  );
  await startSync(pipeline.syncPorts(), workspace.id);
  await work(workspace.id);
  expect(asked.map(({ length }) => length).slice(0, 4)).toEqual([8, 32, 100, 100]);
});

it('sync restarts a file that changed while it was being embedded', async () => {
  useEmbedder('changing', 2000);
  const workspace = await makeWorkspace();
  const paragraphs = Array.from({ length: 200 }, (_, number) => sentence(number));
  await workspace.write('large.md', paragraphs.join('\n\n'));
  await touchIndex(ports.indexQueue, workspace.id, ['large.md']);
  const [first] = await ports.indexQueue.receive({ max: 1 });
  if (first === undefined) throw new Error('nothing was touched');
  await handleIndexMessage(ports, indexMessageSchema.parse(JSON.parse(first.body)), first);
  await ports.indexQueue.delete([first.receipt]);
  const before = asked.flat().length;
  expect(before).toBeLessThan(200);
  await workspace.write('large.md', 'Now it is short.');
  await work(workspace.id);
  expect(asked.flat().slice(before)).toEqual(['Now it is short.']);
  expect(await workspace.found('rivers')).toEqual([]);
  expect(await workspace.found('short')).toEqual(['large.md']);
});

it('sync leaves a file that changes faster than it is embedded without vectors, and embeds the others', async () => {
  useEmbedder('slower', 5000);
  const workspace = await makeWorkspace();
  const slow = provider.beforeVectors;
  const paragraphs = Array.from({ length: 60 }, (_, number) => sentence(number)).join('\n\n');
  const grow = (lines: number) => workspace.write('a.log', `${'grown\n'.repeat(lines)}${paragraphs}`);
  provider.beforeVectors = async (texts) => {
    await slow?.(texts);
    await grow(asked.length);
  };
  await grow(0);
  await workspace.write('b.md', 'Owls hunt at night.');
  await startSync(pipeline.syncPorts(), workspace.id);
  const { messages } = await work(workspace.id);
  expect(messages.length).toBeLessThan(10);
  const { errors, ...state } = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'ready', newCount: 2, done: 2 });
  expect(errors).toEqual([{ path: 'a.log', error: expect.stringContaining('changes faster') }]);
  expect((await (await workspace.table()).rowsOf('b.md'))[0]?.vector).not.toBeNull();
  expect(await workspace.found('rivers')).toEqual(['a.log']);
});

it('sync ends with the reason if the embedder fails halfway, and keeps the result so far', async () => {
  useEmbedder('failing', 200);
  const workspace = await makeWorkspace();
  await workspace.write('large.md', Array.from({ length: 60 }, (_, number) => sentence(number)).join('\n\n'));
  const slow = provider.beforeVectors;
  provider.beforeVectors = async (texts) => {
    await slow?.(texts);
    provider.embeddingFailure = 'unauthorized';
  };
  await startSync(pipeline.syncPorts(), workspace.id);
  await work(workspace.id);
  const state = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'ready', newCount: 1, textsEmbedded: 8 });
  expect(state.errors).toEqual([
    { path: 'large.md', error: expect.stringContaining('The embedding service refused the key') },
  ]);
  expect(await workspace.found('rivers')).toEqual(['large.md']);
});

it("sync passes on nothing without an embedder, because more time wouldn't help", async () => {
  ports.embedder = undefined;
  const workspace = await makeWorkspace();
  // More rows than one message passes on while vectors are awaited.
  const lines = Array.from({ length: 1100 }, (_, number) => sentence(number));
  await workspace.write('large.md', lines.join('\n\n'));
  await startSync(pipeline.syncPorts(), workspace.id);
  const { messages } = await work(workspace.id);
  expect(messages.map(({ kind }) => kind)).toEqual(['scan', 'files']);
  expect(await (await workspace.table()).count()).toBe(1100);
});
