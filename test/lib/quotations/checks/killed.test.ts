import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pageActivities } from '../../../../lib/activity/list.ts';
import { withSourceList } from '../../../../lib/api-contract/source-list.ts';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { touchIndex } from '../../../../lib/indexing/enqueue.ts';
import { createNote } from '../../../../lib/notes/create.ts';
import { updateNote } from '../../../../lib/notes/notes.ts';
import { notes } from '../../../../lib/notes/schema.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { checkQuotes } from '../../../../lib/quotations/checks/check.ts';
import { readDocument } from '../../../../lib/quotations/checks/document.ts';
import { settleDocuments } from '../../../../lib/quotations/checks/settle-documents.ts';
import { type QuotedFile, quotedFiles, quotesPartition } from '../../../../lib/quotations/records/schema.ts';
import { deliveries, deliveriesPartition, webhooks } from '../../../../lib/webhooks/schema.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { keepAnswer, LOCAL } from '../../../support/cited-answer.ts';
import { startPipeline, takeAll } from '../../../support/pipeline.ts';
import { killable } from '../../../support/processes/killable.ts';

const pipeline = await startPipeline();
const { ports, now, drain, makeWorkspace } = pipeline;
ports.embedder = undefined;
const { records } = ports;
const QUOTE = 'Owls hunt at night.';
const TEXT = `# Owls\n\n${QUOTE}\n`;
const NOTE = withSourceList('At night [1].', [{ index: 1, path: 'owls.md', where: 'line 3', quote: QUOTE }]);

type Scene = Awaited<ReturnType<typeof makeScene>>;
let scenes = 0;

async function makeScene() {
  const files = await makeWorkspace();
  await files.write('owls.md', TEXT);
  await files.sync();
  const workspace = await workspaces.get(records, { id: files.id });
  if (workspace === undefined) throw new Error('no workspace');
  scenes += 1;
  return { ...files, workspace, chat: `chat-${scenes}` };
}

async function keep({ id: workspaceId, chat }: Scene, to: typeof ports = ports) {
  const fileHash = await sha256(Buffer.from(TEXT));
  const citation = { path: 'owls.md', startLine: 3, endLine: 3, quote: QUOTE, fileHash };
  return keepAnswer(to, { id: chat, workspaceId }, [citation]);
}

/**
 * Runs the work in processes that die at each of its calls, one after the other. Returns the number of calls.
 */
async function killAtEachCall(
  prepare: () => Promise<Scene>,
  work: (mortal: typeof ports, scene: Scene) => Promise<unknown>,
  check: (scene: Scene) => Promise<void>,
): Promise<number> {
  for (let lives = 0; ; lives++) {
    const scene = await prepare();
    const mortal = killable(ports, ['records', 'touchQueue'], lives);
    const running = work(mortal.ports, scene).then(
      () => true,
      () => false,
    );
    const isDone = await Promise.race([running, mortal.died.then(() => false)]);
    mortal.bury();
    await running;
    await check(scene);
    if (isDone) return lives;
  }
}

async function quoted({ id }: Scene): Promise<QuotedFile[]> {
  return (await quotedFiles.list(records, { partition: quotesPartition(id) })).items;
}

async function tick(): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    now.offsetMs += 61_000;
    await settleDocuments(ports);
    for (let round = 0; round < 3; round++) {
      await drain();
      now.offsetMs += 5000;
    }
  }
}

async function edit(scene: Scene): Promise<void> {
  await scene.write('owls.md', 'Edited.');
  await scene.sync();
}

/** Expects the quote records to match the documents, with none missing and none left over. */
async function expectNamed(scene: Scene): Promise<void> {
  await edit(scene);
  await tick();
  const all = await quoted(scene);
  for (const each of all) {
    const document = await readDocument(records, each);
    expect(document?.quotes).toHaveLength(1);
    expect(each.quotes.map(({ broken }) => broken?.reason)).toEqual(['changed']);
  }
}

const WEBHOOK = 'hook';
async function listen(): Promise<void> {
  const state = { isEnabled: true, disabledReason: null, failingSince: null };
  await webhooks.put(records, {
    ...{ id: WEBHOOK, name: 'n', url: 'https://hooks.example/', events: ['citation.broken'], ...state },
    ...{ secretId: 's', createdAt: '2026-11-30T00:00:00.000Z', version: 1 },
  });
}

