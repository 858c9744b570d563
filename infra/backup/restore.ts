import { access, chmod, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { releaseAll } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { freeAllTables } from '../../lib/indexing/commit/only-writer.ts';
import { noneIfMissing } from '../../lib/paths/file-errors.ts';
import { flush } from '../../lib/paths/flush.ts';
import type { Records } from '../../lib/ports/records.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { makeAside } from './aside.ts';
import { copyFile } from './copy-file.ts';
import { BackupError, DATA, type Entry, type Manifest, readManifest, sumOf } from './manifest.ts';
import { moveRecords } from './move-records.ts';

interface Wish {
  /** The folder of the backup. */
  from: string;
  /** Must not be there, or be empty. */
  dataDir: string;
  signal: AbortSignal;
  tell(path: string): void;
}

export interface Restored {
  dataDir: string;
  files: number;
  bytes: number;
  /** Folders of workspaces that lay outside the data folder, and are not on this machine. */
  missing: string[];
}

/**
 * Makes a data folder from a backup and checks every file against its hash: the folder is whole, or not there. An
 * existing one, in use or not, is never touched. Workspaces in the data folder move along with it, where it lay
 * elsewhere before.
 */
export async function restoreBackup({ from, dataDir, signal, tell }: Wish): Promise<Restored> {
  const manifest = await readManifest(from);
  await requireAbsent(dataDir);
  const aside = await makeAside(dataDir);
  try {
    for (const entry of manifest.entries) {
      signal.throwIfAborted();
      tell(entry.path);
      await restoreEntry(join(from, DATA), aside, entry, signal);
    }
    const missing = await settleRecords(aside, manifest, dataDir);
    await setModes(aside, manifest.entries);
    await rename(aside, dataDir).catch(notMoved(dataDir));
    await flush(dirname(dataDir));
    return { dataDir, ...sumOf(manifest.entries), missing };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function requireAbsent(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir).catch(noneIfMissing)) ?? [];
  if (names.length === 0) return;
  throw new BackupError(
    `${dataDir} is there already, and stays as it is: stop what works on it and move it away first, or name another with DATA_DIR`,
  );
}

/** Somebody was there first; or the folder is a link, or a disk of its own, and cannot be exchanged. */
function notMoved(dataDir: string): (error: NodeJS.ErrnoException) => Promise<never> {
  return async ({ code }) => {
    await requireAbsent(dataDir);
    throw new BackupError(
      `${dataDir} cannot be made (${code}): where it is a link or a disk of its own, name a folder in it with DATA_DIR`,
    );
  };
}

async function restoreEntry(from: string, to: string, entry: Entry, signal: AbortSignal): Promise<void> {
  const target = join(to, entry.path);
  if (entry.type === 'folder') return void (await mkdir(target, { mode: 0o700 }));
  if (entry.type === 'link') return symlink(entry.target, target);
  const copied = await copyFile(join(from, entry.path), target, signal).catch(noneIfMissing);
  if (copied?.sha256 !== entry.sha256)
    throw new BackupError(
      `${entry.path} is ${copied === undefined ? 'missing from' : 'damaged in'} the backup`,
    );
  await chmod(target, entry.mode);
}

/** Deepest first: one of them may forbid entering it. */
async function setModes(folder: string, entries: Entry[]): Promise<void> {
  for (const entry of entries.toReversed())
    if (entry.type === 'folder') await chmod(join(folder, entry.path), entry.mode);
}

/** Stays in the format of the release that wrote it, which can then work on it again; closing it leaves one file. */
async function settleRecords(
  folder: string,
  { dataDir: before }: Manifest,
  dataDir: string,
): Promise<string[]> {
  const database = openDatabase(folder, 'keep');
  try {
    const records = sqliteRecords(database);
    releaseAll(database);
    await freeAllTables(records);
    if (before !== dataDir) await moveRecords(records, before, dataDir);
    return await findMissing(records, dataDir);
  } finally {
    database.close();
  }
}

async function findMissing(records: Records, dataDir: string): Promise<string[]> {
  const missing: string[] = [];
  for await (const { rootPath } of workspaces.all(records, { partition: 'WORKSPACE' })) {
    const isThere =
      rootPath.startsWith(`${dataDir}/`) ||
      (await access(rootPath).then(
        () => true,
        () => false,
      ));
    if (!isThere) missing.push(rootPath);
  }
  return missing;
}
