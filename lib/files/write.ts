import type { Stats } from 'node:fs';
import { link, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import {
  confine,
  confineEntry,
  isInside,
  openInside,
  realRootOf,
  splitNewPath,
  splitPath,
  withParent,
} from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { hashOfFile, sha256 } from '../paths/hash.ts';
import { withPathLock, withPathLocks } from '../paths/path-lock.ts';
import { removeTree } from '../paths/remove-tree.ts';
import { replaceEntry } from '../paths/replace-file.ts';
import { moveAside } from '../paths/stale-temp-files.ts';
import { besides } from '../paths/temp-name.ts';
import type { Entry, WrittenFile } from './schema.ts';

/** Replaces or makes a file; parents are made. Throws Conflict when `expectedHash` is not the file's hash now. */
export async function writeWhole(
  root: string,
  path: string,
  bytes: Uint8Array,
  expectedHash?: string | null,
): Promise<WrittenFile> {
  const location = await confineFile(root, path);
  return withPathLock(location, async () => {
    if (expectedHash !== undefined) await checkHash(root, path, expectedHash);
    const [hash, mtime] = [await sha256(bytes), await replaceFile(root, location, bytes)];
    return { path: splitPath(path).join('/'), size: bytes.length, modifiedAt: mtime.toISOString(), hash };
  });
}

/** Moves a stream's bytes into a file, which is there whole or not at all. */
export async function writeStream(root: string, path: string, body: Readable): Promise<string[]> {
  const location = await confineFile(root, path);
  await withPathLock(location, () => replaceFile(root, location, body));
  return touchedPaths(root, path);
}

/** A path as the index knows it, which follows no links: the entry's real place and, of a link, that of its target. */
export async function touchedPaths(root: string, path: string): Promise<string[]> {
  const realRoot = await realRootOf(root);
  const own = (await confineEntry(root, path)).slice(realRoot.length + 1);
  const real = (await confine(root, path).catch(() => join(realRoot, own))).slice(realRoot.length + 1);
  return [...new Set([own, real])];
}

/** For what is written as a file. Throws InvalidInput when a directory is there. */
export async function refuseDirectory(location: string): Promise<void> {
  const found = await lstat(location).catch(() => undefined);
  if (found?.isDirectory()) throw new InvalidInput('invalid_value', 'path: is a directory');
}

export async function confineFile(root: string, path: string): Promise<string> {
  if (splitNewPath(path).length === 0 || path.endsWith('/'))
    throw new InvalidInput('invalid_value', 'path: must name a file');
  return confine(root, path);
}

async function checkHash(root: string, path: string, expected: string | null): Promise<void> {
  const actual = await hashNow(root, path);
  if (actual === expected) return;
  throw new Conflict('conflict', 'expectedHash: the file has changed since (or is not there); read it again');
}

async function hashNow(root: string, path: string): Promise<string | null> {
  const location = await confine(root, path);
  if ((await lstat(location).catch(() => null)) === null) return null;
  const handle = await openInside(root, path);
  try {
    return await hashOfFile(handle);
  } finally {
    await handle.close();
  }
}

/** Writes beside the target, flushes, and renames over it; an existing file keeps its mode. Answers the time of change. */
async function replaceFile(root: string, location: string, body: Uint8Array | Readable): Promise<Date> {
  return withParent(root, location, (entry) => replaceEntry(entry, body), { make: true });
}

/** Removes a file, a link (never what it leads to), or a directory with all in it; it disappears in one step. */
export async function remove(root: string, path: string): Promise<void> {
  const location = await confineEntry(root, path);
  if (location === (await realRootOf(root)))
    throw new InvalidInput('invalid_value', 'path: the workspace itself stays');
  await withPathLock(location, () => withParent(root, location, removeEntry)).catch(fileError);
}

async function removeEntry(entry: string): Promise<void> {
  const aside = besides(entry);
  await rename(entry, aside);
  try {
    await removeTree(aside);
  } catch (error) {
    await rename(aside, entry).catch(() => {}); // what could not be removed stays in sight
    throw error;
  }
}

/** Throws Conflict when the target exists and may not be overwritten. Answers the entry at its new place. */
export async function move(
  root: string,
  oldPath: string,
  newPath: string,
  overwrite: boolean,
): Promise<{ entry: Entry; touched: string[] }> {
  const source = await inField('oldPath', confineEntry(root, oldPath));
  const target = await inField('newPath', confineNewEntry(root, newPath));
  const realRoot = await realRootOf(root);
  checkMove(realRoot, source, target);
  await inField('oldPath', lstat(source).catch(fileError));
  if (source !== target) {
    await withPathLocks([source, target], () =>
      withParent(root, source, (from) =>
        withParent(root, target, (to) => (overwrite ? moveOver(from, to) : moveNew(from, to)), {
          make: true,
        }),
      ),
    ).catch(fileError);
  }
  const touched = [source, target].map((place) => place.slice(realRoot.length + 1));
  return { entry: await describe(realRoot, target), touched };
}

async function confineNewEntry(root: string, path: string): Promise<string> {
  splitNewPath(path);
  return confineEntry(root, path);
}

/** Refuses to move the workspace itself, a thing into itself, or a thing over a folder that holds it. */
function checkMove(realRoot: string, source: string, target: string): void {
  if (source === realRoot) throw new InvalidInput('invalid_value', 'oldPath: the workspace itself stays');
  if (target === realRoot) throw new InvalidInput('invalid_value', 'newPath: the workspace itself stays');
  if (source === target) return;
  if (isInside(source, target)) throw new InvalidInput('invalid_value', 'newPath: lies inside what is moved');
  if (isInside(target, source)) throw new InvalidInput('invalid_value', 'newPath: holds what is moved');
}

/** The contract wants the field that is wrong, and confine knows only `path`. */
async function inField<Result>(field: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    const text = error instanceof Error ? error.message.replace(/^path:/, `${field}:`) : '';
    if (error instanceof InvalidInput) throw new InvalidInput('invalid_value', text);
    if (error instanceof NotFound) throw new NotFound('not_found', text);
    throw error;
  });
}

