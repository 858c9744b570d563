import { constants, readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { InvalidInput } from '../errors.ts';
import { fileError, invalidPath, noneIfMissing } from './file-errors.ts';
import { refreshNames } from './refresh-names.ts';
import { hasOtherForms, storedName } from './stored-name.ts';
import { isTempName } from './temp-name.ts';

export const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;
/**
 * Maximum levels of a path. Each level costs system calls, so a path of 2,000 one-letter names would take a
 * second.
 */
export const MAX_DEPTH = 128;

export function outsideWorkspace(): InvalidInput {
  return new InvalidInput('path_outside_workspace', 'path leads outside the workspace.', { field: 'path' });
}

/**
 * Resolves a path inside a root to its real location (path traversal protection). If the path doesn't exist
 * yet, its deepest existing ancestor is resolved. Uses an entry whose name looks the same (`storedName`),
 * unless `isExact`. Throws InvalidInput for any path that is, or leads, outside.
 */
export async function confine(root: string, path: string, { isExact = false } = {}): Promise<string> {
  const segments = splitPath(path);
  const real = await resolveExisting(join(root, ...segments), { realRoot: root, isExact });
  await requireInside(root, real);
  return real;
}

/**
 * Throws for a real path outside a root. A path that starts with the root's own path shows that the root
 * contains no link, so the root is resolved only before a refusal.
 */
async function requireInside(root: string, real: string): Promise<void> {
  if (!isInside(root, real)) {
    await realRootOf(root);
    throw outsideWorkspace();
  }
}

/**
 * Returns the verified real path of the root. The path had no links at the start, but someone with access to
 * a parent folder could have added one since. Everything at its target would then count as inside.
 */
export async function realRootOf(root: string): Promise<string> {
  const real = await realpath(root).catch(fileError);
  if (real !== root)
    throw new InvalidInput(
      'path_outside_workspace',
      'path is invalid: the workspace directory was replaced by a link.',
      { field: 'path' },
    );
  return real;
}

/**
 * Resolves a path like confine, but doesn't follow a link at its end: rename and delete act on the link
 * itself.
 */
export async function confineEntry(root: string, path: string, { isExact = false } = {}): Promise<string> {
  const segments = splitPath(path);
  const name = segments.pop();
  if (name === undefined) return confine(root, '');
  const parent = await confine(root, segments.join('/'), { isExact });
  return join(parent, isExact ? name : await storedName(parent, name));
}

/**
 * Returns a path as its entry is stored. The caller may have sent another normalization form. Throws as
 * confineEntry.
 */
export async function storedPath(root: string, path: string): Promise<string> {
  const sent = splitPath(path).join('/');
  if (!hasOtherForms(sent)) return sent;
  const stored = (await confineEntry(root, path)).slice((await realRootOf(root)).length).replace(/^\//, '');
  // Otherwise the path leads through a link.
  return stored.normalize('NFC') === sent.normalize('NFC') ? stored : sent;
}

/**
 * Opens a file and then checks its real location, as protection against a symlink race (TOCTOU). Never waits
 * for the other end of a FIFO. Throws InvalidInput, NotFound, and the other errors of fileError.
 */
export async function openInside(
  root: string,
  path: string,
  flags = constants.O_RDONLY,
): Promise<FileHandle> {
  const location = await confine(root, path);
  const handle = await open(location, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(fileError);
  try {
    await checkOpened(handle, root, location);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkOpened(handle: FileHandle, root: string, location: string): Promise<void> {
  await requireInside(root, await locationOf(handle, location));
  if (!(await handle.stat()).isFile())
    throw new InvalidInput('not_a_file', "path isn't a regular file.", { field: 'path' });
}

/**
 * Returns an open file's location. Linux knows it without asking the file system, so this is synchronous:
 * waiting for another thread would take longer. On other systems, the path is resolved once more.
 */
async function locationOf(handle: FileHandle, location: string): Promise<string> {
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`);
  } catch {
    return realpath(location);
  }
}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Runs `work` on an entry of a directory that is held open, so that replacing a parent with a link after the
 * check has no effect. On Linux, the entry's path goes through the open directory; on other systems, through
 * its name.
 */
export async function withParent<Result>(
  root: string,
  location: string,
  work: (entry: string) => Promise<Result>,
  { make = false } = {},
): Promise<Result> {
  return withDirectory(root, dirname(location), (directory) => work(join(directory, basename(location))), {
    make,
  });
}

/** Does the same as withParent for the directory itself. */
export async function withDirectory<Result>(
  root: string,
  location: string,
  work: (directory: string) => Promise<Result>,
  { make = false } = {},
): Promise<Result> {
  await using handle = await openDirectory(root, location, make);
  await requireInside(root, await locationOf(handle, location));
  return await work(heldPath(handle, location));
}

/**
 * Does the same as withDirectory, for a directory whose parent is already held open. `entry` is a path from
 * one of these functions, plus a name. A link in its place is an error.
 */
export async function withHeld<Result>(
  entry: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  await using handle = await open(entry, DIRECTORY);
  return await work(heldPath(handle, entry));
}

/** Returns a path to an open directory that stays valid whatever happens to its name. */
function heldPath(handle: FileHandle, location: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : location;
}

async function openDirectory(root: string, location: string, make: boolean): Promise<FileHandle> {
  try {
    return await open(location, DIRECTORY);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!make || !missing || location === root) return fileError(error);
  }
  await withParent(root, location, makeOne, { make });
  return open(location, DIRECTORY).catch(fileError);
}

/** Creates a folder. If two callers create the same parent at once, both continue. */
async function makeOne(entry: string): Promise<void> {
  await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') fileError(error);
  });
}

export function isInside(realRoot: string, real: string): boolean {
  return real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

/**
 * Returns the segments of a relative path, without `.` and empty ones. Throws InvalidInput for invalid
 * characters. On these systems, a backslash is an ordinary character, but callers who send one mean a
 * separator, so it is rejected.
 */
export function splitPath(path: string): string[] {
  if (path.includes('\0')) throw invalidPath("path can't contain NUL.");
  if (path.startsWith('/')) throw invalidPath('path must be relative to the workspace.');
  if (path.includes('\\')) throw invalidPath('path must use / between its parts, not \\.');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw invalidPath(`path can have at most ${MAX_PATH_BYTES} bytes.`);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length > MAX_DEPTH) throw invalidPath(`path can have at most ${MAX_DEPTH} levels.`);
  for (const segment of segments) checkSegment(segment);
  return segments;
}

function checkSegment(segment: string): void {
  if (segment === '..') throw invalidPath("path can't contain '..'.");
  if (!segment.isWellFormed()) throw invalidPath('path contains an invalid Unicode character.');
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    throw invalidPath(`path has a name with more than ${MAX_SEGMENT_BYTES} bytes.`);
  }
}

/**
 * Returns the segments of a new path. An existing file can have any name; a new name can't contain control
 * characters or be one that is reserved for temporary files. Throws InvalidInput.
 */
export function splitNewPath(path: string): string[] {
  const segments = splitPath(path);
  for (const segment of segments) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\u0000-\u001f\u007f]/.test(segment)) throw invalidPath("path can't contain control characters.");
    if (isTempName(segment)) throw invalidPath('path has a name that is reserved for unfinished writes.');
  }
  return segments;
}

interface Resolving {
  realRoot: string;
  isExact: boolean;
}

/** Returns the real path of the deepest existing ancestor, followed by the rest. */
async function resolveExisting(path: string, resolving: Resolving): Promise<string> {
  const { realRoot, isExact } = resolving;
  const real = path === realRoot ? await realpath(path).catch(fileError) : await realpathIfThere(path);
  if (real !== undefined) return real;
  const parent = await resolveExisting(dirname(path), resolving);
  // NFS may have cached that the entry is missing.
  const isAsked = isInside(realRoot, parent) && (await refreshNames(parent).catch(fileError));
  const name = isAsked && !isExact ? await storedName(parent, basename(path)) : basename(path);
  const place = join(parent, name);
  const found = isAsked ? await realpathIfThere(place) : undefined;
  if (found !== undefined) return found;
  await refuseDanglingLink(path);
  return place;
}

async function realpathIfThere(path: string): Promise<string | undefined> {
  return realpath(path).catch(noneIfMissing).catch(fileError);
}

/** Throws for a dangling link, because its target, which would be created, could be anywhere. */
async function refuseDanglingLink(path: string): Promise<void> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) throw invalidPath('path is a link to something that does not exist.');
}
