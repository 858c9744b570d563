import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
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
import { goneTimes } from './folder-times.ts';
import type { JournalLine, KeptPath, KeptRun } from './kept-run.ts';
import { findChanges } from './walk.ts';

/** How often a running command's marker is renewed: afterwards its process, and so the command, was dead. */
const BEAT_MS = 1000;
/** How long the end of a stopped command is waited for. */
const ENDS_WITHIN_MS = 10_000;
const ASK_MS = 50;
/** The time of a change has fractions, that of the end has none. */
const CLOCK_MS = 1;

const markerSchema = z.object({ runId: z.string(), since: z.number() });

/** A command that works in the workspace now. */
interface Window {
  runId: string;
  kept: KeptRun;
  since: number;
  /** When it ended: what changed later was not changed by the command. */
  until?: number;
}

/**
 * A copy of a workspace from before its latest command, in the data folder. Commands write into files, so nothing but a copy
 * tells what was in them. A *look* compares stats with it, attributes what changed to the commands that work at that time,
 * and copies only that.
 */
export class WorkspaceCopy {
  readonly folder: string;
  readonly root: string;
  readonly #windows = new Map<string, Window>();
  #entries: Promise<Entries> | undefined;
  readonly #openRun: (runId: string) => Promise<KeptRun>;

  constructor(folder: string, root: string, openRun: (runId: string) => Promise<KeptRun>) {
    this.folder = folder;
    this.root = root;
    this.#openRun = openRun;
  }

  get isBusy(): boolean {
    return this.#windows.size > 0;
  }

  /**
   * Runs work that may change anything; what changes until it ends is kept for the run. The look at what it changed comes after the
   * result, or with the look before the next command.
   */
  async around<Result>(runId: string, kept: KeptRun, work: () => Promise<Result>): Promise<Result> {
    const id = randomUUID();
    const began = await this.#begin(id, runId, kept).then(
      () => true,
      async (error: unknown) => {
        await kept.lose(error);
        return false;
      },
    );
    const beat = setInterval(() => void renew(this.#markerOf(id)), BEAT_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(beat);
      if (began) this.#end(id, kept);
    }
  }

