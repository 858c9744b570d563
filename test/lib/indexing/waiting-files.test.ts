import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { filesChangedIn } from '../../../lib/indexing/enqueue.ts';
import { readIndexState, readProgress } from '../../../lib/indexing/read-index-state.ts';
import { syncs } from '../../../lib/indexing/schema.ts';
import { failSync, startSync } from '../../../lib/indexing/sync.ts';
import { markWaiting, readWaiting, waitingFiles } from '../../../lib/indexing/waiting-files.ts';
import { searchNotices } from '../../../lib/retrieval/search-notices.ts';
import { startPipeline } from '../../support/pipeline.ts';

const { ports, now, drain, takeResults, makeWorkspace, syncPorts, embedder } = await startPipeline();
const { records, clock } = ports;
const changed = filesChangedIn({ records, queue: ports.touchQueue, clock });

let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
beforeEach(async () => {
  now.offsetMs += 120_000;
  await drain(); // left by the previous test, also for later
  workspace = await makeWorkspace();
});

async function save(...paths: string[]): Promise<void> {
  for (const path of paths) await workspace.write(path, `a giraffe in ${path} at ${clock.now()}`);
  await changed(workspace.id, paths);
}

const state = () => readIndexState(records, workspace.id);

describe('files saved through the API', () => {
  it('are counted from the save until they can be found', async () => {
    expect(await state()).toMatchObject({ status: 'idle', waitingCount: 0 });
    await save('a.md', 'b.md');
    expect(await state()).toMatchObject({ status: 'indexing', total: 2, done: 0, waitingCount: 2 });
    await takeResults(); // read, and on their way to the writer
    expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 2 });
    await save('a.md', 'b.md');
    await drain();
    expect(await workspace.found('giraffe')).toEqual(['a.md', 'b.md']);
    expect(await state()).toMatchObject({ status: 'idle', waitingCount: 0 });
  });

  it('appear in the list of workspaces', async () => {
    await save('a.md');
    expect(await readProgress(records, [workspace.id])).toMatchObject([{ status: 'indexing', total: 1 }]);
    await drain();
    expect(await readProgress(records, [workspace.id])).toMatchObject([{ status: 'idle', total: 0 }]);
  });

  it('mark the index as still being built, never as empty', async () => {
    await save('a.md');
    const isBuilding = (await state()).status === 'indexing';
    const found = { mode: 'none', passages: [] } as unknown as Parameters<typeof searchNotices>[1];
    expect([...searchNotices(isBuilding, found)].map(({ code }) => code)).toEqual(['index-building']);
  });

  it('are also counted after a sync, next to its figures', async () => {
    await workspace.write('a.md', 'a walrus');
    expect(await workspace.sync()).toMatchObject({ status: 'ready', total: 1, waitingCount: 0 });
    await save('b.md');
    expect(await state()).toMatchObject({ status: 'indexing', total: 1, done: 1, waitingCount: 1 });
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', total: 1, waitingCount: 0 });
  });

  it('keep waiting if they are saved again after they were read', async () => {
    await save('a.md');
    const results = await takeResults();
    now.offsetMs += 100;
    await save('a.md');
    await ports.commitQueue.send(results.map((body) => ({ groupId: workspace.id, body })));
    const touched = await ports.touchQueue.receive({ max: 1 });
    await drain();
    expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 1 });
    for (const { receipt } of touched) await ports.touchQueue.changeVisibility(receipt, 0);
    await drain();
    expect(await state()).toMatchObject({ status: 'idle', waitingCount: 0 });
  });

  it('stop waiting if an earlier read reaches the writer after the latest one', async () => {
    await save('a.md');
    const earlier = await takeResults();
    now.offsetMs += 10;
    await save('a.md');
    const latest = await takeResults();
    await commitMessages(ports, [...latest, ...earlier]);
    expect(await state()).toMatchObject({ status: 'idle', waitingCount: 0 });
  });

  it("stop waiting if the index doesn't support them, or if they are deleted", async () => {
    await save('tool.exe', 'a.md');
    await changed(workspace.id, ['gone.md']);
    expect(await state()).toMatchObject({ waitingCount: 3 });
    await takeResults();
    expect(await state()).toMatchObject({ waitingCount: 1 });
  });

  it('are counted individually if their folder was moved', async () => {
    await save('old/a.md', 'old/b.md', 'old/c.md');
    await drain();
    await rename(join(workspace.rootPath, 'old'), join(workspace.rootPath, 'new'));
    await changed(workspace.id, ['old', 'new']);
    await takeResults();
    expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 3 });
  });
});

