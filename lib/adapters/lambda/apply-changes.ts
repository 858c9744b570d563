import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Conflict, InvalidInput, NotFound, predicateOf, ServiceError } from '../../errors.ts';
import { confineEntry, splitNewPath, splitPath, withParent } from '../../paths/confine.ts';
import { entryFolder } from '../../paths/entry-path.ts';
import { fileError, hasCode, noneIfMissing } from '../../paths/file-errors.ts';
import { versionOf } from '../../paths/file-version.ts';
import { sha256 } from '../../paths/hash.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { makeThenRename, replaceEntry } from '../../paths/replace-file.ts';
import { besides } from '../../paths/temp-name.ts';
import type { ChangeKeeper } from '../../ports/commands.ts';
import { BROUGHT } from './brought-limits.ts';
import { changeSchema, type FileChange, isRemoval, KEPT } from './command-message.ts';
import { BrokenPack, type PackPart, readPack } from './pack.ts';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const AT_ONCE = 16;
const SMALL_BYTES = 1024 * 1024;

/**
 * Applies a command's changes to its workspace, each only if the workspace still has the version that the
 * command started from. An already applied change counts as applied, so a call can be repeated after a crash.
 * All input is untrusted, because the command's author controls it.
 */
export async function applyChanges(
  root: string,
  pack: AsyncIterable<Uint8Array>,
  readOnly: string[],
  keeper?: ChangeKeeper,
): Promise<Applied> {
  const applied: FileChange[] = [];
  const undone: { at: number; why: string }[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  let isLost = false;
  const note = (at: number, change: FileChange, why: string) => {
    isLost ||= change.kind === 'file';
    undone.push({ at, why: `${shown(change.path)} (${why})` });
  };
  const begin = (at: number, { change, bytes }: Arrived) => {
    if (isLost && isRemoval(change)) return note(at, change, KEPT);
    const one: Promise<void> = applyOne(root, { change, bytes }, readOnly, keeper)
      .then((why) => (why === undefined ? void applied.push(change) : note(at, change, why)))
      .catch((error: unknown) => failures.push(error))
      .then(() => void underWay.delete(one));
    underWay.add(one);
  };
  let before: Arrived | undefined;
  let count = 0;
  let isWhole = true;
  try {
    for await (const part of readPack(pack, { parts: BROUGHT.entriesAfter, bytes: BROUGHT.fileBytes })) {
      const arrived = { change: parseChange(part), bytes: part.bytes };
      if (!(before && areApart(before, arrived)) || underWay.size >= AT_ONCE) await Promise.all(underWay);
      begin(count++, arrived);
      before = arrived;
    }
  } catch (error) {
    if (!(error instanceof BrokenPack)) throw error;
    isWhole = false;
    undone.push({ at: count, why: `everything else (the data that came back is damaged: ${error.message})` });
  } finally {
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
  return {
    undone: undone.sort((one, other) => one.at - other.at).map(({ why }) => why),
    changed: isWhole ? outermost(applied) : undefined,
  };
}

export interface Applied {
  /** The changes that weren't applied, in order, each with the reason. */
  undone: string[];
  /**
   * The paths of the applied changes, in which a folder represents everything in it. Undefined if the pack
   * was damaged.
   */
  changed: string[] | undefined;
}

/** Returns the paths of the changes, except those inside folders that were created or removed. */
function outermost(changes: FileChange[]): string[] {
  const isFolder = ({ kind }: FileChange) => kind === 'folder' || kind === 'removedFolder';
  const folders = new Set(changes.filter(isFolder).map(({ path }) => path));
  const isIn = (path: string): boolean => {
    const folder = entryFolder(path);
    return folder !== '' && (folders.has(folder) || isIn(folder));
  };
  return [...new Set(changes.map(({ path }) => path))].filter((path) => !isIn(path));
}

interface Arrived {
  change: FileChange;
  bytes: Buffer;
}

/**
 * Returns whether two changes may be applied concurrently, which is safe only for new files. The changes of a
 * pack are ordered: a folder's contents are removed before the folder, and an entry is removed only after
 * every location to which it may have moved exists.
 */
function areApart(before: Arrived, { change, bytes }: Arrived): boolean {
  return (
    before.change.kind === 'file' &&
    change.kind === 'file' &&
    before.bytes.length + bytes.length <= SMALL_BYTES
  );
}

function parseChange({ head }: PackPart): FileChange {
  const parsed = changeSchema.safeParse(head);
  if (!parsed.success) throw new BrokenPack('a change has no known kind');
  return { ...parsed.data, path: normalized(parsed.data.path) };
}

/**
 * Returns the path for comparison with read-only folders, and for reports. An invalid path is rejected when it is
 * applied.
 */
function normalized(path: string): string {
  try {
    return splitPath(path).join('/');
  } catch (error) {
    if (error instanceof InvalidInput) return path;
    throw error;
  }
}

/** Removes control characters, because responses contain the path. */
function shown(path: string): string {
  return path === '' ? 'everything' : JSON.stringify(path.slice(0, 200)).slice(1, -1);
}

/** Applies one change. Returns why the change is impossible; undefined if it was made, now or earlier. */
async function applyOne(
  root: string,
  { change, bytes }: Arrived,
  readOnly: string[],
  keeper: ChangeKeeper | undefined,
): Promise<string | undefined> {
  if (change.kind === 'leftOut') return change.why;
  if (readOnly.some((folder) => `${change.path}/`.startsWith(`${folder}/`)))
    return 'is in a linked dataset, which is read-only';
  try {
    const location = await placeOf(root, change);
    const apply = () =>
      withPathLock(location, () =>
        withParent(root, location, (entry) => make(entry, change, bytes).catch(fileError), {
          make: makesParents(change),
        }),
      );
    await (keeper?.change(location.slice(root.length + 1), apply) ?? apply());
    return undefined;
  } catch (error) {
    // The entry was removed with its folder.
    if (error instanceof NotFound && !makesParents(change)) return undefined;
    if (error instanceof ServiceError) return predicateOf(error);
    throw error;
  }
}

function makesParents({ kind }: FileChange): boolean {
  return kind === 'file' || kind === 'link' || kind === 'folder';
}

/**
 * Returns the location of a change. No path of a pack may lead through a link, even inside the workspace, because the
 * command had a folder there.
 */
async function placeOf(root: string, change: FileChange): Promise<string> {
  const isNew = !('base' in change) || change.base === null;
  const segments = isNew ? splitNewPath(change.path) : splitPath(change.path);
  if (segments.length === 0)
    throw new InvalidInput('workspace_root_protected', 'path is the workspace itself, which stays.', {
      field: 'path',
    });
  const location = join(root, ...segments);
  if ((await confineEntry(root, segments.join('/'), { isExact: true })) !== location)
    throw new Conflict('changed_since_read', 'path is in a directory that was replaced by a link.', {
      field: 'path',
    });
  return location;
}

async function make(
  entry: string,
  change: Exclude<FileChange, { kind: 'leftOut' }>,
  bytes: Buffer,
): Promise<void> {
  if (change.kind === 'file') return makeFile(entry, change, bytes);
  if (change.kind === 'touched') return touch(entry, change);
  if (change.kind === 'link') return makeLink(entry, change);
  if (change.kind === 'folder') return makeFolder(entry);
  if (change.kind === 'removed') return removeFile(entry, change.base);
  return rmdir(entry).catch(noneIfMissing);
}

type Of<Kind extends FileChange['kind']> = Extract<FileChange, { kind: Kind }>;

async function makeFile(entry: string, change: Of<'file'>, bytes: Buffer): Promise<void> {
  const { base, hash, executable, mtimeMs } = change;
  if ((await sha256(bytes)) !== hash)
    throw new InvalidInput('invalid_value', 'path was damaged on the way back.', { field: 'path' });
  if (await holdsAlready(entry, change, bytes)) return;
  await replaceEntry(entry, bytes, {
    check: async (existing) => requireVersion(existing, base),
    modeFor: (existing) => modeOf(existing, executable),
    modifiedAt: timeOf(mtimeMs),
  });
}

/**
 * Returns the file's time as the command set it, limited to the range from 1970 until now. Programs compare
 * times.
 */
function timeOf(mtimeMs: number): Date {
  return new Date(Math.min(Math.max(mtimeMs, 0), Date.now()));
}

function modeOf(existing: Stats | undefined, executable: boolean): number {
  const mode = existing === undefined ? 0o644 : existing.mode & 0o777;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function requireVersion(found: Stats | undefined, base: string | null): void {
  if ((found === undefined ? null : versionOf(found)) === base) return;
  throw new Conflict('changed_since_read', 'path was changed by someone else in the meantime.', {
    field: 'path',
  });
}

/**
 * Returns whether the file already has these bytes, because of another writer or a killed process that
 * couldn't report its write. Otherwise, the file must be the version that the command started from. Opens the
 * file, because only then does NFS ask the server.
 */
async function holdsAlready(entry: string, { base }: Of<'file'>, bytes: Buffer): Promise<boolean> {
  await using handle = await open(entry, READ).catch(noneIfMissing);
  if (handle === undefined) return false;
  const stats = await handle.stat();
  if (stats.isFile() && stats.size === bytes.length && versionOf(stats) !== base)
    if ((await readAtMost(handle, bytes.length)).equals(bytes)) return true;
  requireVersion(stats, base);
  return false;
}

async function touch(entry: string, { base, executable, mtimeMs }: Of<'touched'>): Promise<void> {
  await using handle = await open(entry, READ);
  const stats = await handle.stat();
  if (!stats.isFile())
    throw new Conflict('changed_since_read', 'path was changed by someone else in the meantime.', {
      field: 'path',
    });
  const [time, mode] = [timeOf(mtimeMs), modeOf(stats, executable)];
  if (Math.round(stats.mtimeMs) === time.getTime() && (stats.mode & 0o777) === mode) return;
  requireVersion(stats, base);
  await handle.utimes(time, time);
  await handle.chmod(mode);
}

async function makeLink(entry: string, { path, base, target }: Of<'link'>): Promise<void> {
  if (!staysInside(path, target))
    throw new InvalidInput('path_outside_workspace', 'path is a link that leads out of the workspace.', {
      field: 'path',
    });
  if ((await readlink(entry).catch(() => undefined)) === target) return;
  requireVersion(await lstat(entry).catch(noneIfMissing), base);
  await makeThenRename(besides(entry), entry, (place) => symlink(target, place));
}

/**
 * Returns whether a link stays inside the workspace, even if its path leads through other links. It may go up
 * only at its start, from its own folder, and no further than the workspace.
 */
function staysInside(path: string, target: string): boolean {
  const steps = target.split('/');
  const up = steps.findIndex((step) => step !== '..' && step !== '.');
  const leading = steps.slice(0, up === -1 ? steps.length : up).filter((step) => step === '..');
  const later = up === -1 ? [] : steps.slice(up);
  return !target.startsWith('/') && !later.includes('..') && leading.length < splitPath(path).length;
}

async function makeFolder(entry: string): Promise<void> {
  await mkdir(entry).catch(async (error: unknown) => {
    const found = hasCode(error, 'EEXIST') ? await lstat(entry).catch(noneIfMissing) : undefined;
    if (!found?.isDirectory()) throw error;
  });
}

async function removeFile(entry: string, base: string): Promise<void> {
  const found = await lstat(entry).catch(noneIfMissing);
  if (found === undefined) return;
  requireVersion(found, base);
  await unlink(entry);
}
