import { type Caller, isAdminOfAll } from '../access/caller.ts';
import { log } from '../log.ts';
import { diskSpace } from './disk-space.ts';
import type { DataUse, Storage } from './schema.ts';

export interface StoragePorts {
  workspaceRoots: string[];
  /** Returns what the cloud reports about the mounted file system; undefined if there is none. */
  describeFileSystem: (() => Promise<NonNullable<Storage['fileSystem']>>) | undefined;
  /** Returns the disk usage of the data folder; undefined if there is none. */
  measureData: (() => Promise<DataUse>) | undefined;
}

/**
 * Returns the free space in each root, their file system and, for global administrators, the disk usage. If
 * one part can't be read, the others are still returned.
 */
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
 * Returns zeros for a root that doesn't exist yet, or whose disk doesn't answer. For a file system without a
 * limit (EFS), the number is as large as a double can be.
 */
async function describeRoot(path: string): Promise<Storage['roots'][number]> {
  const found = await diskSpace(path);
  if (found === undefined) return { path, totalBytes: 0, freeBytes: 0 };
  const { bsize, blocks, bavail } = found;
  return { path, totalBytes: toBytes(bsize, blocks), freeBytes: toBytes(bsize, bavail) };
}

function toBytes(size: number, count: number): number {
  return Math.min(size * count, Number.MAX_SAFE_INTEGER);
}
