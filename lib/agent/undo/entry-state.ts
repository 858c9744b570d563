import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { Conflict, NotFound, ServiceError } from '../../errors.ts';
import { withParent } from '../../paths/confine.ts';
import { entryFolder } from '../../paths/entry-path.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { versionOf } from '../../paths/file-version.ts';
import { hashOfFile } from '../../paths/hash.ts';

/** The current or earlier state of a path. */
export const entryStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('file'),
    mode: z.int(),
    size: z.number(),
    mtimeMs: z.number(),
    /** Changes whenever any program writes the file (versionOf). */
    version: z.string(),
    hash: z.string().optional(),
    /** The name of the copy with the file's contents, which have this hash. */
    copy: z.string().optional(),
  }),
  z.object({ kind: z.literal('link'), target: z.string(), version: z.string() }),
  z.object({ kind: z.literal('folder'), mode: z.int() }),
  /** A pipe, a socket, or a device: it can be removed but not restored. */
  z.object({ kind: z.literal('special'), version: z.string() }),
  /** Unknown, or reached through a link. It is never stored, and never changed. */
  z.object({ kind: z.literal('other') }),
]);
export type EntryState = z.infer<typeof entryStateSchema>;
export type PathState = [path: string, state: EntryState];
export type FileEntry = Extract<EntryState, { kind: 'file' }>;
export type CopiedFile = FileEntry & { copy: string };

export const NONE: EntryState = { kind: 'none' };
export const UNKNOWN: EntryState = { kind: 'other' };
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function hasCopy(state: EntryState | undefined): state is CopiedFile {
  return state?.kind === 'file' && state.copy !== undefined;
}

export function withoutCopy(state: EntryState): EntryState {
  return state.kind === 'file' ? { ...state, copy: undefined } : state;
}

/** Returns the inode, which stays the same when a file is moved. */
export function inodeOf({ version }: FileEntry): string {
  return version.slice(0, version.indexOf(':'));
}

/** Returns when an entry was last changed in any way; undefined if it doesn't exist. */
export async function changedAt(root: string, path: string): Promise<number | undefined> {
  return atEntry(root, path, async (entry) => (await lstat(entry)).ctimeMs).catch(() => undefined);
}

/** Converts a stat. For a link, also reads its target. */
export async function entryStateOf(entry: string, stats: Stats | undefined): Promise<EntryState> {
  if (stats === undefined) return NONE;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: 'folder', mode };
  const version = versionOf(stats);
  if (stats.isSymbolicLink()) return { kind: 'link', target: await readlink(entry), version };
  if (!stats.isFile()) return { kind: 'special', version };
  return { kind: 'file', mode, size: stats.size, mtimeMs: stats.mtimeMs, version };
}

/**
 * Runs work on an entry while its folder is held open. Throws Conflict if the path leads through a link, out
 * of the workspace or to another place in it, and NotFound if the folder is missing.
 */
export async function atEntry<Result>(
  root: string,
  path: string,
  work: (entry: string) => Promise<Result>,
  { make = false } = {},
): Promise<Result> {
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..') || path.includes('\0'))
    throw new Conflict('changed_since_read', 'path is no longer in the workspace.', { field: 'path' });
  const location = join(root, path);
  const inPlace = async (entry: string) => {
    if ((await realpath(entryFolder(entry))) === dirname(location)) return work(entry);
    throw new Conflict('changed_since_read', 'path is in a directory that was replaced by a link.', {
      field: 'path',
    });
  };
  return withParent(root, location, inPlace, { make });
}

/** Returns the current state of the path. */
export async function lookAt(root: string, path: string): Promise<EntryState> {
  try {
    return await atEntry(root, path, async (entry) => entryStateOf(entry, await statOf(entry)));
  } catch (error) {
    if (error instanceof NotFound) return NONE;
    if (error instanceof ServiceError) return { kind: 'other' };
    throw error;
  }
}

export async function statOf(entry: string): Promise<Stats | undefined> {
  return lstat(entry).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
}

export async function hashAt(place: string): Promise<string | undefined> {
  try {
    await using handle = await open(place, READ);
    return (await handle.stat()).isFile() ? await hashOfFile(handle) : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'ELOOP', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Returns whether the entry has not been written in between. */
export function isSameVersion(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'file' && other.kind === 'file')
    return one.version === other.version && one.mode === other.mode;
  return isSameKind(one, other);
}

/** Returns whether both states are the same, except for the contents of a file. */
export function isSameKind(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'file' && other.kind === 'file') return one.size === other.size && one.mode === other.mode;
  if (one.kind === 'folder' && other.kind === 'folder') return one.mode === other.mode;
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'special' && other.kind === 'special') return one.version === other.version;
  return one.kind === other.kind && one.kind !== 'other';
}
