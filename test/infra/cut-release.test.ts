import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { isLater, release } from '../../infra/release.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.0.0-rc.1] - 2026-11-29\n\n- First.\n';
const DAY = '2026-12-24';

async function makeProject({ changelog = CHANGELOG } = {}) {
  const folder = await tempFolder();
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const version = '1.0.0-rc.1';
  await write('package.json', JSON.stringify({ name: 'x', version }));
  const lock = { name: 'x', version, lockfileVersion: 3, packages: { '': { name: 'x', version } } };
  await write('package-lock.json', JSON.stringify(lock));
  await write('CHANGELOG.md', changelog);
  git('init', '--quiet');
  for (const [name, value] of Object.entries({ 'user.name': 'x', 'user.email': 'x@example.org' }))
    git('config', name, value);
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  return { folder, write, read, git };
}

it('release script sets the version, moves the unreleased changes under it, commits, and tags', async () => {
  const { folder, read, git } = await makeProject();
  release({ folder, version: '1.0.0', day: DAY, check: () => {} });
  const lock = JSON.parse(await read('package-lock.json'));
  expect(JSON.parse(await read('package.json')).version).toBe('1.0.0');
  expect([lock.version, lock.packages[''].version]).toEqual(['1.0.0', '1.0.0']);
  expect(await read('CHANGELOG.md')).toBe(
    CHANGELOG.replace('[Unreleased]\n', `[Unreleased]\n\n## [1.0.0] - ${DAY}\n`),
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('describe', '--exact-match')).toBe('v1.0.0');
});

it.each<[string, string, RegExp]>([
  ['an earlier version', '0.9.0', /later than 1\.0\.0-rc\.1/],
  ['no version', 'next', /must be like/],
])('release script refuses %s', async (_, version, message) => {
  const { folder, git } = await makeProject();
  expect(() => release({ folder, version, day: DAY, check: () => {} })).toThrow(message);
  expect(git('log', '--oneline').split('\n')).toHaveLength(1);
});

it('release script refuses uncommitted changes, a changelog without changes, and failed checks', async () => {
  const dirty = await makeProject();
  await dirty.write('other.txt', 'x');
  const attempt = (folder: string, check = () => {}) =>
    release({ folder, version: '1.0.0', day: DAY, check });
  expect(() => attempt(dirty.folder)).toThrow('The working tree has changes.');
  const empty = await makeProject({ changelog: CHANGELOG.replace('- New.\n\n', '') });
  expect(() => attempt(empty.folder)).toThrow('no unreleased changes');
  const red = await makeProject();
  const fail = () => {
    throw new Error('red');
  };
  expect(() => attempt(red.folder, fail)).toThrow('red');
  expect(red.git('status', '--porcelain')).toBe('');
});

it('release script orders versions, with candidates before their release', () => {
  const ordered = ['1.0.0-rc.1', '1.0.0-rc.2', '1.0.0', '1.0.1-rc.1', '1.0.1', '1.2.0', '2.0.0'];
  for (const [at, version] of ordered.entries())
    for (const [place, other] of ordered.entries()) expect(isLater(version, other)).toBe(at > place);
});
