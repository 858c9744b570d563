import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { InvalidInput } from '../errors.ts';
import { fileError } from './file-errors.ts';
import { flush } from './flush.ts';
import { besides } from './temp-name.ts';

type Body = Uint8Array | Readable | AsyncIterable<Uint8Array>;

interface WriteOptions {
  /** The mode; by default determined by the process's umask. */
  mode?: number | undefined;
  /** The modification time to set; by default now. */
  modifiedAt?: Date | undefined;
  /** Called when the bytes are on the disk, right before the rename. If it throws, everything stays unchanged. */
  beforeRename?(): Promise<void>;
}

/**
 * Writes a new file, flushes it, and renames it to its target, on the same file system, so that a reader, or
 * a start after a crash, sees either the old bytes or the new ones. Returns the modification time.
 */
export async function writeThenRename(
  temporary: string,
  target: string,
  body: Body,
  { mode, modifiedAt, beforeRename }: WriteOptions = {},
): Promise<Date> {
  const mtime = await makeThenRename(temporary, target, async () => {
    const written = await writeNew(temporary, body, mode, modifiedAt);
    await beforeRename?.();
    return written;
  });
  await flush(directoryOf(target));
  return mtime;
}

/**
 * Creates an entry in a temporary place, and renames it to its target. If either step fails, the temporary
 * place is empty again.
 */
export async function makeThenRename<Made>(
  temporary: string,
  target: string,
  make: (place: string) => Promise<Made>,
): Promise<Made> {
  try {
    const made = await make(temporary);
    await rename(temporary, target);
    return made;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

export interface ReplaceOptions {
  /**
   * Called when the bytes are next to their target, right before the rename. If it throws, everything stays unchanged.
   */
  check?(existing: Stats | undefined): Promise<void>;
  /** Returns the new mode; by default the mode of the replaced file. */
  modeFor?(existing: Stats | undefined): number | undefined;
  /** The modification time to set; by default now. */
  modifiedAt?: Date;
}

/** Like writeThenRename, next to the entry; an existing file keeps its mode. `entry` is a path from withParent. */
export async function replaceEntry(
  entry: string,
  body: Body,
  { check, modeFor = modeOf, modifiedAt }: ReplaceOptions = {},
): Promise<Date> {
  const existing = await lookAt(entry);
  const beforeRename = async () => {
    await check?.(await lookAt(entry));
  };
  const options = { mode: modeFor(existing), modifiedAt, beforeRename };
  return writeThenRename(besides(entry), entry, body, options).catch(fileError);
}

function modeOf(existing: Stats | undefined): number | undefined {
  return existing && existing.mode & 0o777;
}

async function lookAt(entry: string): Promise<Stats | undefined> {
  const existing = await lstat(entry).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) {
    if (existing.isDirectory())
      throw new InvalidInput('is_a_directory', 'path is a directory.', { field: 'path' });
    throw new InvalidInput('not_a_file', "path isn't a regular file.", { field: 'path' });
  }
  return existing;
}

/** Returns the directory. dirname() would fail for `/proc/self/fd/N/..`. */
function directoryOf(entry: string): string {
  return `${entry.slice(0, entry.lastIndexOf('/'))}/`;
}

/**
 * Writes a file. It is private until it has the mode of the replaced file, so that the bytes never have more
 * readers than before.
 */
async function writeNew(
  file: string,
  body: Body,
  mode: number | undefined,
  modifiedAt: Date | undefined,
): Promise<Date> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using handle = await open(file, flags, mode === undefined ? 0o666 : 0o600);
  // handle.createWriteStream isn't used: with autoClose off, it keeps the handle, so that close() waits
  // forever.
  await writeFile(handle, body);
  if (mode !== undefined) await handle.chmod(mode);
  if (modifiedAt !== undefined) await handle.utimes(modifiedAt, modifiedAt);
  await handle.sync();
  return (await handle.stat()).mtime;
}
