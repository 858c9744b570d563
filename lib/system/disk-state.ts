import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../known-error.ts';
import { diskSpace } from './disk-space.ts';

/** `low` comes before `full`: everything still works. */
export type DiskState = 'ok' | 'low' | 'full';

/**
 * A folder whose disk is watched. A test file may be written to `scratch`, because only a write reveals a
 * quota.
 */
export interface WatchedFolder {
  path: string;
  scratch?: string;
}

const LOW_BYTES = 1024 ** 3;
const LOW_SHARE = 0.1;
const FULL_BYTES = 16 * 1024 ** 2;
const FULL_SHARE = 0.02;
const TRIED_BYTES = 64 * 1024;
/** Milliseconds for which a result is cached, because anyone may request it. */
const CACHE_MS = 5_000;

/** Returns the worst state of the folders' disks. The folders are looked up each time. */
export function diskWatch(
  findFolders: () => Promise<WatchedFolder[]>,
  now = () => performance.now(),
): () => Promise<DiskState> {
  let latest: { at: number; state: Promise<DiskState> } | undefined;
  return () => {
    if (latest === undefined || now() - latest.at >= CACHE_MS)
      latest = { at: now(), state: findFolders().then(stateOfAll) };
    return latest.state;
  };
}

async function stateOfAll(folders: WatchedFolder[]): Promise<DiskState> {
  return worst(await Promise.all(folders.map(stateOf)));
}

function worst(states: DiskState[]): DiskState {
  if (states.includes('full')) return 'full';
  return states.includes('low') ? 'low' : 'ok';
}

async function stateOf({ path, scratch }: WatchedFolder): Promise<DiskState> {
  const found = await diskSpace(path);
  if (found === undefined) return 'ok'; // The folder doesn't exist yet, or its disk doesn't answer.
  const { bsize, blocks, bavail, files, ffree } = found;
  const [free, total] = [bsize * bavail, bsize * blocks];
  const lacksNames = files > 0 && ffree === 0;
  if (lacksNames || free < Math.min(FULL_BYTES, total * FULL_SHARE)) return 'full';
  if (scratch !== undefined && !(await takesFile(scratch))) return 'full';
  return free < Math.min(LOW_BYTES, total * LOW_SHARE) ? 'low' : 'ok';
}

async function takesFile(folder: string): Promise<boolean> {
  const file = join(folder, randomUUID());
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, Buffer.alloc(TRIED_BYTES), { flush: true, mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    return !isDiskFull(error);
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
