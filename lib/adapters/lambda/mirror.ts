import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../paths/remove-tree.ts';
import { BROUGHT } from './brought-limits.ts';
import { broughtSchema, type FileChange, type ListedEntry } from './command-message.ts';
import { type PackPart, readPack } from './pack.ts';

/**
 * A copy of a workspace's files where its commands run. The copy remains after a command, so that the next
 * one copies only changes. Commands may have written any part of it, but it contains no other workspace's
 * files. Operations on files are synchronous, because nothing else runs here, and asynchronous ones cost ten
 * times as much.
 */
export interface Mirror {
  /** The absolute real path at which commands see the copy. */
  root: string;
  /** Makes the copy match the list. Returns the indexes of files that must be supplied first. */
  conform(entries: ListedEntry[]): Promise<number[]>;
  /**
   * Stores the supplied files, and updates the list to the states that were read. Returns the indexes of
   * files that no longer exist.
   */
  fill(entries: ListedEntry[], pack: AsyncIterable<Uint8Array>): Promise<number[]>;
  /**
   * Yields each change since the last match, with the file's bytes; the list then contains it. Removals come
   * after additions, because a removed entry may have been renamed. Changes in `readOnly` are undone at the
   * next match. Throws TooManyFiles.
   */
  changes(readOnly: string[]): Generator<Seen>;
  /** Removes all files. */
  empty(): Promise<void>;
}

const MAX_PATH_BYTES = 3500;

/** A change. `isLost` means that a command wrote bytes that exist nowhere else. */
interface Seen {
  change: FileChange;
  bytes?: Buffer;
  isLost?: boolean;
}

/** A command left more files than allowed. */
export class TooManyFiles extends Error {}

interface Held extends Pick<ListedEntry, 'kind' | 'size' | 'mtimeMs' | 'executable' | 'target'> {
  /**
   * The version in the workspace. Undefined for an entry that a command created or changed, because its
   * version in the workspace isn't known yet.
   */
  version: string | undefined;
  hash: string;
  /** The entry's state here when it was last checked. */
  local: string;
}

export function openMirror(root: string): Mirror {
  let held = new Map<string, Held>();
  /** Paths that can't be represented. They are never removed. */
  let knownHidden = new Set<string>();
  const at = (path: string) => join(root, path);
  return {
    root,
    async conform(entries) {
      const wanted = new Map(entries.map((entry) => [entry.path, entry]));
      for (const [path, one] of deepestFirst(held)) {
        if (isSame(one, wanted.get(path))) continue;
        await removeTree(at(path));
        held.delete(path);
      }
      return entries.flatMap((entry, index) => (place(at(entry.path), entry, held) ? [] : [index]));
    },
    async fill(entries, pack) {
      const gone: number[] = [];
      for await (const part of readPack(pack, { parts: BROUGHT.entries, bytes: BROUGHT.fileBytes }))
        gone.push(...fillOne(part, entries, held, at));
      return gone;
    },
    *changes(readOnly) {
      const [now, hidden] = lookThrough(root);
      const before = held;
      held = new Map();
      for (const path of hidden)
        yield {
          change: { kind: 'leftOut', path, why: "its path can't be used" },
          isLost: !knownHidden.has(path),
        };
      knownHidden = new Set(hidden);
      const isBrought = (path: string) =>
        readOnly.some((folder) => path === folder || path.startsWith(`${folder}/`));
      const tell = function* (path: string, stats: Stats): Generator<Seen> {
        const found = { before: before.get(path), stats, held };
        if (found.before?.local === localOf(stats)) held.set(path, found.before);
        else if (isBrought(path)) yield* broughtChange(path, found);
        else yield* changeOf(path, at(path), found);
      };
      yield* inOrder(now, [...removals(before, now, isBrought)], replacedIn(before, now), tell);
    },
    async empty() {
      held = new Map();
      knownHidden = new Set();
      makeRoot(root);
      for (const name of namesIn(root)) await removeTree(at(name));
    },
  };
}

/** Sorts each folder after its contents. */
function deepestFirst<Value>(all: Map<string, Value>): [string, Value][] {
  return [...all].sort(([a], [b]) => b.length - a.length);
}

