import { open } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { hasCode } from '../../lib/paths/file-errors.ts';
import { flush } from '../../lib/paths/flush.ts';
import { readAtMost } from '../../lib/paths/read-at-most.ts';
import { READ } from './copy-file.ts';

/** A backup contains this file and, next to it, `data`, the copied data folder. */
const MANIFEST = 'manifest.json';
export const DATA = 'data';
/** The records, inside `data`. */
export const DATABASE = 'service.sqlite';
/** Files that SQLite opens with the records; an untrusted log could rewrite the records or remove other files. */
const OPENED = ['', '-wal', '-shm', '-journal'].map((end) => DATABASE + end);
/** Enough for about two million files. A string longer than 512 MB can't be read at once. */
const MAX_MANIFEST_BYTES = 400_000_000;

/** A backup or restore that isn't possible. Its message is for the person at the keyboard. */
export class BackupError extends ServiceError {
  constructor(message: string) {
    super('backup_refused', message);
  }
}

const mode = z.int().min(0).max(0o7777);
const path = z.string().min(1).refine(isPlain, "isn't a path inside a backup");
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('folder'), path, mode }),
  z.object({ type: z.literal('file'), path, mode, size: z.int().min(0), sha256: z.string() }),
  z.object({ type: z.literal('link'), path, target: z.string().regex(/^[^\0]+$/) }),
]);
export type Entry = z.infer<typeof entrySchema>;

const manifestSchema = z.object({
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The release of the service that made the backup. */
  release: z.string(),
  /** The original location of the data folder; workspaces in it move to the restored location. */
  dataDir: z.string().refine((folder) => isAbsolute(folder) && folder !== '/'),
  /** A folder comes before its entries. */
  entries: z.array(entrySchema).refine(areInFolders, "has an entry that isn't in a folder of the backup"),
  /** Entries that couldn't be read. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Rejects entries below a link, because a backup is untrusted and would write wherever its links lead. Rejects
 * duplicate paths, and a backup without the database as a regular file, because a restore opens and changes it.
 */
function areInFolders(entries: Entry[]): boolean {
  const [folders, known] = [new Set(['.']), new Set<string>()];
  const isEachGood = entries.every(({ type, path }) => {
    if (known.has(path)) return false;
    known.add(path);
    if (type === 'folder') folders.add(path);
    const isRecords = type === 'file' && path === DATABASE;
    return folders.has(dirname(path)) && (isRecords || !OPENED.includes(folded(path)));
  });
  return isEachGood && known.has(DATABASE);
}

/** Folds a path as case-insensitive file systems do when they compare names. */
function folded(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}

function isPlain(text: string): boolean {
  return (
    text.split('/').every((name) => name !== '' && name !== '.' && name !== '..') && !text.includes('\0')
  );
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, MANIFEST);
  await using handle = await open(file, 'wx', 0o600);
  await handle.writeFile(`${JSON.stringify(manifest)}\n`);
  await handle.sync();
  await flush(folder);
}

/**
 * Returns the manifest. Throws an explanation if it's missing or damaged, because only the manifest makes a folder a
 * backup.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(join(folder, MANIFEST));
  if (text === undefined)
    throw new BackupError(`${folder} isn't a complete backup: it has no ${MANIFEST}. Use another backup.`);
  const parsed = manifestSchema.safeParse(parse(text));
  if (!parsed.success)
    throw new BackupError(
      `${join(folder, MANIFEST)} is damaged or was written by another release. Use another backup, or that release.`,
    );
  return parsed.data;
}

async function readText(file: string): Promise<string | undefined> {
  await using handle = await open(file, READ).catch((error) => noFile(error, file));
  const stats = await handle?.stat();
  if (handle === undefined || stats === undefined) return undefined;
  if (!stats.isFile()) throw notRegular(file);
  if (stats.size > MAX_MANIFEST_BYTES) throw new BackupError(`${file} is too large. Use another backup.`);
  return (await readAtMost(handle, stats.size)).toString('utf8');
}

function noFile(error: unknown, file: string): undefined {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return;
  if (hasCode(error, 'ELOOP', 'ENXIO')) throw notRegular(file);
  throw error;
}

/** Returns the error for a link, FIFO, socket, or device in place of a file. */
export function notRegular(path: string): BackupError {
  return new BackupError(`${path} isn't a regular file. Use another backup.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sumOf(entries: Entry[]): { files: number; bytes: number } {
  const files = entries.filter((entry) => entry.type === 'file');
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}
