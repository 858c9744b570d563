import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runCommandLine, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run release -- VERSION

Checks, then commits and tags a release such as 1.0.0 or 1.1.0-rc.1. Nothing is pushed.`;
const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
/** The last check compares speed and memory with the last release, and fails for a regression. */
const CHECKS = [['run', 'check'], ['test'], ['run', 'bench', '--', 'beside']];
const UNRELEASED = '## [Unreleased]\n';

interface Release {
  folder: string;
  version: string;
  /** The date of the release, such as 2026-11-29. */
  day: string;
  /** Throws unless all checks pass. */
  check(): void;
}

/**
 * Sets the version, moves the unreleased changes under its number, commits, and tags. Makes all checks before
 * the first write. A failure between the writes and the commit leaves only changes; the error explains how to
 * undo them.
 */
export function release({ folder, version, day, check }: Release): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '')
    throw new UsageError('The working tree has changes. Commit or stash them.');
  if (git('tag', '--list', `v${version}`) !== '')
    throw new UsageError(`The tag v${version} exists. Choose a later version.`);
  const current = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  if (!isLater(version, current)) throw new UsageError(`VERSION must be later than ${current}.`);
  const path = join(folder, 'CHANGELOG.md');
  const changelog = releasedChangelog(readFileSync(path, 'utf8'), version, day);
  check();
  try {
    execFileSync('npm', ['version', '--no-git-tag-version', version], { cwd: folder, stdio: 'ignore' });
    writeFileSync(path, changelog);
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...FILES);
  } catch (error) {
    throw new Error(`The release failed. Take it back with: git checkout HEAD -- ${FILES.join(' ')}`, {
      cause: error,
    });
  }
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
}

/** Returns whether a version comes after another: 1.1.0-rc.2 after 1.1.0-rc.1, and 1.1.0 after both. */
export function isLater(version: string, current: string): boolean {
  const [next, before] = [partsOf(version), partsOf(current)];
  const at = next.findIndex((part, place) => part !== before[place]);
  return at >= 0 && (next[at] ?? 0) > (before[at] ?? 0);
}

function partsOf(version: string): number[] {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?$/.exec(version);
  if (match === null) throw new UsageError('VERSION must be like 1.2.3 or 1.2.3-rc.1.');
  return match.slice(1).map((part) => (part === undefined ? Number.POSITIVE_INFINITY : Number(part)));
}

/**
 * Returns the changelog with the unreleased changes under the new version. Throws if there are no such
 * changes.
 */
export function releasedChangelog(text: string, version: string, day: string): string {
  const [before = '', after = ''] = text.split(UNRELEASED);
  const changes = (after.split(/^## /m)[0] ?? '').trim();
  if (changes === '')
    throw new UsageError('CHANGELOG.md has no unreleased changes. Describe the release there.');
  return `${before}${UNRELEASED}\n## [${version}] - ${day}\n${after}`;
}

async function run(): Promise<void> {
  const {
    positionals: [version, ...others],
  } = readArguments({});
  if (version === undefined || others.length > 0) throw new UsageError('Name one version.');
  const folder = join(import.meta.dirname, '..');
  const check = () => {
    for (const args of CHECKS) execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
  };
  release({ folder, version, day: new Date().toISOString().slice(0, 10), check });
  console.log(`Committed and tagged v${version}. Push it with: git push --follow-tags`);
}

if (import.meta.main) await runCommandLine(USAGE, run);
