import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isomorphicGitRepositories } from '../../lib/adapters/isomorphic-git/repositories.ts';
import { walk } from '../../lib/indexing/scan/walk.ts';
import type { Repositories } from '../../lib/ports/repositories.ts';
import { settingsFor } from '../contract/repositories.contract.ts';
import { type GitServer, startGitServer, type Tree } from '../support/fakes/git-server.ts';
import { onSecond, sharedFolder } from './hosts.ts';

/** Several writes, so that reads of the other host fall in between. */
const LARGE_BYTES = 6_000_000;
const OLD = { 'a.md': 'old', 'large.md': 'a'.repeat(LARGE_BYTES / 2), 'deep/b.md': 'old', 'c.md': 'old' };
const NEW = { 'a.md': 'newer', 'large.md': 'b'.repeat(LARGE_BYTES), 'deep/b.md': 'newer' };

/** Returns sizes by path, as the index sees them. */
async function sizesIn(folder: string): Promise<Record<string, number>> {
  const { files, unreadable } = await walk(folder);
  expect(unreadable).toEqual([]);
  return Object.fromEntries(files.map(({ path, size }) => [path, size]));
}

function sizesOf(files: Record<string, string>): Record<string, number> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.length]));
}

describe('pull, with an index worker on another host', () => {
  let server: GitServer;
  let repositories: Repositories;
  let count = 0;
  beforeAll(async () => {
    server = await startGitServer();
    repositories = isomorphicGitRepositories(settingsFor(server));
  });

  async function cloned(files: Tree) {
    const { first } = await sharedFolder();
    const repository = `public/nfs${++count}`;
    await server.addRepository(repository, files);
    const folder = join(first, 'clone');
    await mkdir(folder);
    await repositories.clone(`https://${server.host}/${repository}.git`, folder);
    return { repository, folder, other: onSecond(folder) };
  }

  it('shows each file in its old or new version, never missing or partial', async () => {
    const { repository, folder, other } = await cloned(OLD);
    expect(await sizesIn(other)).toEqual(sizesOf(OLD));
    await server.commit(repository, NEW);
    let isDone = false;
    const pulling = repositories.pull(folder).finally(() => {
      isDone = true;
    });
    const seen = new Map<string, Set<number | undefined>>(Object.keys(OLD).map((path) => [path, new Set()]));
    while (!isDone) {
      const sizes = await sizesIn(other);
      for (const [path, all] of seen) all.add(sizes[path]);
    }
    await pulling;
    const [before, after] = [sizesOf(OLD), sizesOf({ ...OLD, ...NEW })];
    for (const [path, all] of seen)
      expect([path, [...all].filter((size) => size !== before[path] && size !== after[path])]).toEqual([
        path,
        [],
      ]);
    expect(await sizesIn(other)).toEqual(after);
  });

  it('is seen by the next walk, whatever was read before', async () => {
    const { repository, folder, other } = await cloned({ ...OLD, link: '-> a.md', 'run.sh': 'old' });
    await sizesIn(other);
    await server.commit(repository, { ...NEW, link: '-> c.md', 'run.sh': '+x old', 'gone/x.md': 'new' });
    await repositories.pull(folder);
    expect(await sizesIn(other)).toEqual(sizesOf({ ...OLD, ...NEW, 'run.sh': 'old', 'gone/x.md': 'new' }));
    expect(await readlink(join(other, 'link'))).toBe('c.md');
    expect((await lstat(join(other, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readFile(join(other, 'large.md'), 'utf8')).toBe(NEW['large.md']);
    expect((await readdir(other, { recursive: true })).filter((name) => name.includes('.wrs-'))).toEqual([]);
  });
});
