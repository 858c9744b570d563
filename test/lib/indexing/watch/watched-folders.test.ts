import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inotifyWatcher } from '../../../../lib/adapters/inotify/folder-watcher.ts';
import { filesChangedIn } from '../../../../lib/indexing/enqueue.ts';
import { readIndexState } from '../../../../lib/indexing/read-index-state.ts';
import { WatchedFolders } from '../../../../lib/indexing/watch/watch-workspaces.ts';
import type { FolderEvents, FolderWatcher, UnwatchedReason } from '../../../../lib/ports/folder-watcher.ts';
import { workspaces } from '../../../../lib/workspaces/schema.ts';
import { type Pipeline, startPipeline } from '../../../support/pipeline.ts';

let pipeline: Pipeline;
let workspace: Awaited<ReturnType<Pipeline['makeWorkspace']>>;
let folders: WatchedFolders;
let told: FolderEvents | undefined;
let whyNot: UnwatchedReason | undefined;

/** The real watcher, with events that a test can create too. */
function spiedWatcher(): FolderWatcher {
  const real = inotifyWatcher();
  return {
    whyNot: async () => whyNot,
    watch(root, tree, tell) {
      told = tell;
      return real.watch(root, tree, tell);
    },
  };
}

function open({ isAlone = true } = {}): WatchedFolders {
  return new WatchedFolders({ ...pipeline.ports, watcher: spiedWatcher() }, { isAlone });
}

/** Lets events arrive and settle, and the five-second heartbeats pass. */
async function pass({ beats = 1 } = {}): Promise<void> {
  for (let beat = 0; beat < beats; beat++) {
    pipeline.now.offsetMs += 5_000;
    await folders.beat();
    await folders.tended();
  }
}

/** Waits until changes are on their way to the index worker. */
async function settle(): Promise<void> {
  await sleep(150); // until the system reports them
  while (folders.isPending()) await sleep(20);
}

const state = () => readIndexState(pipeline.ports.records, workspace.id, pipeline.ports.clock);

async function asOf(): Promise<number> {
  return Date.parse((await state()).asOf ?? '');
}

/** Returns the number of messages for the index worker. */
async function waiting(): Promise<number> {
  const messages = await pipeline.ports.touchQueue.receive({ max: 10 });
  for (const { receipt } of messages) await pipeline.ports.touchQueue.changeVisibility(receipt, 0);
  return messages.length;
}

async function drainAll(): Promise<void> {
  pipeline.now.offsetMs += 2_500; // a scan is delayed by two seconds
  await pipeline.drain();
}

beforeEach(async () => {
  pipeline = await startPipeline();
  workspace = await pipeline.makeWorkspace();
  whyNot = undefined;
  folders = open();
  await workspace.write('a.md', 'a giraffe');
  await pass();
  await drainAll();
});
afterEach(() => folders.stop());