  #begin(id: string, runId: string, kept: KeptRun): Promise<void> {
    return this.#locked(async () => {
      await this.#recover((other) => (other === runId ? Promise.resolve(kept) : this.#openRun(other)));
      await this.#look();
      const since = Date.now();
      await mkdir(join(this.folder, 'running'), { recursive: true, mode: 0o700 });
      await writeFile(this.#markerOf(id), JSON.stringify({ runId, since }), { mode: 0o600 });
      this.#windows.set(id, { runId, kept, since });
    });
  }

  #end(id: string, kept: KeptRun): void {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    window.until = Date.now() + CLOCK_MS;
    void this.#locked(async () => {
      // A look that began after the end has seen all of it.
      if (!this.#windows.has(id)) return;
      await this.#look().catch(async (error: unknown) => {
        await kept.lose(error);
        await this.#close(id);
      });
    }).catch((error: unknown) => kept.lose(error));
  }

  /** Makes a change that no command made, while commands work. */
  aside<Result>(paths: string[], make: () => Promise<Result>): Promise<Result> {
    return this.#locked(async () => {
      await this.#lookAtSome(paths, true);
      try {
        return await make();
      } finally {
        await this.#lookAtSome(paths, false);
      }
    });
  }

  /** Finds what commands changed whose process was killed. */
  recover(): Promise<void> {
    return this.#locked(() => this.#recover(this.#openRun));
  }

  /** Waits a little for the commands of a run that was just stopped. */
  async waitForEnd(runId: string): Promise<void> {
    const isWorking = () =>
      [...this.#windows.values()].some((window) => window.runId === runId && window.until === undefined);
    for (let left = ENDS_WITHIN_MS; left > 0 && isWorking(); left -= ASK_MS) await sleep(ASK_MS);
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return withPathLock(`undo ${this.folder}`, work);
  }

  async #recover(openRun: (runId: string) => Promise<KeptRun>): Promise<void> {
    const running = join(this.folder, 'running');
    const dead = (await readdir(running).catch(noneIfMissing))?.filter((id) => !this.#windows.has(id)) ?? [];
    if (dead.length === 0) return;
    for (const id of dead) {
      const found = await readMarker(join(running, id));
      if (found === undefined) continue;
      const kept = await openRun(found.runId);
      await kept.makeFolders();
      this.#windows.set(id, {
        runId: found.runId,
        kept,
        since: found.since,
        until: found.beatAt + 2 * BEAT_MS,
      });
    }
    try {
      await this.#look();
    } finally {
      for (const id of dead) this.#windows.delete(id);
    }
    for (const id of dead) await rm(this.#markerOf(id), { force: true });
  }

  async #look(): Promise<void> {
    const entries = await this.#open();
    const began = Date.now();
    const ended = [...this.#windows].filter(([, { until }]) => until !== undefined);
    const { changed, isPartial } = await findChanges(this.root, entries);
    if (isPartial)
      for (const { kept } of this.#windows.values())
        if (!kept.isIncomplete) await kept.write([{ is: 'lost' }]);
    await this.#take(entries, changed, { began });
    for (const [id] of ended) await this.#close(id);
  }

  async #close(id: string): Promise<void> {
    this.#windows.delete(id);
    await rm(this.#markerOf(id), { force: true });
  }

  #markerOf(id: string): string {
    return join(this.folder, 'running', id);
  }

  async #lookAtSome(paths: string[], attributed: boolean): Promise<void> {
    const entries = await this.#open();
    const began = Date.now();
    const changed = new Map<string, EntryState>();
    for (const path of paths) {
      const state = await lookAt(this.root, path);
      if (!isSameVersion(entries.get(path) ?? NONE, state)) changed.set(path, state);
    }
    await this.#take(entries, changed, attributed ? { began } : undefined);
  }

  /** `look`: what changed is attributed to the commands that work. */
  async #take(entries: Entries, changed: Map<string, EntryState>, look?: { began: number }): Promise<void> {
    if (changed.size === 0) return;
    const windows = look === undefined ? [] : [...this.#windows.values()];
    // First of all, so that a kill at any later line leaves what the runs need.
    for (const window of windows) await keepBefore(window, [...changed.keys()], entries);
    const renewed = await entries.copy(this.root, changed);
    await this.#tellAfter(windows, renewed, look?.began ?? 0);
    await entries.store(renewed);
  }

  async #tellAfter(windows: Window[], renewed: PathState[], began: number): Promise<void> {
    const byRun = Map.groupBy(windows, ({ runId }) => runId);
    for (const { kept, runId } of windows) {
      // Of two commands of a run, one may have ended while the other works.
      const untils = byRun.get(runId)?.map(({ until }) => until ?? Number.POSITIVE_INFINITY) ?? [];
      const lines = await this.#afterLines(kept, renewed, { began, until: Math.max(...untils) });
      if (lines.length > 0) await kept.write(lines);
    }
  }

  async #afterLines(kept: KeptRun, after: PathState[], { began, until }: { began: number; until: number }) {
    const at = Date.now();
    const lines: JournalLine[] = [];
    const goneAt = goneTimes(this.root);
    for (const [path, state] of after) {
      const known = kept.paths.get(path);
      // A write of the same run, during the command or after it, has noted what it left.
      if (known === undefined || (known.after && isSameVersion(known.after.state, state))) continue;
      if (await this.#isNewer(path, known, began)) continue;
      const time = () => (state.kind === 'none' ? goneAt(path) : changedAt(this.root, path));
      const isLater = until < Number.POSITIVE_INFINITY && ((await time()) ?? 0) > until;
      lines.push({ is: 'after', path, at, state: isLater ? UNKNOWN : withoutCopy(state) });
    }
    return lines;
  }

  /** Whether a write of the run noted what it left after the look had passed the path. */
  async #isNewer(path: string, { after }: KeptPath, began: number): Promise<boolean> {
    if (after === undefined || after.at < began) return false;
    return isSameVersion(after.state, await lookAt(this.root, path));
  }

  /** A failed read is tried again by the next look. */
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

async function renew(marker: string): Promise<void> {
  const now = new Date();
  await utimes(marker, now, now).catch(() => {});
}

async function readMarker(place: string) {
  try {
    const marker = markerSchema.parse(JSON.parse(await readFile(place, 'utf8')));
    return { ...marker, beatAt: (await statOf(place))?.mtimeMs ?? marker.since };
  } catch {
    return undefined;
  }
}
