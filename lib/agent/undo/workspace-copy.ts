import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { entryFolder } from '../../paths/entry-path.ts';
import { noneIfMissing } from '../../paths/file-errors.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { Entries } from './entries.ts';
import {
  changedAt,
  type EntryState,
  hasCopy,
  isSameVersion,
  lookAt,
  NONE,
  type PathState,
  statOf,
  UNKNOWN,
  withoutCopy,
} from './entry-state.ts';
import { parseOrNone } from './json-lines.ts';
import type { JournalLine, KeptRun } from './kept-run.ts';
import { findChanges } from './walk.ts';

/**
 * Milliseconds after which a running command renews its marker. An older marker belongs to a process that
 * died with its command.
 */
const BEAT_MS = 1000;
/** The maximum wait for the end of a stopped command, in milliseconds. */
const ENDS_WITHIN_MS = 10_000;
const ASK_MS = 50;
/** In milliseconds. The time of a change has fractions, but the time of the end has none. */
const CLOCK_MS = 1;

const markerSchema = z.object({ runId: z.string(), since: z.number() });

/** A command that is running in the workspace. */
interface Window {
  /** A file from which the next process learns of the command if this one is killed. */
  marker: string;
  runId: string;
  kept: KeptRun;
  since: number;
  /** When the command ended. Later changes weren't made by it. */
  until?: number;
}

/**
 * A copy of a workspace from before its latest command, in the data folder. Commands write into files, so
 * only a copy has the earlier contents. A *look* compares stats with the copy, attributes changes to the
 * commands that were running, and copies only changed files.
 */
export class WorkspaceCopy {
  readonly folder: string;
  readonly root: string;
  readonly #openRun: (runId: string) => Promise<KeptRun>;
  readonly #windows = new Set<Window>();
  /** Changes that the service makes while no command is running. */
  readonly #changes = new Set<Promise<unknown>>();
  #beginning = 0;
  #entries: Promise<Entries> | undefined;

  constructor(folder: string, root: string, openRun: (runId: string) => Promise<KeptRun>) {
    this.folder = folder;
    this.root = root;
    this.#openRun = openRun;
  }

  get isBusy(): boolean {
    return this.#windows.size + this.#changes.size + this.#beginning > 0;
  }

