import { statfs } from 'node:fs/promises';
import { type Caller, isAdminOfAll } from '../access/caller.ts';
import { log } from '../log.ts';
import type { DataUse, Storage } from './schema.ts';

export interface StoragePorts {
  workspaceRoots: string[];
  /** What the cloud says of the mounted file system; undefined where there is none. */
  describeFileSystem: (() => Promise<NonNullable<Storage['fileSystem']>>) | undefined;
  /** What takes the room in the data folder; undefined where there is none. */
  measureData: (() => Promise<DataUse>) | undefined;
}

/** The room in each root, the file system that they lie on, and for an administrator of all what takes it. A part that cannot be told fails no other. */
export async function describeStorage(
  { workspaceRoots, describeFileSystem, measureData }: StoragePorts,
  caller: Caller,
): Promise<Storage> {
  const [roots, fileSystem, data] = await Promise.all([
    Promise.all(workspaceRoots.map(describeRoot)),
    describeFileSystem?.().catch((error: unknown) => {
      log.error('the file system was not described', {}, error);
      return null;
    }) ?? null,
    isAdminOfAll(caller) ? measureData?.() : undefined,
  ]);
  return { roots, fileSystem, ...(data && { data }) };
}

/**
 * Zeros for a root that is not there yet. A file system without a bound (EFS) gives a number as large as a double holds.
 */
async function describeRoot(path: string): Promise<Storage['roots'][number]> {
  const found = await statfs(path).catch(() => undefined);
  if (found === undefined) return { path, totalBytes: 0, freeBytes: 0 };
  const { bsize, blocks, bavail } = found;
  return { path, totalBytes: toBytes(bsize, blocks), freeBytes: toBytes(bsize, bavail) };
}

function toBytes(size: number, count: number): number {
  return Math.min(size * count, Number.MAX_SAFE_INTEGER);
}
