import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { whenDone } from '../support/temp-folder.ts';

/** Processes of the lane; see test/lanes/servers/nfs-mounts.ts. */
const { NFS_FIRST = '', NFS_SECOND = '', NFS_URL = '' } = process.env;

/** Creates a new folder, and returns its path on each of the two hosts. */
export async function sharedFolder(): Promise<{ first: string; second: string }> {
  const name = crypto.randomUUID();
  const [first, second] = [join(NFS_FIRST, name), join(NFS_SECOND, name)];
  await mkdir(first);
  whenDone(() => atPace('0s', '0s', () => rm(first, { recursive: true, force: true })));
  return { first, second };
}

/** Returns the other host's path for a path of the first host. */
export function onSecond(path: string): string {
  if (!path.startsWith(`${NFS_FIRST}/`)) throw new Error(`${path} is not on the first host`);
  return NFS_SECOND + path.slice(NFS_FIRST.length);
}

type Counts = Record<string, number>;

/** Returns the number of calls from a host to the server, by kind. */
export async function countCalls(host: 'first' | 'second', work: () => Promise<unknown>): Promise<Counts> {
  const before = await readCalls(host);
  await work();
  const after = await readCalls(host);
  const kinds = Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const);
  return Object.fromEntries(kinds.filter(([, count]) => count > 0));
}

export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function readCalls(host: 'first' | 'second'): Promise<Counts> {
  const response = await fetch(`${NFS_URL}/calls`);
  const all = (await response.json()) as Record<string, Counts>;
  return all[host === 'first' ? NFS_FIRST : NFS_SECOND] ?? {};
}

/** Prepares or cleans up without network delays. */
export async function atPace<Answer>(
  call: string,
  write: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const pace = (values: Record<string, string>) =>
    fetch(`${NFS_URL}/pace`, { method: 'POST', body: new URLSearchParams(values) });
  await pace({ call, write });
  try {
    return await work();
  } finally {
    await pace({ call: '1ms', write: '3ms' });
  }
}

/** Expires the hosts' caches, as a minute would. */
export async function forgetCaches(): Promise<void> {
  await fetch(`${NFS_URL}/forget`, { method: 'POST' });
}
