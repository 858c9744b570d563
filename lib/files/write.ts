import { constants } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Conflict, InvalidInput } from '../errors.ts';
import { confine, confineEntry, isInside, openInside, splitPath } from './confine.ts';
import { fileError } from './file-errors.ts';
import { sha256 } from './hash.ts';
import { withPathLock } from './path-lock.ts';
import type { Entry, Written } from './schema.ts';
import { tempName } from './temp-name.ts';

/** Replaces or makes a file; parents are made. Throws Conflict when `expectedHash` is not the file's hash now. */
export async function writeWhole(
  root: string,
  path: string,
  bytes: Uint8Array,
  expectedHash?: string | null,
): Promise<Written> {
  const location = await confineFile(root, path);
  return withPathLock(location, async () => {
    if (expectedHash !== undefined) await checkHash(root, path, expectedHash);
    await replaceFile(root, location, Readable.from([bytes]));
    const { mtime } = await lstat(location).catch(fileError);
    const hash = await sha256(bytes);
    return { path: splitPath(path).join('/'), size: bytes.length, modifiedAt: mtime.toISOString(), hash };
  });
}

/** Moves a stream's bytes into a file, which is there whole or not at all. */
export async function writeStream(root: string, path: string, body: Readable): Promise<void> {
  const location = await confineFile(root, path);
  await withPathLock(location, () => replaceFile(root, location, body));
}

async function confineFile(root: string, path: string): Promise<string> {
  if (splitPath(path).length === 0 || path.endsWith('/')) throw new InvalidInput('path: must name a file');
  return confine(root, path);
}

async function checkHash(root: string, path: string, expected: string | null): Promise<void> {
  const actual = await hashNow(root, path);
  if (actual === expected) return;
  throw new Conflict('expectedHash: the file has changed since (or is not there); read it again');
}

async function hashNow(root: string, path: string): Promise<string | null> {
  const location = await confine(root, path);
  if ((await lstat(location).catch(() => null)) === null) return null;
  const handle = await openInside(root, path);
  try {
    return await sha256(await readFile(handle));
  } finally {
    await handle.close();
  }
}

/** Writes beside the target, flushes, and renames over it; an existing file keeps its mode. */
async function replaceFile(root: string, location: string, body: Readable): Promise<void> {
  const directory = dirname(location);
  await mkdir(directory, { recursive: true }).catch(fileError);
  const existing = await lstat(location).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) {
    throw new InvalidInput(existing.isDirectory() ? 'path: is a directory' : 'path: not a regular file');
  }
  const temporary = join(directory, tempName());
  try {
    await writeNew(root, temporary, body);
    if (existing !== undefined) await chmod(temporary, existing.mode & 0o7777);
    await rename(temporary, location);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    fileError(error);
  }
}

/** A parent that became a link after the check would lead the new file outside: its real place is looked at. */
async function writeNew(root: string, file: string, body: Readable): Promise<void> {
  const handle = await open(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
  );
  try {
    const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(file));
    if (!isInside(await realpath(root), real)) throw new InvalidInput('path: leads outside the workspace');
    await pipeline(body, handle.createWriteStream({ autoClose: false, flush: false }));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a file, a link (never what it leads to), or a directory with all in it; it disappears in one step. */
export async function remove(root: string, path: string): Promise<void> {
  const location = await confineEntry(root, path);
  if (location === (await realpath(root).catch(fileError)))
    throw new InvalidInput('path: the workspace itself stays');
  const aside = join(dirname(location), tempName());
  await withPathLock(location, () => rename(location, aside)).catch(fileError);
  await rm(aside, { recursive: true, force: true }).catch(fileError);
}

/** Throws Conflict when the target exists and may not be overwritten. Answers the entry at its new place. */
export async function move(
  root: string,
  oldPath: string,
  newPath: string,
  overwrite: boolean,
): Promise<Entry> {
  const source = await confineEntry(root, oldPath);
  const target = await confineEntry(root, newPath);
  const realRoot = await realpath(root).catch(fileError);
  if (source === realRoot || target === realRoot) throw new InvalidInput('path: the workspace itself stays');
  const found = await lstat(source).catch(fileError);
  if (isInside(source, dirname(target))) throw new InvalidInput('newPath: lies inside what is moved');
  await mkdir(dirname(target), { recursive: true }).catch(fileError);
  if (source !== target) {
    await withPathLock(target, () =>
      overwrite
        ? moveOver(source, target, found.isDirectory())
        : moveNew(source, target, found.isDirectory()),
    ).catch(fileError);
  }
  return describe(realRoot, target);
}

/** For files the file system itself refuses to replace; a directory is looked for first, under this process's lock. */
async function moveNew(source: string, target: string, isDirectory: boolean): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) throw targetExists();
  if (isDirectory) return rename(source, target);
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw targetExists();
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return rename(source, target); // no hard links here
    throw error;
  }
  await unlink(source);
}

function targetExists(): Conflict {
  return new Conflict('newPath: exists already (overwrite: true replaces it)');
}

/** A directory that is replaced goes aside first, for rename refuses to step on a full one. */
async function moveOver(source: string, target: string, isDirectory: boolean): Promise<void> {
  const replaced = await lstat(target).catch(() => undefined);
  if (replaced !== undefined && replaced.isDirectory() !== isDirectory) {
    throw new Conflict('newPath: a directory and a file do not replace each other');
  }
  if (!replaced?.isDirectory()) return rename(source, target);
  const aside = join(dirname(target), tempName());
  await rename(target, aside);
  await rename(source, target);
  await rm(aside, { recursive: true, force: true });
}

/** Makes a directory with its parents; answers whether it was new. Throws Conflict when a file is in the way. */
export async function makeDirectory(root: string, path: string): Promise<{ created: boolean; entry: Entry }> {
  const location = await confine(root, path);
  const first = await mkdir(location, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR' || error.code === 'EEXIST') throw new Conflict('path: a file is in the way');
    return fileError(error);
  });
  const entry = await describe(await realpath(root).catch(fileError), location);
  if (entry.type === 'file') throw new Conflict('path: a file is in the way');
  return { created: first !== undefined, entry };
}

async function describe(realRoot: string, location: string): Promise<Entry> {
  const found = await lstat(location).catch(fileError);
  return {
    name: basename(location),
    path: location.slice(realRoot.length + 1),
    type: found.isDirectory() ? 'directory' : 'file',
    size: found.isDirectory() ? 0 : found.size,
    modifiedAt: found.mtime.toISOString(),
  };
}

/**
 * Where an upload goes: `path` names the file, or a directory (empty, ends in `/`, or exists as one), and then the last
 * part of the client's own file name is added. Throws InvalidInput when that is no name.
 */
export async function uploadTarget(root: string, path: string, clientName: string): Promise<string> {
  if (path !== '' && !path.endsWith('/') && !(await isDirectory(root, path))) return path;
  const name = clientName.split(/[/\\]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..')
    throw new InvalidInput('file: has no usable name; give it in path');
  return [...splitPath(path), name].join('/');
}

async function isDirectory(root: string, path: string): Promise<boolean> {
  const found = await lstat(await confine(root, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
