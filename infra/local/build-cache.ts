import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnerAlive, isProcessAlive, thisProcess } from '../../lib/isolation/is-process-alive.ts';
import { hasCode } from '../../lib/paths/file-errors.ts';

/**
 * A folder in a build with one file per process that loads from it, named after the process. A killed process leaves
 * its file.
 */
const USERS = 'users';
/** Number of unused builds to keep, so that switching between a few branches needs no build. */
const UNUSED_KEPT = 4;

/**
 * Prevents the build's removal while this process runs, because a service loads its handlers and threads from it on
 * demand. Returns false if the build no longer exists.
 */
export function useBuild(build: string): boolean {
  const users = join(build, USERS);
  const mark = join(users, thisProcess());
  try {
    mkdirSync(users);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    if (!hasCode(error, 'EEXIST')) return true; // A read-only checkout keeps its builds.
  }
  try {
    writeFileSync(mark, '');
  } catch (error) {
    return !hasCode(error, 'ENOENT');
  }
  process.once('exit', () => rmSync(mark, { force: true }));
  return existsSync(mark);
}

/** Removes all but the newest unused builds, and leftovers of killed builds and removals. */
export function removeOldBuilds(builds: string): void {
  const folders = readdirSync(builds).map((name) => join(builds, name));
  for (const aside of folders.filter((folder) => isOfDeadProcess(folder))) restoreOrRemove(aside);
  const unused = folders.filter((folder) => pidOf(folder) === undefined && !isUsed(folder));
  const newestFirst = unused.sort((a, b) => timeOf(b) - timeOf(a));
  for (const folder of newestFirst.slice(UNUSED_KEPT)) {
    const aside = `${folder}.${process.pid}`;
    try {
      renameSync(folder, aside);
    } catch {
      continue; // Another process is removing it.
    }
    restoreOrRemove(aside);
  }
}

/** A process may have started to use the build just before it was moved aside. */
function restoreOrRemove(aside: string): void {
  const folder = aside.replace(/\.\d+$/, '');
  if (isUsed(aside) && !existsSync(folder)) renameSync(aside, folder);
  else rmSync(aside, { recursive: true, force: true });
}

/** Returns the process that writes or removes the folder; the folder's name then ends in the process ID. */
function pidOf(folder: string): number | undefined {
  const [, pid] = /\.(\d+)$/.exec(folder) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

function isOfDeadProcess(folder: string): boolean {
  const pid = pidOf(folder);
  return pid !== undefined && !isProcessAlive(pid);
}

function isUsed(build: string): boolean {
  const users = join(build, USERS);
  return existsSync(users) && readdirSync(users).some(isOwnerAlive);
}

function timeOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
