import { randomUUID } from 'node:crypto';
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { hasCode, noneIfMissing } from '../../paths/file-errors.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import {
  atEntry,
  changedAt,
  copyOut,
  type EntryState,
  entryStateSchema,
  type FileState,
  hashAt,
  isSameVersion,
  lookAt,
  NONE,
  statOf,
  type WhyNotKept,
} from './entry-state.ts';
import { KEPT_LIMITS, type KeptRun } from './kept-run.ts';
import { type Walked, walkWorkspace } from './walk.ts';

/** A copy never takes more than this part of the space that is free. */
const FREE_PART = 10;
const COPIES_AT_ONCE = 16;
/** How often a running command's marker is renewed: afterwards its process, and so the command, was dead. */
const BEAT_MS = 1000;
/** Lines that replace others until the manifest is written again. */
const MAX_STALE_LINES = 20_000;

const manifestLine = z.tuple([z.string(), entryStateSchema]);
const markerSchema = z.object({ runId: z.string(), since: z.number() });

/** A command that works in the workspace now. */
interface Window {
  kept: KeptRun;
  since: number;
  /** Set after a crash: what changed later was not changed by the command. */
  until?: number;
}

/**
 * A copy of a workspace from before its latest command, in the data folder. Commands write into files, so nothing but a copy
 * tells what was in them. A *look* compares stats with it, attributes what changed to the commands that work at that time,
 * and copies only that.
 */
export class Shadow {
  readonly folder: string;
  readonly root: string;
  readonly #windows = new Map<string, Window>();
  #manifest: Map<string, EntryState> | undefined;
  #bytes = 0;
  #staleLines = 0;

  readonly #openRun: (runId: string) => Promise<KeptRun>;

  constructor(folder: string, root: string, openRun: (runId: string) => Promise<KeptRun>) {
    this.folder = folder;
    this.root = root;
    this.#openRun = openRun;
  }

  get isBusy(): boolean {
    return this.#windows.size > 0;
  }