/** Returns whether the existing entry may stay in place of the list's `entry`. Its bytes may still be old. */
function isSame(one: Held, entry: ListedEntry | undefined): boolean {
  return entry !== undefined && one.kind === entry.kind && one.target === entry.target;
}

/** Returns whether the entry is in place; creates missing folders and links immediately. */
function place(location: string, entry: ListedEntry, held: Map<string, Held>): boolean {
  const one = held.get(entry.path);
  if (one !== undefined) return adopt(one, entry);
  if (entry.kind === 'file') return false;
  if (entry.kind === 'folder') mkdirSync(location, { recursive: true });
  else symlinkSync(entry.target ?? '', location);
  held.set(entry.path, { ...entry, hash: '', local: localOf(lstatSync(location)) });
  return true;
}

/**
 * Compares a file with the list by its version. A file that a command changed here has no version yet; it
 * matches if the workspace's file has the same size and time in milliseconds.
 */
function adopt(one: Held, { kind, version, size, mtimeMs, executable }: ListedEntry): boolean {
  const isOurs =
    one.version === undefined &&
    one.size === size &&
    one.mtimeMs === mtimeMs &&
    one.executable === executable;
  if (kind === 'file' && one.version !== version && !isOurs) return false;
  one.version = version;
  return true;
}

function fillOne(
  part: PackPart,
  entries: ListedEntry[],
  held: Map<string, Held>,
  at: (path: string) => string,
): number[] {
  const { index, entry } = broughtSchema.parse(part.head);
  const path = entries[index]?.path;
  if (path === undefined) throw new RangeError('The file is not in the list.');
  rmSync(at(path), { force: true });
  held.delete(path);
  if (entry === undefined) return [index];
  entries[index] = { ...entry, path };
  writeFileSync(at(path), part.bytes, { flag: 'wx' });
  chmodSync(at(path), entry.executable ? 0o755 : 0o644);
  utimesSync(at(path), entry.mtimeMs / 1000, entry.mtimeMs / 1000);
  held.set(path, { ...entry, hash: hashOf(part.bytes), local: localOf(lstatSync(at(path))) });
  return [];
}

/** Returns all entries in the folder, folders before their contents, and the unreadable paths. */
function lookThrough(root: string): [Map<string, Stats>, string[]] {
  const found = new Map<string, Stats>();
  const hidden: string[] = [];
  const folders = [''];
  makeRoot(root);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const name of namesIn(join(root, folder))) {
      const stats = lookAt(root, prefix + name);
      if (stats === undefined) hidden.push((prefix + name).slice(0, 200));
      else found.set(prefix + name, stats);
      if (stats?.isDirectory()) folders.push(prefix + name);
    }
    if (found.size + hidden.length > BROUGHT.entriesAfter) throw new TooManyFiles();
  }
  return [found, hidden];
}

/** Returns undefined for an entry that can't be transferred, because its name isn't Unicode or its path is too long. */
function lookAt(root: string, path: string): Stats | undefined {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  return lstatSync(join(root, path), { throwIfNoEntry: false });
}

/** Creates the root again if a command removed it or replaced it with a link. */
function makeRoot(root: string): void {
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) return;
  rmSync(root, { force: true });
  mkdirSync(root);
}

/** Reads a folder even if a command removed its read permission. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    chmodSync(folder, 0o700);
    return readdirSync(folder);
  }
}

function* removals(
  before: Map<string, Held>,
  now: Map<string, Stats>,
  isBrought: (path: string) => boolean,
): Generator<{ change: FileChange }> {
  for (const [path, { kind, version }] of deepestFirst(before)) {
    const stats = now.get(path);
    if (isBrought(path) || (stats !== undefined && kindOf(stats) === kind)) continue;
    if (kind === 'folder') yield { change: { kind: 'removedFolder', path } };
    else if (version !== undefined) yield { change: { kind: 'removed', path, base: version } };
  }
}

/** Yields additions first, then removals. Where an entry changed its kind, the removal comes first. */
function* inOrder(
  now: Map<string, Stats>,
  gone: Seen[],
  isReplaced: (path: string) => boolean,
  tell: (path: string, stats: Stats) => Generator<Seen>,
): Generator<Seen> {
  for (const [path, stats] of now) if (!isReplaced(path)) yield* tell(path, stats);
  yield* gone.filter(({ change }) => isReplaced(change.path));
  for (const [path, stats] of now) if (isReplaced(path)) yield* tell(path, stats);
  yield* gone.filter(({ change }) => !isReplaced(change.path));
}

