import { mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { noneIfMissing } from '../../paths/file-errors.ts';
import { type EntryState, entryStateSchema } from './entry-state.ts';
import { KEPT_LIMITS } from './kept-run.ts';

/** Copies never take more than this part of the space that is free. */
const FREE_PART = 10;
const REMOVED_AT_ONCE = 16;
/** Lines that replace others until the file is written again. */
const MAX_STALE_LINES = 20_000;

const lineSchema = z.tuple([z.string(), entryStateSchema]);

/** What a workspace had at the last look: a line for each path, of several the last counts, and a copy of each file. */
export class Manifest {
  readonly states = new Map<string, EntryState>();
  readonly #folder: string;
  #staleLines = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads what the last process left. Copies that no line names were cut off by a kill. */
  static async open(folder: string): Promise<Manifest> {
    const manifest = new Manifest(folder);
    await mkdir(join(folder, 'running'), { recursive: true, mode: 0o700 });
    const text = await readFile(manifest.#file, 'utf8').catch(noneIfMissing);
    for (const line of text?.split('\n') ?? []) manifest.#takeLine(line);
    const named = new Set([...manifest.states.values()].map(copyOf));
    for (let fan = 0; fan < 256; fan++) {
      const copies = join(folder, 'copies', fan.toString(16).padStart(2, '0'));
      await mkdir(copies, { recursive: true, mode: 0o700 });
      for (const name of await readdir(copies)) if (!named.has(name)) await rm(join(copies, name));
    }
    return manifest;
  }

  get #file(): string {
    return join(this.#folder, 'manifest.jsonl');
  }

  copyPlace(name: string): string {
    return join(this.#folder, 'copies', name.slice(0, 2), name);
  }

  /** Bytes that copies may have now. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return Math.min(KEPT_LIMITS.bytes, this.bytesWithout([]) + (bavail * bsize) / FREE_PART);
  }

  /** Bytes of the copies, without those of some paths. */
  bytesWithout(paths: string[]): number {
    const without = new Set(paths);
    let bytes = 0;
    for (const [path, state] of this.states)
      if (copyOf(state) !== undefined && !without.has(path)) bytes += state.kind === 'file' ? state.size : 0;
    return bytes;
  }

  /** Replaces lines, and then removes the copies that they named. */
  async store(renewed: [string, EntryState][]): Promise<void> {
    const old = renewed.map(([path]) => copyOf(this.states.get(path))).filter((name) => name !== undefined);
    for (const [path, state] of renewed) this.#take(path, state);
    this.#staleLines += renewed.length;
    if (this.#staleLines > MAX_STALE_LINES + this.states.size) {
      await append(`${this.#file}.new`, [...this.states], 'w');
      await rename(`${this.#file}.new`, this.#file);
      this.#staleLines = 0;
    } else await append(this.#file, renewed, 'a');
    await forEachConcurrent(old, REMOVED_AT_ONCE, (name) => rm(this.copyPlace(name), { force: true }));
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
    if (state.kind === 'none') this.states.delete(path);
    else this.states.set(path, state);
  }
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