describe('file whose message was lost', () => {
  it('waits until the next complete sync, even one that finds nothing new', async () => {
    await save('a.md');
    await drain();
    await workspace.sync();
    await markWaiting(ports, workspace.id, ['a.md']);
    expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 1 });
    expect(await workspace.sync()).toMatchObject({ status: 'ready', waitingCount: 0 });
  });

  it('waits until a sync that indexes other files', async () => {
    await markWaiting(ports, workspace.id, ['lost.md']);
    await workspace.write('b.md', 'a walrus');
    expect(await workspace.sync()).toMatchObject({ status: 'ready', waitingCount: 0 });
  });

  it('waits until a sync that started in the same millisecond', async () => {
    const instant = clock.now();
    const frozen = { now: () => instant };
    await markWaiting({ records, clock: frozen }, workspace.id, ['lost.md']);
    await workspace.write('b.md', 'a walrus');
    await startSync({ ...syncPorts(), clock: frozen }, workspace.id);
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
  });

  it('still waits after a sync that started before the file was saved', async () => {
    await workspace.write('b.md', 'a walrus');
    await startSync(syncPorts(), workspace.id);
    now.offsetMs += 100;
    await markWaiting(ports, workspace.id, ['late.md']);
    await drain();
    expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 1 });
  });
});

it('waiting files are counted up to a thousand', async () => {
  await changed(
    workspace.id,
    Array.from({ length: 1200 }, (_, index) => `${index}.md`),
  );
  expect(await state()).toMatchObject({ status: 'indexing', waitingCount: 1000 });
});

describe('more than a thousand waiting files', () => {
  it('hide neither the earliest change nor the commit of a file', async () => {
    const since = clock.now() - 60_000;
    await save('z.md');
    const results = await takeResults();
    await markWaiting(ports, workspace.id, ['z2.md'], { since });
    await markWaiting(
      ports,
      workspace.id,
      Array.from({ length: 1000 }, (_, index) => `${index}.md`),
    );
    expect((await readWaiting(records, workspace.id)).since).toBe(since);
    await commitMessages(ports, results);
    expect(await waitingFiles.get(records, { workspaceId: workspace.id, path: 'z.md' })).toBeUndefined();
    now.offsetMs += 100;
    await workspace.sync();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
  });

  it('keep their folder marked during a sync, which leaves them to the next sync', async () => {
    await startSync(syncPorts(), workspace.id);
    await takeResults(); // the sync has its plan, without these files
    for (let file = 0; file < 1100; file++) await workspace.write(`moved/${file}.md`, `giraffe ${file}`);
    await changed(workspace.id, ['moved']);
    const before = clock.now();
    expect(await takeResults()).toEqual([]);
    expect((await readWaiting(records, workspace.id)).since).toBeLessThanOrEqual(before);
    await failRunningSync();
    now.offsetMs += 61_000;
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', newCount: 1100, waitingCount: 0 });
  });
});

/** As after the death of its workers. */
async function failRunningSync(): Promise<void> {
  const sync = await syncs.get(records, { workspaceId: workspace.id });
  if (sync !== undefined) await failSync(ports, sync, 'for the test');
}

describe('files that a sync finds, too', () => {
  const startLater = async () => {
    now.offsetMs += 100;
    await startSync(syncPorts(), workspace.id);
  };
  beforeEach(() => {
    embedder.embeddedTexts = 0;
  });

  it('are embedded once if a worker was reading them when the sync started', async () => {
    await save('a.md', 'b.md');
    const results = await takeResults();
    await startLater();
    await drain();
    expect(await state()).toMatchObject({ status: 'indexing' });
    await ports.commitQueue.send(results.map((body) => ({ groupId: workspace.id, body })));
    await drain();
    now.offsetMs += 2000;
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
    expect(await workspace.found('giraffe')).toEqual(['a.md', 'b.md']);
    expect(embedder.embeddedTexts).toBe(2);
  });

  it('are read by the sync if that worker died, after a minute, or at once if they have changed', async () => {
    await save('a.md');
    await takeResults();
    await startLater();
    await drain();
    expect(await state()).toMatchObject({ status: 'indexing' });
    now.offsetMs += 60_000;
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
    await save('b.md');
    await takeResults();
    await workspace.write('b.md', 'a walrus instead');
    await startLater();
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
    expect(await workspace.found('walrus')).toEqual(['b.md']);
  });

  it('are left to a sync that started after the change', async () => {
    await save('a.md', 'b.md');
    await startLater();
    await drain();
    expect(await state()).toMatchObject({ status: 'ready', waitingCount: 0 });
    now.offsetMs += 60_000;
    await drain();
    expect(await workspace.found('giraffe')).toEqual(['a.md', 'b.md']);
    expect(embedder.embeddedTexts).toBe(2);
  });

  it('are read without the sync if they were changed after its start', async () => {
    await startLater();
    now.offsetMs += 100;
    await save('a.md');
    expect((await takeResults()).some(({ kind }) => kind === 'results')).toBe(true);
  });
});
