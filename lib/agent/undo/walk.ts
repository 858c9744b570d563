import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { shareThread } from '../../async/share-thread.ts';
import { MAX_DEPTH } from '../../paths/confine.ts';
import { childOf, isPackageFolder } from '../../paths/entry-path.ts';
import { versionOf } from '../../paths/file-version.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isOfThisHost } from '../../paths/temp-name.ts';
import { type EntryState, entryStateOf, NONE } from './entry-state.ts';
import { isSameEntry, type Known, noteSame, type TreeList } from './manifest.ts';

/** Entries that are known at most. Deeper folders, and those of packages, are left out first. */
const MAX_ENTRIES = 100_000;
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/**
 * A stat takes two microseconds where the system remembers the entry. Waiting for a thread of the pool takes ten times as long, and
 * pays where one takes longer than this: on a network, or a cold disk.
 */
const SLOW_STAT_MS = 0.1;
const MEASURED_STATS = 256;
const STATS_PER_TURN = 64;
/** Stands for bytes of a name that aren't UTF-8. */
const REPLACEMENT = '\ufffd';

export interface Changes {
  /** Only what is not as it was: `none` for what is gone. */
  changed: Map<string, EntryState>;
  /** Not everything was read: nothing is known of the rest. */
  isPartial: boolean;
}

/** Compares every entry of a workspace, hidden ones too, with what is known of it, at one stat per entry. */
export async function findChanges(root: string, manifest: TreeList): Promise<Changes> {
  const look = new Look(root, manifest);
  const last: string[] = [];
  let level = [''];
  while (level.length > 0 || last.length > 0) {
    if (level.length === 0) level = last.splice(0);
    const below: string[] = [];
    for (const folder of level) below.push(...(await look.readFolder(folder)));
    last.push(...below.filter(isPackageFolder));
    level = below.filter((path) => !isPackageFolder(path));
  }
  return { changed: look.changed, isPartial: look.isPartial || manifest.renewUnnamed(look.unnamed) };
}

class Look {
  readonly changed = new Map<string, EntryState>();
  isPartial = false;
  /** By folder: what its entries have whose names aren't UTF-8. */
  readonly unnamed = new Map<string, string>();
  readonly #root: string;
  readonly #manifest: TreeList;
  readonly #share = shareThread();
  #entries = 0;
  #isSlow = false;
  #measured = { stats: 0, ms: 0 };

  constructor(root: string, manifest: TreeList) {
    this.#root = root;
    this.#manifest = manifest;
  }

  /** Returns the folders below. */
  async readFolder(folder: string): Promise<string[]> {
    const location = join(this.#root, folder);
    const names = this.#namesIn(folder, location);
    if (names === undefined) {
      this.isPartial = true;
      return [];
    }
    const stats = await this.#statAll(names.map((name) => childOf(location, name)));
    if (names.some((name, index) => stats[index] === undefined && name.includes(REPLACEMENT)))
      this.#takeUnnamed(folder, location);
    const known = this.#manifest.entriesOf(folder);
    const same = await this.#takeEntries(folder, known, names, stats);
    if (known !== undefined && same < known.size) this.#takeGone(folder, known, names, stats);
    return names.filter((_, index) => stats[index]?.isDirectory()).map((name) => childOf(folder, name));
  }

  /** Entries without a usable name can't be kept; a change of one makes what is known of the run incomplete. */
  #takeUnnamed(folder: string, location: string): void {
    const { versions, hasFolders } = unnamedIn(location);
    if (hasFolders) this.isPartial = true;
    this.unnamed.set(folder, versions);
  }

  #namesIn(folder: string, location: string): string[] | undefined {
    const names = namesIn(location);
    this.#entries += names?.length ?? 0;
    if (this.#entries <= MAX_ENTRIES && folder.split('/').length <= MAX_DEPTH) return names;
    this.#entries -= names?.length ?? 0;
    return undefined;
  }

  /** Returns how many entries were known. */
  async #takeEntries(
    folder: string,
    known: Map<string, Known> | undefined,
    names: string[],
    stats: (Stats | undefined)[],
  ): Promise<number> {
    let same = 0;
    for (const [index, name] of names.entries()) {
      const [found, old] = [stats[index], known?.get(name)];
      if (found === undefined) continue;
      if (old !== undefined) same += 1;
      if (old === undefined || !isSameEntry(old, found)) await this.#take(childOf(folder, name), old, found);
    }
    return same;
  }

  async #take(path: string, old: Known | undefined, found: Stats): Promise<void> {
    const state = await entryStateOf(join(this.#root, path), found).catch(() => NONE);
    if (old?.state.kind === 'link' && state.kind === 'link' && old.state.target === state.target)
      noteSame(old, found);
    else this.changed.set(path, state);
    if (old?.state.kind === 'folder' && state.kind !== 'folder') this.#takeBelow(path);
  }

  #takeGone(folder: string, known: Map<string, Known>, names: string[], stats: (Stats | undefined)[]): void {
    const there = new Set(names.filter((_, index) => stats[index] !== undefined));
    for (const name of known.keys()) {
      if (there.has(name)) continue;
      const path = childOf(folder, name);
      this.changed.set(path, NONE);
      this.#takeBelow(path);
    }
  }

  #takeBelow(folder: string): void {
    for (const name of this.#manifest.entriesOf(folder)?.keys() ?? []) {
      this.changed.set(childOf(folder, name), NONE);
      this.#takeBelow(childOf(folder, name));
    }
  }

  async #statAll(paths: string[]): Promise<(Stats | undefined)[]> {
    if (this.#isSlow) return statAll(paths);
    const stats: (Stats | undefined)[] = [];
    for (let at = 0; at < paths.length; at += STATS_PER_TURN) {
      const before = performance.now();
      const some = paths.slice(at, at + STATS_PER_TURN);
      for (const path of some) stats.push(statOrNone(path));
      this.#measure(some.length, performance.now() - before);
      await this.#share();
    }
    return stats;
  }

  #measure(stats: number, ms: number): void {
    this.#measured = { stats: this.#measured.stats + stats, ms: this.#measured.ms + ms };
    if (this.#measured.stats < MEASURED_STATS) return;
    this.#isSlow = this.#measured.ms / this.#measured.stats > SLOW_STAT_MS;
    this.#measured = { stats: 0, ms: 0 };
  }
}

/**
 * Lists a folder that no link leads to. Its entries are then looked at by name: another process that exchanges a folder for a link
 * at that time can have another stat shown, never another name, and what is copied is opened and checked again.
 */
function namesIn(location: string): string[] | undefined {
  try {
    const fd = openSync(location, DIRECTORY);
    try {
      const held = process.platform === 'linux' ? `/proc/self/fd/${fd}` : location;
      const real = held === location ? realpathSync(location) : readlinkSync(held);
      return real === location ? readdirSync(held).filter((name) => !isOfThisHost(name)) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function unnamedIn(location: string): { versions: string; hasFolders: boolean } {
  const versions: string[] = [];
  let hasFolders = false;
  try {
    for (const name of readdirSync(location, 'buffer').filter((name) => !isUtf8(name))) {
      const stats = lstatSync(Buffer.concat([Buffer.from(`${location}/`), name]), { throwIfNoEntry: false });
      hasFolders ||= stats?.isDirectory() ?? false;
      versions.push(`${name.toString('hex')} ${stats && versionOf(stats)}`);
    }
  } catch {
    hasFolders = true;
  }
  return { versions: versions.sort().join('\n'), hasFolders };
}

function statOrNone(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
