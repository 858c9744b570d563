import {
  access,
  chmod,
  copyFile as copyBytes,
  link,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { readConfig } from '../../lib/config.ts';
import { asOnlyWriter } from '../../lib/indexing/commit/only-writer.ts';
import { isInside } from '../../lib/paths/confine.ts';
import { hasCode, noneIfMissing } from '../../lib/paths/file-errors.ts';
import { flush } from '../../lib/paths/flush.ts';
import { systemClock, timestamp } from '../../lib/ports/clock.ts';
import type { TimedRecords } from '../../lib/ports/timed-records.ts';
import { LAST_BACKUP, noteBackup } from '../../lib/system/last-backup.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { ADDRESS_FILE } from '../local/address-file.ts';
import { makeAside } from './aside.ts';
import { copyFile } from './copy-file.ts';
import { type Copying, copyTree } from './copy-tree.ts';
import { BackupError, DATA, DATABASE, type Manifest, sumOf, writeManifest } from './manifest.ts';

const VECTORS = 'vectors';
/** Inside the data folder: hard links to the index files of one moment. */
const MOMENT = '.backup';
/** Inside the data folder: backups from before a change of its format. */
export const BEFORE_UPGRADE = 'before-upgrade';
/** Entries that aren't copied with the rest: copied separately, owned by this process, or left by a killed writer. */
const LEFT = new RegExp(
  `^(${DATABASE}.*|${VECTORS}|\\${LAST_BACKUP}.*|${ADDRESS_FILE}|wrs\\.log|service\\.lock.*|${BEFORE_UPGRADE}|\\.unfinished|\\.reserve|objects/\\.unfinished|\\.\\.backup\\.unfinished-.*|secrets\\.json\\..*\\.tmp)$`,
);

interface Wish {
  dataDir: string;
  /** The folder to create; it must not exist. */
  target: string;
  signal: AbortSignal;
  tell(path: string): void;
}

export interface Backup {
  folder: string;
  files: number;
  bytes: number;
  /** Workspaces whose files are outside the data folder. */
  outside: string[];
  leftOut: Manifest['leftOut'];
}

/**
 * Copies the data folder while services keep working on it. Afterwards `target` is complete or doesn't exist. Records
 * and index are from the same moment, because tables aren't written in the meantime. Files, objects, and secrets are
 * each complete and read after that moment, so nothing that the records refer to is missing, except for what was
 * removed since, which a sync finds.
 */
export async function backUp({ dataDir: named, target, signal, tell }: Wish): Promise<Backup> {
  const dataDir = await realpath(named).catch(() => named);
  const config = readConfig({ ...process.env, DATA_DIR: dataDir });
  if (config.aws !== undefined)
    throw new BackupError(
      'The data is stored in AWS, which has its own backups. See docs/operate/backup-and-restore.md.',
    );
  await requirePlaces(dataDir, target);
  openDatabase(dataDir, 'keep'); // a backup changes nothing
  const records = await openRecords(config);
  const aside = await makeAside(target);
  try {
    requireOutside(dataDir, await realpath(aside), target);
    const data = join(aside, DATA);
    await mkdir(data, { mode: 0o700 });
    const copying: Copying = { to: data, entries: [], leftOut: [], signal, tell };
    await copyMoment({ records, clock: systemClock }, dataDir, copying);
    await copyTree(dataDir, '', { ...copying, isLeft: (path) => LEFT.test(path) });
    await writeManifest(aside, manifestOf(dataDir, copying));
    await rename(aside, target).catch(alreadyThere(target));
    await flush(dirname(target));
    await noteBackup(dataDir, timestamp(systemClock));
    const outside = await findOutside({ records, clock: systemClock }, dataDir);
    return { folder: target, ...sumOf(copying.entries), outside, leftOut: copying.leftOut };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * Backs up a data folder that no service uses. Doesn't open its records, so they may have any release's
 * format.
 */
export async function backUpAtRest({ dataDir, target, signal, tell }: Wish): Promise<void> {
  const aside = await makeAside(target);
  try {
    const data = join(aside, DATA);
    await mkdir(data, { mode: 0o700 });
    const copying: Copying = { to: data, entries: [], leftOut: [], signal, tell };
    await copyRecords(dataDir, copying);
    const isLeft = (path: string) => path !== VECTORS && LEFT.test(path);
    await copyTree(dataDir, '', { ...copying, isLeft });
    await writeManifest(aside, manifestOf(dataDir, copying));
    await rename(aside, target).catch(alreadyThere(target));
    await flush(dirname(target));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function requirePlaces(dataDir: string, target: string): Promise<void> {
  await access(join(dataDir, DATABASE)).catch(() => {
    throw new BackupError(`${dataDir} isn't a data folder. Set DATA_DIR to another folder.`);
  });
  requireOutside(dataDir, target, target);
  await access(target).then(alreadyThere(target), () => {});
}

function requireOutside(dataDir: string, place: string, target: string): void {
  if (isInside(dataDir, place))
    throw new BackupError(
      `${target} is in the data folder, so the next backup would contain this one. Choose another folder.`,
    );
}

function alreadyThere(target: string): (error?: unknown) => never {
  return (error) => {
    const { code } = (error ?? { code: 'EEXIST' }) as NodeJS.ErrnoException;
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(code ?? '')) throw error;
    throw new BackupError(`${target} already exists. Choose a new folder.`);
  };
}

/**
 * Copies records and index from the same moment. LanceDB's files never change, so a hard link to each keeps that
 * moment's version of a table, whatever is committed or removed later. Writers wait for the links, not for the copy.
 */
async function copyMoment(ports: TimedRecords, dataDir: string, copying: Copying): Promise<void> {
  const moment = await makeAside(join(dataDir, MOMENT));
  try {
    const ids = await foldersOf(join(dataDir, VECTORS));
    await asOnlyWriterOfAll(ports, ids, async () => {
      await copyRecords(dataDir, copying);
      await linkTree(join(dataDir, VECTORS), join(moment, VECTORS));
    });
    await copyTree(moment, '', copying);
  } finally {
    await rm(moment, { recursive: true, force: true });
  }
}

async function foldersOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort();
}

async function asOnlyWriterOfAll(
  ports: TimedRecords,
  ids: string[],
  work: () => Promise<void>,
): Promise<void> {
  const [workspaceId, ...rest] = ids;
  if (workspaceId === undefined) return work();
  await asOnlyWriter(ports, { workspaceId, goesFirst: true }, () => asOnlyWriterOfAll(ports, rest, work));
}

/** Uses SQLite's own backup in one step, because a copy in several steps restarts with each write. */
async function copyRecords(dataDir: string, { to, entries, signal, tell }: Copying): Promise<void> {
  tell(DATABASE);
  const source = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true, timeout: 10_000 });
  const copy = join(to, '..', DATABASE);
  try {
    await copyDatabase(source, copy, { rate: 2 ** 31 - 1 });
  } finally {
    source.close();
  }
  await chmod(copy, 0o600);
  const copied = await copyFile(copy, join(to, DATABASE), signal);
  await rm(copy);
  if (copied !== undefined) entries.push({ type: 'file', path: DATABASE, ...copied });
}

function manifestOf(dataDir: string, { entries, leftOut }: Copying): Manifest {
  const { version: release } = packageFile;
  return { version: 1, madeAt: timestamp(systemClock), release, dataDir, entries, leftOut };
}

async function findOutside({ records }: TimedRecords, dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { rootPath } of workspaces.all(records, { partition: 'WORKSPACE' }))
    if (!isInside(dataDir, rootPath)) found.push(rootPath);
  return found;
}

/** Hard-links every file of a folder, for files that are only created and removed. Copies where links aren't possible. */
async function linkTree(from: string, to: string): Promise<void> {
  // Undefined if the folder was removed since it was listed, together with its workspace.
  const entries = (await readdir(from, { withFileTypes: true }).catch(noneIfMissing)) ?? [];
  await mkdir(to, { mode: 0o700 });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else await link(source, target).catch((error) => copyInstead(error, source, target));
  }
}

async function copyInstead(error: unknown, source: string, target: string): Promise<void> {
  if (hasCode(error, 'ENOENT')) return;
  if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV')) throw error;
  await copyBytes(source, target);
}
