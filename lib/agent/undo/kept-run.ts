import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { shareThread } from '../../async/share-thread.ts';
import { log } from '../../log.ts';
import { Pack } from './copies.ts';
import { type EntryState, entryStateSchema } from './entry-state.ts';
import { KEPT_LIMITS } from './kept-limits.ts';
import { takeRoom } from './kept-space.ts';

const PACK_BUFFER_BYTES = 1024 * 1024;

const lineSchema = z.discriminatedUnion('is', [
  /** What a path had at `since`, before this run changed it; of several, the earliest counts. */
  z.object({ is: z.literal('before'), path: z.string(), since: z.number(), state: entryStateSchema }),
  /** What it had when the run was done with it; the latest counts. */
  z.object({ is: z.literal('after'), path: z.string(), at: z.number(), state: entryStateSchema }),
  /** Its kept copy was found to be missing or changed. */
  z.object({ is: z.literal('damaged'), path: z.string() }),
  /** The run is about to change a path again. */
  z.object({ is: z.literal('changing'), path: z.string(), at: z.number() }),
  z.object({ is: z.literal('undone'), path: z.string(), at: z.number() }),
  /** The undo is about to take this path away, to make what was there before. */
  z.object({ is: z.literal('undoing'), path: z.string() }),
  /** All copies were removed: newer runs of the workspace needed the space. */
  z.object({ is: z.literal('dropped') }),
  /** Something of this run was not kept. */
  z.object({ is: z.literal('lost') }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

export interface KeptPath {
  since: number;
  before: EntryState;
  /** Absent: the process was killed before it could look. */
  after?: { at: number; state: EntryState };
  /** When the run began its latest change, if not the first: later than `after` where a kill cut that off. */
  changingAt?: number;
  undoneAt?: number;
  isUndoing?: boolean;
  isDamaged?: boolean;
}

/**
 * What is kept of a run: copies of files, and a journal of the paths. Each process appends to a journal of its own, because two
 * may apply changes of one run, and files on NFS have no atomic append.
 */
export class KeptRun {
  readonly folder: string;
  readonly paths = new Map<string, KeptPath>();
  isIncomplete = false;
  #isDropped = false;
  #bytes = 0;
  #journal = `journal-${randomUUID()}.jsonl`;
  #waiting: JournalLine[] = [];
  #writing: Promise<void> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<KeptRun> {
    const kept = new KeptRun(folder);
    const names = await readdir(folder).catch(() => []);
    const share = shareThread();
    for (const name of names.filter((name) => name.startsWith('journal-')))
      for (const text of (await readFile(join(folder, name), 'utf8')).split('\n')) {
        await share();
        const line = parseLine(text);
        if (line !== undefined) kept.#take(line);
      }
    if (kept.#isDropped) for (const known of kept.paths.values()) known.before = withoutCopy(known.before);
    return kept;
  }

  copyPlace(name: string): string {
    return join(this.folder, 'copies', name);
  }

  async takeRoom(size: number): Promise<boolean> {
    return this.#bytes + size <= KEPT_LIMITS.bytes && takeRoom(this.folder, size);
  }

  async makeFolders(): Promise<void> {
    await mkdir(join(this.folder, 'copies'), { recursive: true, mode: 0o700 });
  }

  /** Starts a file of small copies. */
  startPack(): Pack {
    return new Pack(this.copyPlace(''), Buffer.allocUnsafe(PACK_BUFFER_BYTES), undefined);
  }

  /** Has a copy brought here, and names it. */
  async takeCopy(bring: (place: string) => Promise<void>): Promise<string> {
    const name = randomUUID();
    await bring(this.copyPlace(name));
    return name;
  }

  /** Whether the state of this path at that time is worth keeping: an earlier one is not there. */
  wants(path: string, since: number): boolean {
    const known = this.paths.get(path);
    if (known !== undefined) return known.since > since;
    if (this.paths.size < KEPT_LIMITS.paths) return true;
    if (!this.isIncomplete) this.#waiting.push({ is: 'lost' });
    this.isIncomplete = true;
    return false;
  }

  /** Stores lines together with those of others who write now. They are on the disk when this resolves. */
  async write(lines: JournalLine[]): Promise<void> {
    for (const line of lines) {
      this.#take(line);
      this.#waiting.push(line);
    }
    while (this.#waiting.length > 0 || this.#writing !== undefined) {
      this.#writing ??= this.#flush(this.#waiting.splice(0)).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async lose(error: unknown): Promise<void> {
    const { code, name } = error as NodeJS.ErrnoException;
    log.warn('a change could not be kept for an undo', { reason: code ?? name });
    this.isIncomplete = true;
    await this.write([{ is: 'lost' }]).catch(() => {});
  }

  /** Begins with a line break: a line that a killed process left unfinished spoils no other. */
  async #flush(lines: JournalLine[]): Promise<void> {
    const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('');
    await using handle = await open(join(this.folder, this.#journal), 'a', 0o600);
    await handle.appendFile(text);
    await handle.sync();
  }

  #take(line: JournalLine): void {
    if (line.is === 'lost') this.isIncomplete = true;
    else if (line.is === 'dropped') this.#isDropped = true;
    else if (line.is === 'before') this.#takeBefore(line);
    else this.#takeLater(line);
  }

  #takeBefore({ path, since, state }: Extract<JournalLine, { is: 'before' }>): void {
    const known = this.paths.get(path);
    if (known !== undefined && known.since <= since) return;
    if (state.kind === 'file' && state.copy !== undefined) this.#bytes += state.size;
    this.paths.set(path, { ...known, since, before: state });
  }

  /** Journals are read one after the other: what comes later need not be later. */
  #takeLater(line: Exclude<JournalLine, { is: 'lost' | 'before' | 'dropped' }>): void {
    const known = this.paths.get(line.path) ?? { since: Number.POSITIVE_INFINITY, before: { kind: 'other' } };
    if (line.is === 'undoing') known.isUndoing = true;
    else if (line.is === 'changing') known.changingAt = Math.max(line.at, known.changingAt ?? 0);
    else if (line.is === 'damaged') known.isDamaged = true;
    else if (line.is === 'undone') known.undoneAt = Math.max(line.at, known.undoneAt ?? 0);
    else if ((known.after?.at ?? 0) <= line.at) known.after = { at: line.at, state: line.state };
    this.paths.set(line.path, known);
  }
}

function withoutCopy(state: EntryState): EntryState {
  if (state.kind !== 'file' || state.copy === undefined) return state;
  return { ...state, copy: undefined, why: 'limit' };
}

/** Returns undefined for a line that a kill cut off. */
function parseLine(text: string): JournalLine | undefined {
  try {
    return text === '' ? undefined : lineSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
