import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { withTimeout } from '../async/with-timeout.ts';

/** Milliseconds to wait for a disk. */
const WAIT_MS = 2_000;

export type DiskSpace = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail' | 'files' | 'ffree'>;

const asked = new Map<string, Promise<DiskSpace | undefined>>();

/**
 * Returns the space on a folder's disk; undefined if the folder doesn't exist, or its disk doesn't answer. A
 * network disk may hang, and each question to it occupies one of the process's few file threads until it
 * answers. So each folder has at most one question in progress, however often it's requested.
 */
export function diskSpace(
  folder: string,
  ask: (folder: string) => Promise<DiskSpace> = statfs,
  waitMs = WAIT_MS,
): Promise<DiskSpace | undefined> {
  const answer = asked.get(folder) ?? begin(folder, ask);
  return withTimeout(waitMs, () => answer);
}

function begin(folder: string, ask: (folder: string) => Promise<DiskSpace>): Promise<DiskSpace | undefined> {
  const answer = ask(folder)
    .catch(() => undefined)
    .finally(() => asked.delete(folder));
  asked.set(folder, answer);
  return answer;
}
