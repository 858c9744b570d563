import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { log } from '../../log.ts';
import { CopyWriter, copyPlace } from './copies.ts';
import {
  type EntryState,
  entryStateSchema,
  type FileEntry,
  hasCopy,
  type PathState,
  withoutCopy,
} from './entry-state.ts';
import { readLines, writeLines } from './json-lines.ts';
import { KEPT_LIMITS, takeRoom } from './kept-space.ts';
import type { ChangedFile } from './schema.ts';

const lineSchema = z.discriminatedUnion('is', [
  /**
   * The state of a path at `since`, before this run changed it. If there are several, the earliest counts.
   */
  z.object({ is: z.literal('before'), path: z.string(), since: z.number(), state: entryStateSchema }),
  /** The state that the run left behind. If there are several, the latest counts. */
  z.object({ is: z.literal('after'), path: z.string(), at: z.number(), state: entryStateSchema }),
  /** The stored copy turned out to be missing or changed. */
  z.object({ is: z.literal('damaged'), path: z.string() }),
  /** The run is about to change a path again. */
  z.object({ is: z.literal('changing'), path: z.string(), at: z.number() }),
  z.object({ is: z.literal('undone'), path: z.string(), at: z.number() }),
  /** The undo is about to remove this path to restore the earlier state. */
  z.object({ is: z.literal('undoing'), path: z.string() }),
  /** Some change of this run couldn't be stored. */
  z.object({ is: z.literal('lost') }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

export interface KeptPath {
  since: number;
  before: EntryState;
  /** The state after the change. Absent if the process was killed before it could look. */
  after?: { at: number; state: EntryState };
  /**
   * When the run started its latest change, unless that was its first. Later than `after` if a kill
   * interrupted the change.
   */
  changingAt?: number;
  undoneAt?: number;
  isUndoing?: boolean;
  isDamaged?: boolean;
}

/** The current state of a run's change. */
export interface Change {
  path: string;
  kept: KeptPath;
  change: 'created' | 'changed' | 'deleted';
  undo: ChangedFile['undo'];
}

/**
 * The undo data of a run: copies of files, and a journal of the paths. Each process appends to a journal of
 * its own, because two may apply changes of one run, and appending to a file on NFS isn't atomic.
 */
export class KeptRun {
  readonly folder: string;
  readonly paths = new Map<string, KeptPath>();
  isIncomplete = false;
  #bytes = 0;
  readonly #journal: string;
  #waiting: JournalLine[] = [];
  #writing: Promise<void> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.#journal = join(folder, `journal-${randomUUID()}.jsonl`);
  }

  static async open(folder: string): Promise<KeptRun> {
    const kept = new KeptRun(folder);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((name) => name.startsWith('journal-')))
      await readLines(join(folder, name), lineSchema, (line) => kept.#take(line));
    // A newer run of the workspace may have removed copies to use their space.
    const copies = new Set(await readdir(kept.copies).catch(() => []));
    for (const known of kept.paths.values())
      if (hasCopy(known.before) && !copies.has(copyPlace(known.before.copy)[0]))
        known.before = withoutCopy(known.before);
    return kept;
  }

  get copies(): string {
    return join(this.folder, 'copies');
  }

  async makeFolders(): Promise<void> {
    await mkdir(this.copies, { recursive: true, mode: 0o700 });
  }

  /**
   * Copies files as long as there is room. The others, and files that can't be copied, are returned without a
   * copy.
   */
  async copy<File extends FileEntry>(
    states: PathState[],
    isWanted: (state: EntryState) => state is File,
    copyOne: (writer: CopyWriter, file: File, path: string) => Promise<EntryState>,
  ): Promise<PathState[]> {
    const writer = new CopyWriter(this.copies);
    const copied: PathState[] = [];
    let isWhole = false;
    try {
      for (const [path, state] of states) {
        const isFitting = isWanted(state) && (await this.#takeRoom(state.size));
        const copy = isFitting ? await copyOne(writer, state, path).catch(warn) : undefined;
        copied.push([path, copy ?? withoutCopy(state)]);
      }
    } finally {
      isWhole = await writer.close();
    }
    return isWhole ? copied : copied.map(([path, state]) => [path, withoutCopy(state)]);
  }

  async #takeRoom(size: number): Promise<boolean> {
    return this.#bytes + size <= KEPT_LIMITS.bytes && takeRoom(this.folder, size);
  }

  /** Returns whether the state of this path at that time must be stored: there is no earlier one. */
  wants(path: string, since: number): boolean {
    const known = this.paths.get(path);
    if (known !== undefined) return known.since > since;
    if (this.paths.size < KEPT_LIMITS.paths) return true;
    if (!this.isIncomplete) this.#waiting.push({ is: 'lost' });
    this.isIncomplete = true;
    return false;
  }

  /** Stores lines together with those of concurrent writers. Resolves when the lines are on disk. */
  async write(lines: JournalLine[]): Promise<void> {
    for (const line of lines) {
      this.#take(line);
      this.#waiting.push(line);
    }
    while (this.#waiting.length > 0 || this.#writing !== undefined) {
      this.#writing ??= writeLines(this.#journal, this.#waiting.splice(0)).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async lose(error: unknown): Promise<void> {
    warn(error);
    this.isIncomplete = true;
    await this.write([{ is: 'lost' }]).catch(() => {});
  }

  #take(line: JournalLine): void {
    if (line.is === 'lost') this.isIncomplete = true;
    else if (line.is === 'before') this.#takeBefore(line);
    else this.#takeLater(line);
  }

  #takeBefore({ path, since, state }: Extract<JournalLine, { is: 'before' }>): void {
    const known = this.paths.get(path);
    if (known !== undefined && known.since <= since) return;
    if (hasCopy(state)) this.#bytes += state.size;
    this.paths.set(path, { ...known, since, before: state });
  }

  /** Journals are read one after another, so a line that is read later may be older. */
  #takeLater(line: Exclude<JournalLine, { is: 'lost' | 'before' }>): void {
    const known = this.paths.get(line.path) ?? { since: Number.POSITIVE_INFINITY, before: { kind: 'other' } };
    if (line.is === 'undoing') known.isUndoing = true;
    else if (line.is === 'changing') known.changingAt = Math.max(line.at, known.changingAt ?? 0);
    else if (line.is === 'damaged') known.isDamaged = true;
    else if (line.is === 'undone') known.undoneAt = Math.max(line.at, known.undoneAt ?? 0);
    else if ((known.after?.at ?? 0) <= line.at) known.after = { at: line.at, state: line.state };
    this.paths.set(line.path, known);
  }
}

function warn(error: unknown): undefined {
  const { code, name } = error as NodeJS.ErrnoException;
  log.warn('a change could not be kept for an undo', { reason: code ?? name });
}