  /** Runs work that may change anything; what changes until it ends is kept for the run. */
  async around<Result>(runId: string, kept: KeptRun, work: () => Promise<Result>): Promise<Result> {
    const id = randomUUID();
    const marker = join(this.folder, 'running', id);
    const began = await this.#locked(async () => {
      await this.#recover((other) => (other === runId ? Promise.resolve(kept) : this.#openRun(other)));
      await this.#look();
      const since = Date.now();
      await writeFile(marker, JSON.stringify({ runId, since }), { mode: 0o600 });
      this.#windows.set(id, { kept, since });
    }).then(
      () => true,
      async (error: unknown) => {
        await kept.lose(error);
        return false;
      },
    );
    const beat = setInterval(() => void renew(marker), BEAT_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(beat);
      if (began) await this.#end(id, marker, kept);
    }
  }

  async #end(id: string, marker: string, kept: KeptRun): Promise<void> {
    await this.#locked(async () => {
      await this.#look().catch((error: unknown) => kept.lose(error));
      this.#windows.delete(id);
      await rm(marker, { force: true });
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
      this.#windows.set(id, { kept, since: found.since, until: found.beatAt + 2 * BEAT_MS });
    }
    try {
      await this.#look();
    } finally {
      for (const id of dead) this.#windows.delete(id);
    }
    for (const id of dead) await rm(join(running, id), { force: true });
  }

  async #look(): Promise<void> {
    const manifest = await this.#load();
    const walked = await walkWorkspace(this.root);
    if (walked.unread.size > 0)
      for (const { kept } of this.#windows.values()) if (!kept.isIncomplete) await kept.write({ is: 'lost' });
    await this.#take(manifest, walked, [...walked.states.keys(), ...manifest.keys()], true);
  }

  async #lookAtSome(paths: string[], attributed: boolean): Promise<void> {
    const manifest = await this.#load();
    const walked: Walked = { states: new Map(), unread: new Set() };
    for (const path of paths) {
      const state = await lookAt(this.root, path);
      if (state.kind !== 'none') walked.states.set(path, state);
    }
    await this.#take(manifest, walked, paths, attributed);
  }

  async #take(
    manifest: Map<string, EntryState>,
    { states, unread }: Walked,
    paths: string[],
    attributed: boolean,
  ): Promise<void> {
    const changed = [...new Set(paths)].filter((path) => {
      const [known, found] = [manifest.get(path), states.get(path)];
      if (found === undefined) return known !== undefined && !isBelow(path, unread);
      return known === undefined || !isSameVersion(known, found);
    });
    if (changed.length === 0) return;
    const windows = attributed ? [...this.#windows.values()] : [];
    await this.#keep(windows, changed, manifest);
    const room = await this.#room();
    const renewed: [string, EntryState][] = [];
    const old: string[] = [];
    for (const path of changed) {
      const known = manifest.get(path);
      if (known?.kind !== 'file' || known.copy === undefined) continue;
      old.push(known.copy);
      this.#bytes -= known.size;
    }
    const wanted = changed.filter((path) => states.get(path)?.kind === 'file');
    const copied = new Map<string, EntryState>();
    await forEachConcurrent(wanted, COPIES_AT_ONCE, async (path) => {
      const found = states.get(path) as FileState;
      const why = whyNot(found, this.#bytes, room);
      if (why === undefined) this.#bytes += found.size;
      copied.set(path, why === undefined ? await this.#copy(path, found) : { ...found, why });
    });
    for (const path of changed) renewed.push([path, copied.get(path) ?? states.get(path) ?? NONE]);
    await this.#tellAfter(windows, renewed);
    await this.#store(manifest, renewed);
    await forEachConcurrent(old, COPIES_AT_ONCE, (name) => rm(this.#placeOf(name), { force: true }));
  }

  /** First of all, so that a kill at any later line leaves what the runs need. */
  async #keep(windows: Window[], changed: string[], manifest: Map<string, EntryState>): Promise<void> {
    for (const { kept, since } of windows) {
      const lines: Parameters<KeptRun['write']> = [];
      await forEachConcurrent(
        changed.filter((path) => kept.wants(path, since)),
        COPIES_AT_ONCE,
        async (path) => {
          const state = await this.#keepOne(kept, manifest.get(path) ?? NONE);
          lines.push({ is: 'before', path, since, state });
        },
      );
      await kept.write(...lines);
    }
  }

  async #keepOne(kept: KeptRun, state: EntryState): Promise<EntryState> {
    if (state.kind !== 'file' || state.copy === undefined) return state;
    const { copy, ...rest } = state;
    if (!kept.hasRoomFor(state.size)) return { ...rest, why: 'limit' };
    return { ...rest, copy: await kept.takeCopy(this.#placeOf(copy)) };
  }

  async #tellAfter(windows: Window[], renewed: [string, EntryState][]): Promise<void> {
    if (windows.length === 0) return;
    const after: [string, EntryState][] = [];
    await forEachConcurrent(renewed, COPIES_AT_ONCE, async ([path, state]) => {
      if (state.kind !== 'file') return void after.push([path, state]);
      const { copy, why: _, ...found } = state;
      const hash = copy === undefined ? undefined : await hashAt(this.#placeOf(copy));
      after.push([path, { ...found, ...(hash !== undefined && { hash }) }]);
    });
    const at = Date.now();
    for (const { kept, until } of windows) {
      const lines: Parameters<KeptRun['write']> = [];
      for (const [path, state] of after) {
        if (!kept.paths.has(path)) continue;
        const isLater = until !== undefined && ((await changedAt(this.root, path)) ?? 0) > until;
        lines.push({ is: 'after', path, at, state: isLater ? { kind: 'other' } : state });
      }
      if (lines.length > 0) await kept.write(...lines);
    }
  }

  async #copy(path: string, found: FileState): Promise<EntryState> {
    const name = randomUUID();
    const place = this.#placeOf(name);
    try {
      const copied = await atEntry(this.root, path, (entry) => copyOut(entry, place));
      if (copied === undefined || !isSameVersion(copied, found)) throw new Changing();
      if ((found.mode & 0o600) !== 0o600) await chmod(place, 0o600);
      return { ...found, copy: name };
    } catch (error) {
      await rm(place, { force: true });
      this.#bytes -= found.size;
      // A version that nothing has: the next look tries again.
      if (error instanceof Changing) return { ...found, version: '', why: 'changing' };
      if (hasCode(error, 'ENOSPC', 'EDQUOT')) return { ...found, why: 'limit' };
      return { ...found, why: 'unreadable' };
    }
  }

  #placeOf(name: string): string {
    return join(this.folder, 'copies', name.slice(0, 2), name);
  }

  async #room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return Math.min(KEPT_LIMITS.bytes, this.#bytes + (bavail * bsize) / FREE_PART);
  }

  /** Reads what the last process left. Copies that nothing names were cut off by a kill. */
  async #load(): Promise<Map<string, EntryState>> {
    if (this.#manifest !== undefined) return this.#manifest;
    await mkdir(join(this.folder, 'running'), { recursive: true, mode: 0o700 });
    const manifest = new Map<string, EntryState>();
    const text = await readFile(join(this.folder, 'manifest.jsonl'), 'utf8').catch(noneIfMissing);
    for (const line of text?.split('\n') ?? []) takeLine(manifest, line);
    const named = new Set<string>();
    for (const state of manifest.values())
      if (state.kind === 'file' && state.copy !== undefined) {
        named.add(state.copy);
        this.#bytes += state.size;
      }
    for (let fan = 0; fan < 256; fan++) {
      const folder = join(this.folder, 'copies', fan.toString(16).padStart(2, '0'));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(folder)) if (!named.has(name)) await rm(join(folder, name));
    }
    this.#manifest = manifest;
    return manifest;
  }

  async #store(manifest: Map<string, EntryState>, renewed: [string, EntryState][]): Promise<void> {
    for (const [path, state] of renewed)
      if (state.kind === 'none') manifest.delete(path);
      else manifest.set(path, state);
    const file = join(this.folder, 'manifest.jsonl');
    this.#staleLines += renewed.length;
    if (this.#staleLines > MAX_STALE_LINES + manifest.size) {
      await append(`${file}.new`, [...manifest], 'w');
      await rename(`${file}.new`, file);
      this.#staleLines = 0;
    } else await append(file, renewed, 'a');
  }
}

class Changing extends Error {}

function whyNot({ size }: FileState, bytes: number, room: number): WhyNotKept | undefined {
  if (size > KEPT_LIMITS.fileBytes) return 'too_large';
  return bytes + size > room ? 'limit' : undefined;
}

function isBelow(path: string, folders: Set<string>): boolean {
  if (folders.size === 0) return false;
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return folders.has(folder) || (folder !== '' && isBelow(folder, folders));
}

async function append(file: string, entries: [string, EntryState][], flags: 'a' | 'w'): Promise<void> {
  await using handle = await open(file, flags, 0o600);
  await handle.appendFile(entries.map((entry) => `\n${JSON.stringify(entry)}`).join(''));
  // A file that a power cut removed from here would count as made by the next command.
  await handle.sync();
}

function takeLine(manifest: Map<string, EntryState>, line: string): void {
  if (line === '') return;
  try {
    const [path, state] = manifestLine.parse(JSON.parse(line));
    if (state.kind === 'none') manifest.delete(path);
    else manifest.set(path, state);
  } catch {
    // A kill cut the line off: the next look finds the path changed.
  }
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
