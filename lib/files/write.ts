import type { Stats } from 'node:fs';
import { link, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Conflict, InvalidInput, inField, NotFound } from '../errors.ts';
import {
  confine,
  confineEntry,
  isInside,
  openInside,
  realRootOf,
  splitNewPath,
  splitPath,
  storedPath,
  withParent,
} from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { hashOfFile, sha256 } from '../paths/hash.ts';
import { withPathLock, withPathLocks } from '../paths/path-lock.ts';
import { removeTree } from '../paths/remove-tree.ts';
import { replaceEntry } from '../paths/replace-file.ts';
import { moveAside } from '../paths/stale-temp-files.ts';
import { hasOtherForms } from '../paths/stored-name.ts';
import { besides } from '../paths/temp-name.ts';
import type { Entry, WrittenFile } from './schema.ts';

/** Replaces or creates a file, with its parents. Throws Conflict if `expectedHash` isn't the file's current hash. */
export async function writeWhole(
  root: string,
  path: string,
  bytes: Uint8Array,
  expectedHash?: string | null,
): Promise<WrittenFile> {
  return withFileLock(root, path, async (location) => {
    if (expectedHash !== undefined) await checkHash(root, path, expectedHash);
    const [hash, mtime] = [await sha256(bytes), await replaceFile(root, location, bytes)];
    const written = await storedPath(root, path);
    return { path: written, size: bytes.length, modifiedAt: mtime.toISOString(), hash };
  });
}

/** Writes a stream's bytes into a file, which appears atomically. */
export async function writeStream(root: string, path: string, body: Readable): Promise<string[]> {
  await withFileLock(root, path, (location) => replaceFile(root, location, body));
  return touchedPaths(root, path);
}

/**
 * Resolves the path again under the lock, because another writer may have created the file with another
 * Unicode form of its name.
 */
async function withFileLock<Result>(
  root: string,
  path: string,
  work: (location: string) => Promise<Result>,
): Promise<Result> {
  const location = await confineFile(root, path);
  return withPathLock(location, async () =>
    work(hasOtherForms(path) ? await confineFile(root, path) : location),
  );
}

/**
 * Returns a path as the index knows it, without following links: the entry's real path and, for a link, its target's
 * path.
 */
export async function touchedPaths(root: string, path: string): Promise<string[]> {
  const realRoot = await realRootOf(root);
  const own = (await confineEntry(root, path)).slice(realRoot.length + 1);
  const real = (await confine(root, path).catch(() => join(realRoot, own))).slice(realRoot.length + 1);
  return [...new Set([own, real])];
}

/** Throws InvalidInput if there is a directory where the file should be written. */
export async function refuseDirectory(location: string): Promise<void> {
  const found = await lstat(location).catch(() => undefined);
  if (found?.isDirectory())
    throw new InvalidInput('is_a_directory', 'path is a directory.', { field: 'path' });
}

export async function confineFile(root: string, path: string): Promise<string> {
  if (splitNewPath(path).length === 0 || path.endsWith('/'))
    throw new InvalidInput('not_a_file', 'path must name a file.', { field: 'path' });
  return confine(root, path);
}

async function checkHash(root: string, path: string, expected: string | null): Promise<void> {
  const actual = await hashNow(root, path);
  if (actual === expected) return;
  throw new Conflict(
    'changed_since_read',
    'expectedHash no longer matches: the file was changed or deleted since you read it. Read it again.',
    { field: 'expectedHash' },
  );
}

/** Returns the hash of a file's current bytes. Null if nothing is at the path. */
export async function hashNow(root: string, path: string): Promise<string | null> {
  const location = await confine(root, path);
  if ((await lstat(location).catch(() => null)) === null) return null;
  await using handle = await openInside(root, path);
  return await hashOfFile(handle);
}

/**
 * Writes next to the target, flushes, and renames over it. An existing file keeps its permissions. Returns
 * the modification time.
 */
async function replaceFile(root: string, location: string, body: Uint8Array | Readable): Promise<Date> {
  return withParent(root, location, (entry) => replaceEntry(entry, body), { make: true });
}

/** Removes a file, a link (never its target), or a directory with its contents. The entry disappears in one step. */
export async function remove(root: string, path: string): Promise<void> {
  const location = await confineEntry(root, path);
  if (location === (await realRootOf(root)))
    throw new InvalidInput(
      'workspace_root_protected',
      "path is the workspace itself, which can't be changed.",
      { field: 'path' },
    );
  await withPathLock(location, () => withParent(root, location, removeEntry)).catch(fileError);
}