/** Returns whether an entry, or a parent, changed its kind, so that the old one must be removed first. */
function replacedIn(before: Map<string, Held>, now: Map<string, Stats>): (path: string) => boolean {
  const replaced = new Set<string>();
  for (const [path, { kind }] of before) {
    const stats = now.get(path);
    if (stats !== undefined && kindOf(stats) !== kind) replaced.add(path);
  }
  return (path) => {
    if (replaced.size === 0) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (replaced.has(path.slice(0, end))) return true;
    return false;
  };
}

/** Yields a change at a read-only path, because a command may have moved a file of the workspace there. */
function* broughtChange(path: string, { before, stats, held }: Found): Generator<Seen> {
  held.set(path, unknown(stats));
  if (!stats.isFile()) return;
  const isLost = before?.kind !== 'file' || before.size !== stats.size;
  yield { change: { kind: 'leftOut', path, why: 'is in a linked dataset, which is read-only' }, isLost };
}

interface Found {
  before: Held | undefined;
  stats: Stats;
  held: Map<string, Held>;
}

function* changeOf(path: string, location: string, seen: Found): Generator<Seen> {
  const kind = kindOf(seen.stats);
  const before = seen.before?.kind === kind ? seen.before : undefined;
  if (kind === 'file') yield* fileChange(path, location, { ...seen, before });
  else if (kind === 'folder') yield* folderChange(path, { ...seen, before });
  else if (kind === 'link') yield* linkChange(path, readlinkSync(location), { ...seen, before });
  else yield { change: { kind: 'leftOut', path, why: 'is not a file, folder, or link' } };
}

function* folderChange(path: string, { before, stats, held }: Found): Generator<{ change: FileChange }> {
  held.set(path, { ...unknown(stats), version: before?.version });
  if (before === undefined) yield { change: { kind: 'folder', path } };
}

function* linkChange(
  path: string,
  target: string,
  { before, stats, held }: Found,
): Generator<{ change: FileChange }> {
  const isKnown = before?.target === target;
  held.set(path, { ...unknown(stats), target, version: isKnown ? before.version : undefined });
  if (!isKnown) yield { change: { kind: 'link', path, base: before?.version ?? null, target } };
}

function* fileChange(path: string, location: string, { before, stats, held }: Found): Generator<Seen> {
  const one = unknown(stats);
  held.set(path, one);
  if (stats.size > BROUGHT.fileBytes) {
    const why = `over ${BROUGHT.fileBytes / 1024 / 1024} MB`;
    yield { change: { kind: 'leftOut', path, why }, isLost: true };
    return;
  }
  const bytes = readBytes(location, stats);
  one.local = localOf(lstatSync(location));
  one.hash = hashOf(bytes);
  const { mtimeMs, executable } = one;
  const base = before?.version ?? null;
  if (before === undefined || base === null || before.hash !== one.hash)
    yield { change: { kind: 'file', path, base, hash: one.hash, executable, mtimeMs }, bytes };
  else if (before.mtimeMs !== mtimeMs || before.executable !== executable)
    yield { change: { kind: 'touched', path, base, executable, mtimeMs } };
  else one.version = base;
}

function readBytes(location: string, { mode }: Stats): Buffer {
  if ((mode & 0o400) === 0) chmodSync(location, mode | 0o400);
  return readFileSync(location);
}

function unknown(stats: Stats): Held {
  return {
    kind: kindOf(stats) ?? 'file',
    version: undefined,
    size: stats.isFile() ? stats.size : 0,
    mtimeMs: Math.round(stats.mtimeMs),
    executable: stats.isFile() && (stats.mode & 0o100) !== 0,
    hash: '',
    local: localOf(stats),
  };
}

function kindOf(stats: Stats): ListedEntry['kind'] | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : undefined;
}

/**
 * Returns an entry's local state. For a folder, it's the identity alone, because a folder's times change with
 * its contents.
 */
function localOf(stats: Stats): string {
  const { ino, mode, size, mtimeMs, ctimeMs } = stats;
  return stats.isDirectory() ? `folder ${ino}` : [ino, mode, size, mtimeMs, ctimeMs].join(':');
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
