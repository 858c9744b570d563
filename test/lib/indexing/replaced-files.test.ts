import { execFileSync } from 'node:child_process';
import { lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { touchIndex } from '../../../lib/indexing/enqueue.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import { startSync } from '../../../lib/indexing/sync.ts';
import { countWaiting, markWaiting } from '../../../lib/indexing/waiting-files.ts';
import { startPipeline } from '../../support/pipeline.ts';

const { ports, drain, now, syncPorts, makeWorkspace } = await startPipeline();
/** More than a change of this size needs. An endless chain would reach it. */
const MOST_ROUNDS = 40;
const OLD = 'wombat';

async function makeReplaced() {
  const workspace = await makeWorkspace();
  await workspace.write('x.md', OLD);
  await workspace.write('keep.md', 'platypus');
  await workspace.write('dir/y.md', 'quokka');
  await workspace.sync();
  return workspace;
}

type Replace = (place: string, root: string) => Promise<unknown>;
const fill = (content: string | Uint8Array) => (place: string) => writeFile(place, content);
const link = (target: string) => (place: string) => symlink(target, place);
const listen = (place: string) =>
  new Promise<void>((resolve) => {
    const server = createServer().listen(place, () => resolve());
    server.unref();
  });

const REPLACEMENTS: [string, Replace][] = [
  ['a link to another file', link('keep.md')],
  ['a link to a folder', link('dir')],
  ['a link to the outside', link('/etc/hostname')],
  ['a dangling link', link('gone.md')],
  ['a link to itself', link('x.md')],
  ['a link to its own folder', link('.')],
  ['an empty folder', (place) => mkdir(place)],
  ['a folder with a file', (place) => mkdir(place).then(() => writeFile(join(place, 'in.md'), 'numbat'))],
  [
    'a folder with a file with the same bytes',
    (place) => mkdir(place).then(() => writeFile(join(place, 'x.md'), 'echidna')),
  ],
  ['a renamed folder', (place, root) => rename(join(root, 'dir'), place)],
  ['a FIFO', async (place) => execFileSync('mkfifo', [place])],
  ['a socket', listen],
  ['an empty file', fill('')],
  ['a binary file', fill(Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 3, 0]))],
  ['a Git LFS pointer', fill('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n')],
];

async function expectSettled(workspace: Awaited<ReturnType<typeof makeReplaced>>) {
  const state = await readIndexState(ports.records, workspace.id);
  expect(state).toMatchObject({ status: 'ready', waitingCount: 0 });
  expect(await countWaiting(ports.records, workspace.id)).toBe(0);
  expect(await workspace.found(OLD)).toEqual([]);
}

describe('replaced file in the index', () => {
  it.each(REPLACEMENTS)('leaves the index, without a remaining message, for %s', async (_, replace) => {
    const workspace = await makeReplaced();
    const { id, rootPath } = workspace;
    await rm(join(rootPath, 'x.md'));
    await replace(join(rootPath, 'x.md'), rootPath);
    now.offsetMs += 1000;
    await markWaiting(ports, id, ['x.md']);
    await touchIndex(ports.touchQueue, id, ['x.md']);
    await drain(MOST_ROUNDS);
    await expectSettled(workspace);
  });

  it.each(REPLACEMENTS)('leaves the index during a sync for %s', async (_, replace) => {
    const workspace = await makeReplaced();
    const { id, rootPath } = workspace;
    await startSync(syncPorts(), id);
    await rm(join(rootPath, 'x.md'));
    await replace(join(rootPath, 'x.md'), rootPath);
    now.offsetMs += 1000;
    await touchIndex(ports.touchQueue, id, ['x.md', 'keep.md']);
    await drain(MOST_ROUNDS);
    await expectSettled(workspace);
  });

  it.each<[string, Replace]>([
    ['a link inside', link('other')],
    ['a link outside', link('/etc')],
    ['a file', fill('numbat')],
    ['a FIFO', async (place) => execFileSync('mkfifo', [place])],
  ])('leaves the index if its folder becomes %s', async (_, replace) => {
    const workspace = await makeReplaced();
    const { id, rootPath } = workspace;
    await workspace.write('dir/deep/x.md', OLD);
    await workspace.write('other/z.md', 'bandicoot');
    await rm(join(rootPath, 'x.md'));
    await workspace.sync();
    await rm(join(rootPath, 'dir'), { recursive: true });
    await replace(join(rootPath, 'dir'), rootPath);
    now.offsetMs += 1000;
    await touchIndex(ports.touchQueue, id, ['dir', 'dir/deep/x.md']);
    await drain(MOST_ROUNDS);
    await expectSettled(workspace);
    expect((await lstat(join(rootPath, 'dir'))).isDirectory()).toBe(false);
  });
});