describe('watched folder', () => {
  it('is read at the start, and then known to be up to date', async () => {
    expect(await workspace.found('giraffe')).toEqual(['a.md']);
    await pass({ beats: 2 });
    expect(await state()).toMatchObject({ watching: 'live', status: 'idle' });
    expect(pipeline.ports.clock.now() - (await asOf())).toBeLessThan(5_000);
  });

  it('is out of date after a change until the change is indexed', async () => {
    await pass({ beats: 2 });
    const before = pipeline.ports.clock.now();
    await workspace.write('b.md', 'a walrus');
    await settle();
    await pass({ beats: 2 });
    expect((await state()).waitingCount).toBe(1);
    expect(await asOf()).toBeLessThanOrEqual(before + 1_000);
    await drainAll();
    expect(await workspace.found('walrus')).toEqual(['b.md']);
    expect(await asOf()).toBeGreaterThan(before + 1_000);
  });

  it('causes no new embeddings when files and folders are renamed', async () => {
    for (let file = 0; file < 60; file++) await workspace.write(`x/${file}.md`, `a walrus, number ${file}`);
    await settle();
    await drainAll();
    pipeline.embedder.embeddedTexts = 0;
    for (let file = 0; file < 60; file++)
      await rename(join(workspace.rootPath, `x/${file}.md`), join(workspace.rootPath, `x/${file}-new.md`));
    await settle();
    await drainAll();
    await rename(join(workspace.rootPath, 'x'), join(workspace.rootPath, 'y'));
    await settle();
    await drainAll();
    expect((await workspace.found('walrus')).every((path) => /^y\/\d+-new\.md$/.test(path))).toBe(true);
    expect(pipeline.embedder.embeddedTexts).toBe(0);
  });

  it("ignores the events of the service's own writes", async () => {
    const changed = filesChangedIn({ ...pipeline.ports, queue: pipeline.ports.touchQueue });
    await workspace.write('b.md', 'a walrus');
    await sleep(30); // longer than the time resolution of the file system
    await changed(workspace.id, ['b.md']);
    await settle();
    expect(await waiting()).toBe(1);
    await workspace.write('c.md', 'an otter');
    await sleep(30);
    await changed(workspace.id, ['c.md']);
    await pipeline.drain();
    await settle();
    expect(await waiting()).toBe(0);
  });

  it('requests nothing for folders that are never indexed, on systems that report whole trees', async () => {
    await workspace.write('node_modules/x/y.md', 'a walrus');
    await workspace.write('.git/y.md', 'a walrus');
    told?.changed('node_modules/x/y.md');
    told?.changed('.git/y.md');
    expect(folders.isPending()).toBe(true); // the folders themselves
    await settle();
    told?.changed('node_modules/x/y.md');
    expect(folders.isPending()).toBe(false);
  });

  it('puts more changes into a message while the index worker is behind', async () => {
    const others = Array.from({ length: 20 }, () => ({
      body: { kind: 'touch', workspaceId: 'x', paths: [] },
    }));
    await pipeline.ports.touchQueue.send(others);
    await workspace.write('first.md', 'a walrus');
    await settle();
    const before = (await pipeline.ports.touchQueue.depth()).waiting;
    for (let file = 0; file < 5; file++) {
      await workspace.write(`${file}.md`, 'a walrus');
      await sleep(150);
    }
    await settle();
    expect((await pipeline.ports.touchQueue.depth()).waiting - before).toBeLessThanOrEqual(2);
  });

  it('requests nothing for a file that was created and deleted', async () => {
    await workspace.write('b.tmp.md', 'a walrus');
    await rm(join(workspace.rootPath, 'b.tmp.md'));
    await settle();
    expect(await waiting()).toBe(0);
  });

  it('reads a burst of files in one sync', async () => {
    for (let file = 0; file < 1500; file++) {
      mkdirSync(join(workspace.rootPath, `${file % 30}`), { recursive: true });
      writeFileSync(join(workspace.rootPath, `${file % 30}/${file}.md`), 'a walrus');
    }
    await settle();
    const before = await asOf();
    await drainAll();
    const { newCount, ...sync } = await state();
    expect(sync).toMatchObject({ status: 'ready', total: 1501, done: 1501, waitingCount: 0 });
    expect(newCount).toBeGreaterThan(1000); // the first of them may have been requested
    await pass();
    expect(await asOf()).toBeGreaterThan(before);
  });

  it('applies a changed ignore file', async () => {
    await workspace.write('data/x.md', 'a walrus');
    await settle();
    await drainAll();
    await workspace.write('.gitignore', 'data/\n');
    await settle();
    await drainAll();
    expect(await workspace.found('walrus')).toEqual([]);
    await workspace.write('data/y.md', 'a walrus');
    await settle();
    expect(await waiting()).toBe(0);
  });

  it.each(['stopped', 'killed'])('stays up to date after the service was %s', async (how) => {
    await pass({ beats: 2 });
    const before = await asOf();
    if (how === 'stopped') await folders.stop();
    expect(await asOf()).toBe(before);
    const former = folders;
    folders = open();
    await folders.beat(); // holds the lease, and nothing is written yet
    expect(await asOf()).toBe(before);
    await folders.tended();
    await pass();
    expect((await state()).watching).toBe('live');
    expect(await asOf()).toBe(before);
    await drainAll();
    await pass({ beats: 2 });
    expect(await asOf()).toBeGreaterThan(before);
    await former.stop();
  });

  it('is compared completely after lost events, and out of date until then', async () => {
    await pass({ beats: 2 });
    const before = pipeline.ports.clock.now();
    await folders.stop(); // the next change is missed
    await workspace.write('b.md', 'a walrus');
    folders = open();
    await pass({ beats: 2 });
    expect(await asOf()).toBeLessThanOrEqual(before);
    pipeline.now.offsetMs += 2_500;
    const results = await pipeline.takeResults(); // a scan
    results.push(...(await pipeline.takeResults())); // its results, on the way to the writer
    await pass();
    expect(results.length).toBeGreaterThan(0);
    expect(await asOf()).toBeLessThanOrEqual(before);
    await pipeline.ports.commitQueue.send(results.map((body) => ({ groupId: workspace.id, body })));
    await drainAll();
    expect(await workspace.found('walrus')).toEqual(['b.md']);
    await pass({ beats: 2 });
    const known = await asOf();
    expect(known).toBeGreaterThan(before);
    told?.lost();
    await settle();
    await pass({ beats: 3 });
    expect(await asOf()).toBeLessThan(known + 15_000);
    await drainAll();
    await pass({ beats: 2 });
    expect(await asOf()).toBeGreaterThan(known + 15_000);
  });
});

