import type { Stats } from 'node:fs';
import { mkdir, open, readFile, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { shareThread } from '../../async/share-thread.ts';
import { log } from '../../log.ts';
import { childOf, entryFolder, entryName } from '../../paths/entry-path.ts';
import { noneIfMissing } from '../../paths/file-errors.ts';
import { Copies, DamagedCopy, type Pack } from './copies.ts';
import { type EntryState, entryStateSchema, type FileEntry } from './entry-state.ts';
import { KEPT_LIMITS } from './kept-limits.ts';

const REMOVED_AT_ONCE = 16;
/** Lines that replace others until the file is written again. */
const MAX_STALE_LINES = 20_000;

const lineSchema = z.tuple([z.string(), entryStateSchema]);

/** An entry of a folder, with the numbers of a file's version: to compare them with a stat makes no objects. */
export interface Known {
  state: EntryState;
  ino: number;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** What a workspace had at the last look: a line for each path, of several the last counts, and a copy of each file. */
export class TreeList {
  readonly copies: Copies;
  readonly #folder: string;
  readonly #folders = new Map<string, Map<string, Known>>();
  /** By folder: versions of the entries that have no usable name. Not stored. */
  #unnamed = new Map<string, string>();
  #paths = 0;
  #bytes = 0;
  #smallBytes = 0;
  #staleLines = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    this.copies = new Copies(join(folder, 'copies'));
  }

  /** Reads what the last process left. */
  static async open(folder: string): Promise<TreeList> {
    const manifest = new TreeList(folder);
    await mkdir(join(folder, 'running'), { recursive: true, mode: 0o700 });
    const text = await readFile(manifest.#file, 'utf8').catch(noneIfMissing);
    const share = shareThread();
    for (const line of text?.split('\n') ?? []) {
      manifest.#takeLine(line);
      await share();
    }
    const isThere = await manifest.copies.open(manifest.#copyNames());
    manifest.#forget((copy, size) => !isThere(copy, size));
    return manifest;
  }

  /** Has the next look copy files again whose copies are missing: after a partial restore, or a power cut. */
  #forget(isMissing: (copy: string, size: number) => boolean): void {
    let missing = 0;
    for (const [path, state] of [...this.#all()]) {
      if (state.kind !== 'file' || state.copy === undefined || !isMissing(state.copy, state.size)) continue;
      this.#take(path, withoutCopy(state));
      missing += 1;
    }
    if (missing > 0)
      log.warn('copies of a workspace for an undo are missing: they are made again', { missing });
  }

  get #file(): string {
    return join(this.#folder, 'manifest.jsonl');
  }

  /** Bytes of the files that have copies. */
  get bytes(): number {
    return this.#bytes;
  }

  get(path: string): EntryState | undefined {
    return this.#folders.get(entryFolder(path))?.get(entryName(path))?.state;
  }

  entriesOf(folder: string): Map<string, Known> | undefined {
    return this.#folders.get(folder);
  }

  /** Returns whether entries without usable names changed since the last look of this process. */
  renewUnnamed(found: Map<string, string>): boolean {
    const old = this.#unnamed;
    this.#unnamed = found;
    return old.size !== found.size || [...found].some(([folder, versions]) => old.get(folder) !== versions);
  }

  /** Bytes that copies may have now. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return Math.min(KEPT_LIMITS.bytes, this.#bytes + (bavail * bsize) / KEPT_LIMITS.freePart);
  }

  /** Replaces lines, and then removes the copies that they named. */
  async store(renewed: [string, EntryState][]): Promise<void> {
    const old = renewed.map(([path]) => copyOf(this.get(path))).filter((name) => name !== undefined);
    for (const [path, state] of renewed) this.#take(path, state);
    this.#staleLines += renewed.length;
    if (this.copies.isWasteful(this.#smallBytes)) await this.#packAgain();
    else if (this.#staleLines > MAX_STALE_LINES + this.#paths) await this.#writeAll();
    else await append(this.#file, renewed, 'a');
    await forEachConcurrent(old, REMOVED_AT_ONCE, (name) => this.copies.remove(name));
  }

  async #writeAll(): Promise<void> {
    await append(`${this.#file}.new`, [...this.#all()], 'w');
    await rename(`${this.#file}.new`, this.#file);
    this.#staleLines = 0;
  }

  /** A kill leaves either the old packs or the new one named. */
  async #packAgain(): Promise<void> {
    const pack = this.copies.startPack({ fresh: true });
    const share = shareThread();
    const moved: [string, EntryState][] = [];
    try {
      for (const [path, state] of this.#all()) {
        if (state.kind !== 'file' || state.copy === undefined || !this.copies.isSmall(state)) continue;
        moved.push([path, this.#packOne(pack, state, state.copy)]);
        await share();
      }
    } finally {
      if (!this.copies.endPack(pack)) moved.splice(0);
    }
    for (const [path, state] of moved) this.#take(path, state);
    await this.#writeAll();
    this.copies.removeOthers(this.#copyNames());
  }

  #packOne(pack: Pack, state: FileEntry, copy: string): FileEntry {
    try {
      return { ...state, copy: pack.addBytes(this.copies.read(copy, state.size)) };
    } catch (error) {
      if (error instanceof DamagedCopy) return withoutCopy(state);
      throw error;
    }
  }

  *#all(): Generator<[string, EntryState]> {
    for (const [folder, entries] of this.#folders)
      for (const [name, { state }] of entries) yield [childOf(folder, name), state];
  }

  *#copyNames(): Generator<string> {
    for (const [, state] of this.#all()) {
      const copy = copyOf(state);
      if (copy !== undefined) yield copy;
    }
  }

  #takeLine(line: string): void {
    if (line === '') return;
    try {
      this.#take(...lineSchema.parse(JSON.parse(line)));
    } catch {
      // A kill cut the line off: the next look finds the path changed.
    }
  }

  #take(path: string, state: EntryState): void {
    const [folder, name] = [entryFolder(path), entryName(path)];
    const entries = this.#folders.get(folder) ?? new Map<string, Known>();
    const old = entries.get(name);
    this.#count(old?.state, -1);
    this.#count(state, 1);
    this.#paths += (state.kind === 'none' ? 0 : 1) - (old === undefined ? 0 : 1);
    if (state.kind === 'none') entries.delete(name);
    else entries.set(name, knownOf(state));
    if (entries.size === 0) this.#folders.delete(folder);
    else this.#folders.set(folder, entries);
  }

  #count(state: EntryState | undefined, sign: 1 | -1): void {
    if (state?.kind !== 'file' || state.copy === undefined) return;
    this.#bytes += sign * state.size;
    if (this.copies.isSmall(state)) this.#smallBytes += sign * state.size;
  }
}

/** Nothing has an empty version, so that the next look finds the file changed. */
function withoutCopy(state: FileEntry): FileEntry {
  return { ...state, copy: undefined, version: '', why: 'unreadable' };
}

function knownOf(state: EntryState): Known {
  const version = state.kind === 'file' || state.kind === 'special' ? state.version : '';
  const [ino = -1, size = -1, mtimeMs = -1, ctimeMs = -1] =
    version === '' ? [] : version.split(':').map(Number);
  return { state, ino, size, mtimeMs, ctimeMs };
}

/** Whether nothing was written since then. A link's target is known to be the same after it was compared once. */
export function isSameEntry(known: Known, stats: Stats): boolean {
  const { state } = known;
  if (state.kind === 'folder') return stats.isDirectory() && state.mode === (stats.mode & 0o7777);
  const isSame =
    known.ino === stats.ino &&
    known.ctimeMs === stats.ctimeMs &&
    known.size === stats.size &&
    known.mtimeMs === stats.mtimeMs;
  if (state.kind === 'file') return isSame && stats.isFile() && state.mode === (stats.mode & 0o7777);
  if (state.kind === 'link') return isSame && stats.isSymbolicLink();
  return state.kind === 'special' && isSame && !stats.isFile() && !stats.isDirectory();
}

/** Remembers the numbers of a link. */
export function noteSame(known: Known, { ino, size, mtimeMs, ctimeMs }: Stats): void {
  Object.assign(known, { ino, size, mtimeMs, ctimeMs });
}

function copyOf(state: EntryState | undefined): string | undefined {
  return state?.kind === 'file' ? state.copy : undefined;
}

async function append(file: string, entries: [string, EntryState][], flags: 'a' | 'w'): Promise<void> {
  await using handle = await open(file, flags, 0o600);
  await handle.appendFile(entries.map((entry) => `\n${JSON.stringify(entry)}`).join(''));
  // A file that a power cut removed from here would count as made by the next command.
  await handle.sync();
}