async function removeEntry(entry: string): Promise<void> {
  const aside = besides(entry);
  await rename(entry, aside);
  try {
    await removeTree(aside);
  } catch (error) {
    await rename(aside, entry).catch(() => {}); // entries that couldn't be removed become visible again
    throw error;
  }
}

/**
 * Moves an entry, and returns it in its new location. Throws Conflict if the target exists and may not be
 * overwritten.
 */
export async function move(
  root: string,
  oldPath: string,
  newPath: string,
  overwrite: boolean,
): Promise<{ entry: Entry; touched: string[] }> {
  const source = await confineEntry(root, oldPath).catch(inField('oldPath'));
  const target = await confineNewEntry(root, newPath).catch(inField('newPath'));
  const realRoot = await realRootOf(root);
  checkMove(realRoot, source, target);
  await lstat(source).catch(fileError).catch(inField('oldPath'));
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

/** Throws for moving the workspace itself, an entry into itself, or an entry over a folder that contains it. */
function checkMove(realRoot: string, source: string, target: string): void {
  if (source === realRoot) throw workspaceItself('oldPath');
  if (target === realRoot) throw workspaceItself('newPath');
  if (source === target) return;
  if (isInside(source, target))
    throw new InvalidInput('invalid_path', 'newPath is inside the directory that is moved.', {
      field: 'newPath',
    });
  if (isInside(target, source))
    throw new InvalidInput('invalid_path', 'newPath contains the file or directory that is moved.', {
      field: 'newPath',
    });
}

function workspaceItself(field: string): InvalidInput {
  return new InvalidInput(
    'workspace_root_protected',
    `${field} is the workspace itself, which can't be changed.`,
    {
      field,
    },
  );
}

/**
 * Moves an entry to a new path. For a file, the file system itself refuses to replace another; for a
 * directory, this checks first, under this thread's lock.
 */
async function moveNew(source: string, target: string): Promise<void> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) throw targetExists();
  if ((await lstat(source)).isDirectory()) return rename(source, target);
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw targetExists();
    // No hard links here.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return rename(source, target);
    throw error;
  }
  await unlink(source);
}

function targetExists(): Conflict {
  return new Conflict('path_exists', 'newPath already exists. To replace it, send overwrite: true.', {
    field: 'newPath',
  });
}

/**
 * Replaces an entry. A directory in its place is moved aside first, because rename refuses to replace one
 * that isn't empty, and is restored if the move fails.
 */
async function moveOver(source: string, target: string): Promise<void> {
  const [moved, replaced] = [await lstat(source), await lstat(target).catch(() => undefined)];
  if (replaced !== undefined && replaced.isDirectory() !== moved.isDirectory()) {
    throw new Conflict(
      'path_exists',
      "newPath already exists, and a directory can't replace a file or the reverse.",
      { field: 'newPath' },
    );
  }
  // If both names belong to one file (a move interrupted between link and unlink), rename would do nothing.
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

/**
 * Creates a directory with its parents. Returns whether it is new. Throws Conflict if there is a file at its
 * path.
 */
export async function makeDirectory(root: string, path: string): Promise<{ created: boolean; entry: Entry }> {
  splitNewPath(path);
  const location = await confine(root, path).catch(fileInTheWay);
  const realRoot = await realRootOf(root);
  // The root itself is never created here, because its parent is outside.
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
  if (!(await lstat(entry)).isDirectory())
    throw new Conflict('path_exists', 'path has a file where a directory is needed.', { field: 'path' });
  return false;
}

/**
 * Throws if part of the path is a file. For reading, that means that nothing exists there; for creating, that
 * the file is in the way.
 */
function fileInTheWay(error: unknown): never {
  if (error instanceof NotFound && error.code === 'parent_not_a_directory')
    throw new Conflict('path_exists', 'path has a file where a directory is needed.', { field: 'path' });
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
 * Returns the target of an upload. `path` names the file, or a directory (empty, ends in `/`, or exists as
 * one), to which the last segment of the client's file name is added. Throws InvalidInput if that segment
 * isn't a valid name.
 */
export async function uploadTarget(root: string, path: string, clientName?: string): Promise<string> {
  if (path !== '' && !path.endsWith('/') && !(await isDirectory(root, path))) return path;
  const name = clientName?.split(/[/\\]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..')
    throw new InvalidInput('invalid_path', 'file has no usable name. Send the name in path.', {
      field: 'file',
    });
  return [...splitPath(path), name].join('/');
}

async function isDirectory(root: string, path: string): Promise<boolean> {
  const found = await lstat(await confine(root, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