  /**
   * Runs work that may change anything. Changes until its end are stored for the run. The look at these
   * changes comes after the result, or with the look before the next command.
   */
  async around<Result>(runId: string, kept: KeptRun, work: () => Promise<Result>): Promise<Result> {
    const window: Window = { marker: join(this.#running, randomUUID()), runId, kept, since: 0 };
    this.#beginning += 1;
    await this.#locked(() => this.#begin(window)).catch((error: unknown) => kept.lose(error));
    this.#beginning -= 1;
    const beat = setInterval(() => void renew(window.marker), BEAT_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(beat);
      window.until = Date.now() + CLOCK_MS;
      void this.#locked(() => this.#end(window)).catch((error: unknown) => kept.lose(error));
    }
  }

  async #begin(window: Window): Promise<void> {
    await Promise.allSettled(this.#changes);
    await this.#recover();
    await this.#look();
    window.since = Date.now();
    await mkdir(this.#running, { recursive: true, mode: 0o700 });
    const { runId, since } = window;
    await writeFile(window.marker, JSON.stringify({ runId, since }), { mode: 0o600 });
    this.#windows.add(window);
  }

  async #end(window: Window): Promise<void> {
    // A look that started after the end of the command has already seen all changes.
    if (!this.#windows.has(window)) return;
    try {
      await this.#look();
    } finally {
      await this.#close(window);
    }
  }

  /** Makes a change outside of commands. A command that is about to start waits for it. */
  async change<Result>(paths: string[], make: () => Promise<Result>): Promise<Result> {
    if (this.#windows.size + this.#beginning > 0) return this.#locked(() => this.#changeAside(paths, make));
    const made = make();
    this.#changes.add(made);
    try {
      return await made;
    } finally {
      this.#changes.delete(made);
    }
  }

  async #changeAside<Result>(paths: string[], make: () => Promise<Result>): Promise<Result> {
    await this.#lookAtSome(paths, [...this.#windows]);
    try {
      return await make();
    } finally {
      await this.#lookAtSome(paths, []);
    }
  }

  /** Finds changes by commands whose process was killed. */
  recover(): Promise<void> {
    return this.#locked(() => this.#recover());
  }

  /** Waits briefly for the commands of a run that was just stopped. */
  async waitForEnd(runId: string): Promise<void> {
    const isWorking = () =>
      [...this.#windows].some((window) => window.runId === runId && window.until === undefined);
    for (let left = ENDS_WITHIN_MS; left > 0 && isWorking(); left -= ASK_MS) await sleep(ASK_MS);
  }

  get #running(): string {
    return join(this.folder, 'running');
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return withPathLock(`undo ${this.folder}`, work);
  }

  async #recover(): Promise<void> {
    const working = new Set([...this.#windows].map(({ marker }) => marker));
    const names = (await readdir(this.#running).catch(noneIfMissing)) ?? [];
    const dead = names.map((name) => join(this.#running, name)).filter((marker) => !working.has(marker));
    if (dead.length === 0) return;
    const windows = (await Promise.all(dead.map((marker) => this.#readMarker(marker)))).flat();
    for (const window of windows) this.#windows.add(window);
    try {
      await this.#look();
    } finally {
      for (const window of windows) this.#windows.delete(window);
    }
    for (const marker of dead) await rm(marker, { force: true });
  }

  /** Returns nothing for a marker that a kill left incomplete, because its command hadn't started. */
  async #readMarker(marker: string): Promise<Window[]> {
    const text = await readFile(marker, 'utf8').catch(() => '');
    const { data } = markerSchema.safeParse(parseOrNone(text));
    if (data === undefined) return [];
    const kept = await this.#openRun(data.runId);
    await kept.makeFolders();
    const beatAt = (await statOf(marker))?.mtimeMs ?? data.since;
    return [{ ...data, marker, kept, until: beatAt + 2 * BEAT_MS }];
  }

  async #look(): Promise<void> {
    const entries = await this.#open();
    const windows = [...this.#windows];
    const ended = windows.filter(({ until }) => until !== undefined);
    const { changed, isPartial } = await findChanges(this.root, entries);
    if (isPartial) for (const { kept } of windows) if (!kept.isIncomplete) await kept.write([{ is: 'lost' }]);
    await this.#take(entries, changed, windows);
    for (const window of ended) await this.#close(window);
  }

  async #close(window: Window): Promise<void> {
    this.#windows.delete(window);
    await rm(window.marker, { force: true });
  }

  async #lookAtSome(paths: string[], windows: Window[]): Promise<void> {
    const entries = await this.#open();
    const changed = new Map<string, EntryState>();
    for (const path of paths) {
      const state = await lookAt(this.root, path);
      if (!isSameVersion(entries.get(path) ?? NONE, state)) changed.set(path, state);
    }
    await this.#take(entries, changed, windows);
  }

  /** Attributes changes to the commands that ran in these windows. */
  async #take(entries: Entries, changed: Map<string, EntryState>, windows: Window[]): Promise<void> {
    if (changed.size === 0) return;
    // Stored first, so that a kill at any later point leaves the data that the runs need.
    for (const window of windows) await keepBefore(window, [...changed.keys()], entries);
    const renewed = await entries.copy(this.root, changed);
    for (const some of Map.groupBy(windows, ({ runId }) => runId).values()) {
      // Of two commands of a run, one may have ended while the other is still running.
      const until = Math.max(...some.map((window) => window.until ?? Number.POSITIVE_INFINITY));
      for (const { kept } of some) await keepAfter(this.root, kept, renewed, until);
    }
    await entries.store(renewed);
  }

  /** If the read fails, the next look tries again. */
  #open(): Promise<Entries> {
    this.#entries ??= Entries.open(this.folder).catch((error: unknown) => {
      this.#entries = undefined;
      throw error;
    });
    return this.#entries;
  }
}

async function keepBefore({ kept, since }: Window, changed: string[], entries: Entries): Promise<void> {
  const wanted = changed.filter((path) => kept.wants(path, since));
  const states = wanted.map((path): PathState => [path, entries.get(path) ?? NONE]);
  const copied = await kept.copy(states, hasCopy, (writer, file) => writer.take(entries.copies, file));
  await kept.write(copied.map(([path, state]) => ({ is: 'before', path, since, state })));
}

async function keepAfter(root: string, kept: KeptRun, renewed: PathState[], until: number): Promise<void> {
  const at = Date.now();
  const lines: JournalLine[] = [];
  const timeOf = changeTimes(root);
  for (const [path, state] of renewed) {
    const known = kept.paths.get(path);
    // If the same run wrote the file during the command, this state is already recorded.
    if (known === undefined || (known.after && isSameVersion(known.after.state, state))) continue;
    const isLater = until < Number.POSITIVE_INFINITY && (await timeOf(path, state)) > until;
    lines.push({ is: 'after', path, at, state: isLater ? UNKNOWN : withoutCopy(state) });
  }
  await kept.write(lines);
}

/**
 * Returns a function that tells when a path was changed. A deleted path has no time, so the time of the
 * nearest remaining folder counts.
 */
function changeTimes(root: string): (path: string, state: EntryState) => Promise<number> {
  const times = new Map<string, Promise<number>>();
  const readTime = async (folder: string): Promise<number> => {
    const time = (await statOf(join(root, folder)).catch(() => undefined))?.ctimeMs;
    return time ?? (folder === '' ? 0 : timeIn(entryFolder(folder)));
  };
  const timeIn = (folder: string): Promise<number> => {
    const time = times.get(folder) ?? readTime(folder);
    times.set(folder, time);
    return time;
  };
  return async (path, state) =>
    state.kind === 'none' ? timeIn(entryFolder(path)) : ((await changedAt(root, path)) ?? 0);
}

async function renew(marker: string): Promise<void> {
  const now = new Date();
  await utimes(marker, now, now).catch(() => {});
}
