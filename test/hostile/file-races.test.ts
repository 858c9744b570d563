import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withParent } from '../../lib/paths/confine.ts';
import { sweepUnfinished } from '../../lib/paths/stale-temp-files.ts';
import { tempName } from '../../lib/paths/temp-name.ts';
import { HOSTILE_MS, startSwapping } from '../support/processes/swapper.ts';
import { startService } from '../support/service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const HOUR_MS = 60 * 60 * 1000;
const VICTIMS = 200;
const service = await startService();

/** Creates another user's folder, and a workspace with a link to it at `.link`. */
async function prepare() {
  const { id, root } = await makeWorkspace(service);
  const outside = await tempFolder();
  await fill(outside, VICTIMS, 'the secret of somebody else');
  await mkdir(join(outside, 'sub'));
  await fill(join(outside, 'sub'), VICTIMS, 'the secret of somebody else');
  await symlink(outside, join(root, '.link'));
  return { id, root, outside };
}

async function fill(folder: string, count: number, text: string): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => writeFile(join(folder, `${index}.md`), `${text} ${index}`)),
  );
}

/** Returns names, contents, and modes of everything in a folder. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const lines = entries.map(async (entry) => {
    const place = join(entry.parentPath, entry.name);
    const { mode } = await lstat(place);
    return `${place} ${mode} ${entry.isFile() ? await readFile(place, 'utf8') : ''}`;
  });
  return (await Promise.all(lines)).sort();
}

const RACES = 4;

/** Runs `work` repeatedly while the paths are swapped. Afterward, everything outside must be unchanged. */
async function race(
  { root, outside }: { root: string; outside: string },
  places: string[],
  work: (round: number) => Promise<unknown>,
): Promise<void> {
  const before = await stateOf(outside);
  let round = 0;
  // One after the other, because the swapper itself would reach outside through a path that is currently a
  // link.
  for (const place of places) {
    const swapping = await startSwapping([[join(root, place), join(root, '.link')]]);
    const end = Date.now() + HOSTILE_MS / RACES / places.length;
    for (const first = round; round < first + 2 || Date.now() < end; round++) await work(round);
    await swapping.stop();
    // The last swap may have left a folder instead of the link, and a link in the files that couldn't be
    // removed.
    for (const name of (await readdir(root)).filter((each) => /^\.(link|wrs-)/.test(each)))
      await rm(join(root, name), { recursive: true });
    await symlink(outside, join(root, '.link'));
  }
  expect(await stateOf(outside)).toEqual(before);
}

async function plant(root: string, name: string): Promise<void> {
  await mkdir(join(root, name, 'sub/sub'), { recursive: true });
  await fill(join(root, name, 'sub'), VICTIMS, 'mine');
  await fill(join(root, name, 'sub/sub'), 40, 'mine');
}

describe("swapping folders with links to another user's folder", () => {
  it('lets a removal delete nothing else', async () => {
    const { id, root, outside } = await prepare();
    await race({ root, outside }, ['.wrs-*/sub', '.wrs-*/sub/sub'], async (round) => {
      await plant(root, `tree-${round}`);
      const { status } = await service.call('DELETE', '/api/files/delete', {
        workspaceId: id,
        path: `tree-${round}`,
      });
      expect(status).toBeLessThan(500);
    });
  });

  it('lets a directory that replaces another delete nothing else', async () => {
    const { id, root, outside } = await prepare();
    await race({ root, outside }, ['.wrs-*/sub', '.wrs-*/*/sub', '.wrs-*/*/sub/sub'], async (round) => {
      await plant(root, `old-${round}`);
      await mkdir(join(root, `new-${round}`));
      const { status } = await service.call('POST', '/api/files/rename', {
        workspaceId: id,
        oldPath: `new-${round}`,
        newPath: `old-${round}`,
        overwrite: true,
      });
      expect(status).toBeLessThan(500);
    });
  });

  it('lets the cleanup remove only the temporary files of processes that died hours ago', async () => {
    const { root, outside } = await prepare();
    await race({ root, outside }, ['.wrs-*/sub'], async (round) => {
      const name = tempName();
      await plant(root, `tree-${round}`);
      await rename(join(root, `tree-${round}`), join(root, name));
      const swept = withParent(root, join(root, name), (entry) =>
        sweepUnfinished(entry, Date.now() + HOUR_MS * 2),
      );
      await swept.catch(() => {}); // the removal may fail, and the folder stays
    });
  });

  it('lets files be written, created, moved, listed, and indexed only inside', async () => {
    const { id, root, outside } = await prepare();
    const call = (method: string, path: string, body?: object) =>
      service.call(method, path, body && { workspaceId: id, ...body });
    const answers: string[] = [];
    await plant(root, 'tree');
    await race({ root, outside }, ['tree/sub', 'tree'], async (round) => {
      const done = await Promise.all([
        call('POST', '/api/files/write', { path: `tree/sub/0.md`, content: 'mine' }),
        call('POST', '/api/files/write', { path: `tree/new-${round}/x.md`, content: 'mine' }),
        call('POST', '/api/files/mkdir', { path: `tree/sub/made-${round}` }),
        call('POST', '/api/files/rename', {
          oldPath: `tree/sub/${round}.md`,
          newPath: `tree/moved-${round}.md`,
        }),
        call('DELETE', '/api/files/delete', { path: `tree/sub/${round + 10}.md` }),
        call('GET', `/api/files/read?workspaceId=${id}&path=tree/sub/3.md`),
        call('GET', `/api/files/raw?workspaceId=${id}&path=tree/3.md`),
        call('GET', `/api/files/browse?workspaceId=${id}&path=tree`),
        call('POST', `/api/workspaces/${id}/sync`),
      ]);
      answers.push(...done.map(({ bytes }) => bytes.toString()));
      expect(done.filter(({ status }) => status >= 500)).toEqual([]);
    });
    const found = await call('GET', `/api/workspaces/${id}/search?q=secret`);
    for (const answer of [...answers, found.bytes.toString()]) expect(answer).not.toContain('the secret of');
  });
});

it('workspace whose own directory became a link exposes and removes nothing', async () => {
  const { id, root, outside } = await prepare();
  const before = await stateOf(outside);
  await rename(root, `${root}-aside`);
  await symlink(outside, root);
  const read = await service.call('GET', `/api/files/read?workspaceId=${id}&path=1.md`);
  const write = await service.call('POST', '/api/files/write', {
    workspaceId: id,
    path: '1.md',
    content: 'x',
  });
  const remove = await service.call('DELETE', '/api/files/delete', { workspaceId: id, path: 'sub' });
  expect([read, write, remove].map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(await stateOf(outside)).toEqual(before);
});
