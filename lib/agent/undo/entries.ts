import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { shareThread } from '../../async/share-thread.ts';
import { log } from '../../log.ts';
import { entryFolder, entryName } from '../../paths/entry-path.ts';
import { Changing, CopyWriter, copyPlace, DamagedCopy } from './copies.ts';
import {
  atEntry,
  type CopiedFile,
  type EntryState,
  entryStateSchema,
  type FileEntry,
  hasCopy,
  type PathState,
} from './entry-state.ts';
import { readLines, writeLines } from './json-lines.ts';
import { KEPT_LIMITS } from './kept-space.ts';

/**
 * Copies and lines are rewritten when this many bytes, and half of all bytes, are unused, or when there are
 * this many files of copies.
 */
const MAX_UNUSED = 32 * 1024 * 1024;
const MAX_UNUSED_LINES = 20_000;
const MAX_FILES = 1000;

const lineSchema = z.tuple([z.string(), entryStateSchema]);

type FoundFile = [path: string, found: FileEntry];

/**
 * The state of a workspace at the latest look: lines with the state of each path, the last of which counts,
 * and a copy of each file.
 */
export class Entries {
  /** The versions of the entries whose names aren't usable. Not stored. */
  unnamed = '';
  readonly copies: string;
  readonly #file: string;
  readonly #states = new Map<string, EntryState>();
  /** The total size in bytes of all files that have copies. */
  #bytes = 0;
  #writtenBytes = 0;
  #writtenLines = 0;
  #files = 0;

  private constructor(folder: string) {
    this.#file = join(folder, 'entries.jsonl');
    this.copies = join(folder, 'copies');
  }

  /** Reads the state that the last process left. */
  static async open(folder: string): Promise<Entries> {
    const entries = new Entries(folder);
    await mkdir(entries.copies, { recursive: true, mode: 0o700 });
    await readLines(entries.#file, lineSchema, (line) => entries.#take(...line));
    await entries.#sweep();
    return entries;
  }

  get(path: string): EntryState | undefined {
    return this.#states.get(path);
  }

  paths(): Iterable<string> {
    return this.#states.keys();
  }

  /**
   * Copies the files among changed entries. If there isn't room for all, copies the smallest, because people
   * write small files.
   */
  async copy(root: string, changed: Map<string, EntryState>): Promise<PathState[]> {
    const copied = new Map(changed);
    const writer = new CopyWriter(this.copies);
    let isWhole = false;
    try {
      for (const files of Map.groupBy(await this.#fitting(changed), ([path]) => entryFolder(path)).values())
        await copyFolder(root, writer, files, copied);
    } finally {
      isWhole = await writer.close();
    }
    return isWhole ? [...copied] : [...changed];
  }

  async #fitting(changed: Map<string, EntryState>): Promise<FoundFile[]> {
    let left = (await this.#room()) - this.#bytes;
    const files: FoundFile[] = [];
    for (const [path, state] of changed) {
      const old = this.get(path);
      if (hasCopy(old)) left += old.size;
      if (state.kind === 'file' && state.size <= KEPT_LIMITS.fileBytes) files.push([path, state]);
    }
    files.sort(([, one], [, other]) => one.size - other.size);
    return files.filter(([, { size }]) => {
      left -= size;
      return left >= 0;
    });
  }

  async #room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.copies);
    return Math.min(KEPT_LIMITS.bytes, this.#bytes + (bavail * bsize) / KEPT_LIMITS.freePart);
  }

  async store(renewed: PathState[]): Promise<void> {
    for (const entry of renewed) this.#take(...entry);
    await writeLines(this.#file, renewed);
    const written = renewed.reduce((sum, [, state]) => sum + (hasCopy(state) ? state.size : 0), 0);
    this.#writtenBytes += written;
    if (written > 0) this.#files += 1;
    if (
      this.#files > MAX_FILES ||
      this.#writtenBytes > this.#bytes + Math.max(MAX_UNUSED, this.#bytes) ||
      this.#writtenLines > this.#states.size + Math.max(MAX_UNUSED_LINES, this.#states.size)
    )
      await this.#writeAgain();
  }

  /** A kill leaves either the old lines with the old copies, or the new ones. */
  async #writeAgain(): Promise<void> {
    const writer = new CopyWriter(this.copies);
    const copied = new Map<string, EntryState>();
    let isWhole = false;
    try {
      for (const [path, state] of this.#states)
        if (hasCopy(state)) copied.set(path, await this.#copyAgain(writer, state));
    } finally {
      isWhole = await writer.close();
    }
    if (isWhole) {
      for (const entry of copied) this.#take(...entry);
      await writeLines(`${this.#file}.new`, [...this.#states], 'w');
      await rename(`${this.#file}.new`, this.#file);
      this.#writtenLines = this.#states.size;
    }
    await this.#sweep();
  }

  async #copyAgain(writer: CopyWriter, state: CopiedFile): Promise<EntryState> {
    try {
      return await writer.take(this.copies, state);
    } catch (error) {
      if (error instanceof DamagedCopy) return toBeCopied(state);
      throw error;
    }
  }

  /** Removes copies that no path uses. The next look copies any that are missing. */
  async #sweep(): Promise<void> {
    const share = shareThread();
    const sizes = new Map<string, number>();
    for (const name of await readdir(this.copies))
      sizes.set(name, (await stat(join(this.copies, name))).size);
    const unused = new Set(sizes.keys());
    let missing = 0;
    for (const [path, state] of this.#states) {
      await share();
      if (!hasCopy(state)) continue;
      const [file, offset] = copyPlace(state.copy);
      unused.delete(file);
      if (offset + state.size <= (sizes.get(file) ?? -1)) continue;
      this.#take(path, toBeCopied(state));
      missing += 1;
    }
    if (missing > 0)
      log.warn('copies of a workspace for an undo are missing: they are made again', { missing });
    for (const name of unused) await rm(join(this.copies, name));
    for (const name of unused) sizes.delete(name);
    this.#files = sizes.size;
    this.#writtenBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  #take(path: string, state: EntryState): void {
    const old = this.#states.get(path);
    if (hasCopy(old)) this.#bytes -= old.size;
    if (hasCopy(state)) this.#bytes += state.size;
    this.#writtenLines += 1;
    if (state.kind === 'none') this.#states.delete(path);
    else this.#states.set(path, state);
  }
}

/** Gives a file an empty version, so that the next look considers the file changed. */
function toBeCopied(state: FileEntry): EntryState {
  return { ...state, copy: undefined, version: '' };
}

/** Opens the folder once. */
async function copyFolder(
  root: string,
  writer: CopyWriter,
  files: FoundFile[],
  copied: Map<string, EntryState>,
): Promise<void> {
  await atEntry(root, files[0]?.[0] ?? '', async (first) => {
    for (const [path, found] of files) {
      const added = await writer
        .add(`${entryFolder(first)}/${entryName(path)}`, found)
        .catch((error: unknown) => (error instanceof Changing ? toBeCopied(found) : found));
      copied.set(path, added);
    }
  }).catch(() => {}); // a missing folder has no copies
}
