import {
  access,
  chmod,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  statfs,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { checkForeignFile } from '../../lib/adapters/sqlite/foreign-file.ts';
import { releaseAll } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { DATASETS, datasets } from '../../lib/datasets/schema.ts';
import { freeAllTables } from '../../lib/indexing/commit/only-writer.ts';
import { hasCode, noneIfMissing } from '../../lib/paths/file-errors.ts';
import { flush } from '../../lib/paths/flush.ts';
import type { Records } from '../../lib/ports/records.ts';
import { newClaim, ROOTS, rootClaims, type Workspace, workspaces } from '../../lib/workspaces/schema.ts';
import { makeAside } from './aside.ts';
import { copyFile } from './copy-file.ts';
import { leadsOut } from './leads-out.ts';
import {
  BackupError,
  DATA,
  DATABASE,
  type Entry,
  type Manifest,
  notRegular,
  readManifest,
  sumOf,
} from './manifest.ts';

interface Wish {
  /** The folder of the backup. */
  from: string;
  /** The folder to create; it must not exist, or must be empty. */
  dataDir: string;
  signal: AbortSignal;
  tell(path: string): void;
}

export interface Restored {
  dataDir: string;
  files: number;
  bytes: number;
  /** Workspace folders outside the data folder that don't exist on this host. */
  missing: string[];
  /** Links that the service would follow out of the data folder, and entries that the backup lacks. */
  leftOut: Manifest['leftOut'];
}

/**
 * Creates a data folder from a backup and checks every file against its hash; afterwards the folder is complete or
 * doesn't exist. Never touches an existing folder, in use or not. Workspaces in the data folder move along with it if
 * it was elsewhere before.
 */
export async function restoreBackup({ from, dataDir, signal, tell }: Wish): Promise<Restored> {
  const manifest = await readManifest(from);
  await requireAbsent(dataDir);
  const aside = await makeAside(dataDir);
  try {
    await requireRoom(aside, manifest.entries);
    await requireFolder(join(from, DATA));
    const leftOut = [...manifest.leftOut];
    for (const entry of manifest.entries) {
      signal.throwIfAborted();
      tell(entry.path);
      const reason = entry.type === 'link' ? leadsOut(entry) : undefined;
      if (reason !== undefined) leftOut.push({ path: entry.path, reason });
      else await restoreEntry(join(from, DATA), aside, entry, signal).catch(notRestored(entry));
    }
    const place = join(await realpath(dirname(dataDir)), basename(dataDir));
    const missing = await settleRecords(aside, manifest, place);
    await setModes(aside, manifest.entries);
    await rename(aside, dataDir).catch(notMoved(dataDir));
    await flush(dirname(dataDir));
    return { dataDir, ...sumOf(manifest.entries), missing, leftOut };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

export type CheckedBackup = Pick<Manifest, 'madeAt' | 'release'> & ReturnType<typeof sumOf>;

/**
 * Makes the same checks as a restore, and refuses the same backups, but writes nothing. Throws BackupError.
 */
export async function checkBackup({ from, signal, tell }: Omit<Wish, 'dataDir'>): Promise<CheckedBackup> {
  const { madeAt, release, entries } = await readManifest(from);
  const folder = join(from, DATA);
  await requireFolder(folder);
  for (const entry of entries) {
    signal.throwIfAborted();
    tell(entry.path);
    if (entry.type === 'folder') await requireFolder(join(folder, entry.path));
    if (entry.type === 'file') await copyEntry(folder, undefined, entry, signal).catch(notRestored(entry));
  }
  requireOwnRecords(folder);
  return { madeAt, release, ...sumOf(entries) };
}

async function requireAbsent(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(noFolder);
  if (names?.length === 0) return;
  throw new BackupError(
    `${dataDir} already exists and was not changed. Stop the service that uses it and move it away, or set DATA_DIR to another folder.`,
  );
}

/** Returns an empty list for a missing folder, and undefined if the path is a file. */
function noFolder(error: unknown): string[] | undefined {
  if (hasCode(error, 'ENOTDIR')) return undefined;
  return noneIfMissing(error) ?? [];
}

/** Throws if the disk is too full, before hours of copying. Sizes in a manifest may be wrong. */
async function requireRoom(folder: string, entries: Entry[]): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [sumOf(entries).bytes, bavail * bsize];
  if (needed <= free) return;
  const [need, has] = [needed, free].map((bytes) => (bytes / 1e6).toFixed(1));
  throw new BackupError(
    `the backup needs ${need} MB, and ${dirname(folder)} has ${has} MB free. Free some space, or name a folder on another disk with DATA_DIR.`,
  );
}

/** Rejects a link in place of a folder. A missing folder is fine, because some archives drop empty folders. */
async function requireFolder(place: string): Promise<void> {
  const stats = await lstat(place).catch(noneIfMissing);
  if (stats?.isDirectory() === false) throw new BackupError(`${place} isn't a folder. Use another backup.`);
}

/** Names the entry that the file system rejects because its name is too long, or exists in another case (EEXIST). */
function notRestored({ path }: Entry): (error: unknown) => never {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException;
    if (hasCode(error, 'ELOOP', 'ENXIO')) throw notRegular(path);
    if (error instanceof BackupError || typeof code !== 'string') throw error;
    throw new BackupError(`${path} could not be restored (${code}). Check the target folder and its disk.`);
  };
}

/** Another process was faster, or the folder is a link or a mount point and can't be replaced. */
function notMoved(dataDir: string): (error: NodeJS.ErrnoException) => Promise<never> {
  return async ({ code }) => {
    await requireAbsent(dataDir);
    throw new BackupError(
      `${dataDir} could not be created (${code}). If it is a link or a mounted disk, set DATA_DIR to a folder inside it.`,
    );
  };
}

async function restoreEntry(from: string, to: string, entry: Entry, signal: AbortSignal): Promise<void> {
  const target = join(to, entry.path);
  if (entry.type === 'folder') {
    await requireFolder(join(from, entry.path));
    return void (await mkdir(target, { mode: 0o700 }));
  }
  if (entry.type === 'link') return symlink(entry.target, target);
  await copyEntry(from, target, entry, signal);
  await chmod(target, entry.mode & 0o777);
}

async function copyEntry(
  from: string,
  to: string | undefined,
  entry: Extract<Entry, { type: 'file' }>,
  signal: AbortSignal,
): Promise<void> {
  const source = join(from, entry.path);
  const copied = await copyFile(source, to, signal, entry.size).catch(missing(entry));
  if (copied?.sha256 !== entry.sha256)
    throw new BackupError(`${entry.path} is damaged in the backup. Use another backup.`);
}

function missing({ path }: Entry): (error: unknown) => never {
  return (error) => {
    if (hasCode(error, 'ENOENT'))
      throw new BackupError(`${path} is missing from the backup. Use another backup.`);
    throw error;
  };
}

/** Deepest first, because a mode may forbid entering the folder. */
async function setModes(folder: string, entries: Entry[]): Promise<void> {
  for (const entry of entries.toReversed())
    if (entry.type === 'folder') await chmod(join(folder, entry.path), entry.mode & 0o3777);
}

/**
 * Keeps the records' format, so that the release that wrote them can use them again. Closing them leaves one
 * file.
 */
async function settleRecords(
  folder: string,
  { dataDir: before }: Manifest,
  dataDir: string,
): Promise<string[]> {
  requireOwnRecords(folder);
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

function requireOwnRecords(folder: string): void {
  try {
    checkForeignFile(join(folder, DATABASE));
  } catch (error) {
    throw new BackupError(
      `${DATABASE} in the backup can't be used, because ${(error as Error).message}. Use another backup, or the release that made it.`,
    );
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

/**
 * Updates the records that contain paths in the data folder. Bot chats also name their directory; at the next message
 * they report that it doesn't exist, and must be bound again.
 */
async function moveRecords(records: Records, before: string, after: string): Promise<void> {
  const move = (path: string) => (path.startsWith(`${before}/`) ? after + path.slice(before.length) : path);
  for (const claim of await Array.fromAsync(rootClaims.all(records, { partition: ROOTS }))) {
    if (move(claim.rootPath) === claim.rootPath) continue;
    await rootClaims.delete(records, claim);
    await rootClaims.put(records, { ...newClaim(moved(claim.workspace)), state: claim.state });
  }
  for (const workspace of await Array.fromAsync(workspaces.all(records, { partition: 'WORKSPACE' })))
    await workspaces.put(records, moved(workspace));
  for (const dataset of await Array.fromAsync(datasets.all(records, { partition: DATASETS })))
    await datasets.put(records, { ...dataset, localPath: move(dataset.localPath) });

  function moved(workspace: Workspace): Workspace {
    return { ...workspace, rootPath: move(workspace.rootPath) };
  }
}