/** For files the file system itself refuses to replace; a directory is looked for first, under this thread's lock. */
async function moveNew(source: string, target: string): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) throw targetExists();
  if ((await lstat(source)).isDirectory()) return rename(source, target);
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
  return new Conflict('conflict', 'newPath: exists already (overwrite: true replaces it)');
}

/** A directory that is replaced goes aside first, for rename refuses to step on a full one; and comes back if that fails. */
async function moveOver(source: string, target: string): Promise<void> {
  const [moved, replaced] = [await lstat(source), await lstat(target).catch(() => undefined)];
  if (replaced !== undefined && replaced.isDirectory() !== moved.isDirectory()) {
    throw new Conflict('conflict', 'newPath: a directory and a file do not replace each other');
  }
  // Two names of one file (a move cut short between link and unlink): rename would do nothing at all.
  if (replaced?.ino === moved.ino && replaced.dev === moved.dev) return unlink(source);
  if (!replaced?.isDirectory()) return rename(source, target);
  const aside = await moveAside(target);
  try {
    await rename(source, target);
  } catch (error) {
    await aside.putBack();
    throw error;
  }
  await aside.remove();
}

/** Makes a directory with its parents; answers whether it was new. Throws Conflict when a file is in the way. */
export async function makeDirectory(root: string, path: string): Promise<{ created: boolean; entry: Entry }> {
  splitNewPath(path);
  const location = await confine(root, path).catch(fileInTheWay);
  const realRoot = await realRootOf(root);
  // The root itself has no entry to be made: its parent lies outside.
  const created =
    location !== realRoot &&
    (await withParent(root, location, makeEntry, { make: true }).catch(fileInTheWay));
  return { created, entry: await describe(realRoot, location) };
}

async function makeEntry(entry: string): Promise<boolean> {
  try {
    await mkdir(entry);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return fileError(error);
  }
  if (!(await lstat(entry)).isDirectory()) throw new Conflict('conflict', 'path: a file is in the way');
  return false;
}

/** A part of the path that is a file: for reading there is nothing there, for making something is in the way. */
function fileInTheWay(error: unknown): never {
  if (error instanceof NotFound && error.message.includes('not a directory'))
    throw new Conflict('conflict', 'path: a file is in the way');
  return fileError(error);
}

async function describe(realRoot: string, location: string): Promise<Entry> {
  const found = await lookAt(realRoot, location);
  return {
    name: basename(location),
    path: location.slice(realRoot.length + 1),
    type: found.isDirectory() ? 'directory' : 'file',
    size: found.isDirectory() ? 0 : found.size,
    modifiedAt: found.mtime.toISOString(),
  };
}

async function lookAt(realRoot: string, location: string): Promise<Stats> {
  if (location === realRoot) return lstat(location).catch(fileError);
  return withParent(realRoot, location, (entry) => lstat(entry)).catch(fileError);
}

/**
 * Where an upload goes: `path` names the file, or a directory (empty, ends in `/`, or exists as one), and then the last
 * part of the client's own file name is added. Throws InvalidInput when that is no name.
 */
export async function uploadTarget(root: string, path: string, clientName?: string): Promise<string> {
  if (path !== '' && !path.endsWith('/') && !(await isDirectory(root, path))) return path;
  const name = clientName?.split(/[/\\]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..')
    throw new InvalidInput('invalid_value', 'file: has no usable name; give it in path');
  return [...splitPath(path), name].join('/');
}

async function isDirectory(root: string, path: string): Promise<boolean> {
  const found = await lstat(await confine(root, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