describe("folder that can't be watched", () => {
  it('is polled, as its status shows', async () => {
    await folders.stop();
    whyNot = 'network';
    folders = open();
    await pass();
    expect(await state()).toMatchObject({ watching: 'polling' });
    await drainAll();
    await workspace.write('b.md', 'a walrus');
    await pass({ beats: 3 });
    await drainAll();
    expect(await workspace.found('walrus')).toEqual(['b.md']);
    expect(await state()).toMatchObject({ watching: 'polling', waitingCount: 0 });
  });

  it('is watched again after it was missing', async () => {
    const aside = `${workspace.rootPath}-aside`;
    await rename(workspace.rootPath, aside);
    await pass({ beats: 2 });
    await drainAll();
    expect(await state()).toMatchObject({ watching: 'polling' });
    expect(await workspace.found('giraffe')).toEqual(['a.md']); // a missing folder isn't an empty one
    await mkdir(workspace.rootPath);
    await writeFile(join(workspace.rootPath, 'b.md'), 'a walrus');
    await pass({ beats: 2 });
    await drainAll();
    expect(await state()).toMatchObject({ watching: 'live' });
    expect(await workspace.found('walrus')).toEqual(['b.md']);
    expect(await workspace.found('giraffe')).toEqual([]);
    await rm(aside, { recursive: true });
  });

  it('has the status off if no service holds the lease', async () => {
    await folders.stop();
    expect(await state()).toMatchObject({ watching: 'off' });
  });
});

it('folder is watched by one of two services, and by the other after that one was killed', async () => {
  await folders.stop();
  folders = open({ isAlone: false });
  await pass();
  const other = open({ isAlone: false });
  await other.beat();
  await other.tended();
  await drainAll();
  await workspace.write('b.md', 'a walrus');
  await sleep(150);
  expect([folders.isPending(), other.isPending()]).toEqual([true, false]);
  await settle();
  expect(await waiting()).toBe(1);
  await drainAll();
  pipeline.now.offsetMs += 21_000; // the first service is silent
  await other.beat();
  await other.tended();
  await drainAll();
  await workspace.write('c.md', 'an otter');
  await sleep(150);
  expect(other.isPending()).toBe(true);
  while (other.isPending()) await sleep(20);
  await drainAll();
  expect(await workspace.found('otter')).toEqual(['c.md']);
  await folders.beat(); // it has lost the lease, and stops watching the folder
  await workspace.write('d.md', 'an otter');
  await sleep(150);
  expect(folders.isPending()).toBe(false);
  await other.stop();
});

it('folder watch follows new and deleted workspaces', async () => {
  const other = await pipeline.makeWorkspace();
  await pass();
  await drainAll();
  await other.write('b.md', 'a walrus');
  await settle();
  await drainAll();
  expect(await other.found('walrus')).toEqual(['b.md']);
  await workspaces.delete(pipeline.ports.records, { id: other.id });
  await pass();
  await other.write('c.md', 'a walrus');
  await settle();
  expect(await waiting()).toBe(0);
});