/** Returns the events of a workspace that are waiting for a webhook. */
async function announced({ id }: Scene) {
  const query = { partition: deliveriesPartition(WEBHOOK) };
  const all = await Array.fromAsync(deliveries.all(records, query));
  return all.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.workspaceId === id);
}

const told = async ({ id }: Scene) =>
  (await pageActivities(records, id, { limit: 100 })).items.filter(({ kind }) => kind === 'citations_broken');

describe('a process that is killed at any call', () => {
  it('loses no quote of a note that it stored', async () => {
    const calls = await killAtEachCall(
      makeScene,
      (mortal, { id }) => createNote(mortal, { workspaceId: id, title: 'N', content: NOTE, type: 'manual' }),
      async (scene) => {
        await expectNamed(scene);
        const stored = await records.count({ partition: `NOTE#${scene.id}` });
        expect(await quoted(scene)).toHaveLength(stored);
      },
    );
    expect(calls).toBeGreaterThan(6);
  });

  it('leaves no quote of a source that it removed from a note', async () => {
    const calls = await killAtEachCall(
      async () => {
        const scene = await makeScene();
        const note = { workspaceId: scene.id, title: 'N', content: NOTE, type: 'manual' as const };
        await createNote(ports, { id: scene.id, ...note });
        return scene;
      },
      (mortal, { id }) => updateNote(mortal, LOCAL, id, { content: 'No source.' }),
      async (scene) => {
        await tick();
        const note = await notes.get(records, { workspaceId: scene.id, id: scene.id });
        expect(await quoted(scene)).toHaveLength(note?.content === NOTE ? 1 : 0);
      },
    );
    expect(calls).toBeGreaterThan(6);
  });

  it('loses no quote of an answer that it stored', async () => {
    const calls = await killAtEachCall(
      makeScene,
      (mortal, scene) => keep(scene, mortal),
      async (scene) => {
        await expectNamed(scene);
        const counts = { all: (await quoted(scene)).length, told: (await told(scene)).length };
        expect(counts.told).toBe(counts.all);
      },
    );
    expect(calls).toBeGreaterThan(15);
  });

  it('reports each broken quote, and notifies once, when its message is delivered again', async () => {
    const message = { kind: 'quotes' as const, paths: ['owls.md'], tries: 9 };
    const calls = await killAtEachCall(
      async () => {
        const scene = await makeScene();
        await keep(scene);
        await edit(scene);
        await takeAll(ports.touchQueue);
        await listen();
        return scene;
      },
      (mortal, { workspace }) => checkQuotes(mortal, workspace, { ...message, workspaceId: workspace.id }),
      async (scene) => {
        await checkQuotes(ports, scene.workspace, { ...message, workspaceId: scene.id });
        const { id: workspaceId } = scene;
        const data = { workspaceId, file: 'owls.md', reason: 'changed', document: 'answer' };
        expect(await announced(scene)).toEqual([
          {
            ...{ type: 'citation.broken', timestamp: expect.any(String) },
            data: { ...data, path: `/w/${workspaceId}/broken` },
          },
        ]);
        expect((await quoted(scene)).map(({ quotes }) => quotes[0]?.broken)).toMatchObject([
          { reason: 'changed', told: true },
        ]);
        expect(await told(scene)).toHaveLength(1);
      },
    );
    expect(calls).toBeGreaterThan(5);
  });

  it('moves a citation completely when its message is delivered again', async () => {
    const message = { kind: 'quotes' as const, paths: ['owls.md'], tries: 0 };
    const calls = await killAtEachCall(
      async () => {
        const scene = await makeScene();
        await keep(scene);
        await rename(join(scene.rootPath, 'owls.md'), join(scene.rootPath, 'birds.md'));
        now.offsetMs += 2000;
        await touchIndex(ports.indexQueue, scene.id, ['owls.md', 'birds.md']);
        for (const results of await pipeline.takeResults()) await commitMessages(ports, [results]);
        await takeAll(ports.touchQueue);
        return scene;
      },
      (mortal, { workspace }) => checkQuotes(mortal, workspace, { ...message, workspaceId: workspace.id }),
      async (scene) => {
        await checkQuotes(ports, scene.workspace, { ...message, workspaceId: scene.id });
        const all = await quoted(scene);
        expect(all.map(({ path, quotes }) => [path, quotes.length])).toEqual([['birds.md', 1]]);
        const document = all[0] && (await readDocument(records, all[0]));
        expect(document?.quotes.map(({ path }) => path)).toEqual(['birds.md']);
      },
    );
    expect(calls).toBeGreaterThan(10);
  });
});
