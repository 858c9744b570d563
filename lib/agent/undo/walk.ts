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
import { childOf, foldersOf, isPackageFolder } from '../../paths/entry-path.ts';
import { versionOf } from '../../paths/file-version.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isOfThisHost } from '../../paths/temp-name.ts';
import type { Entries } from './entries.ts';
import { type EntryState, entryStateOf, NONE } from './entry-state.ts';

/** The maximum number of known entries. Deeper folders and those of packages are omitted first. */
const MAX_ENTRIES = 100_000;
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/**
 * Milliseconds at which a stat counts as slow, as on a network or a cold disk. If the system caches the
 * entry, a stat takes two microseconds. Waiting for a thread of the pool takes ten times as long, which pays
 * off only for slow stats.
 */
const SLOW_STAT_MS = 0.4;
const STATS_PER_TURN = 64;
/** Node's replacement for bytes of a name that aren't UTF-8. */
const REPLACEMENT = '\ufffd';

export interface Changes {
  /** Only the changed entries; `none` for a deleted one. */
  changed: Map<string, EntryState>;
  /** Whether some entries couldn't be read, so that their state is unknown. */
  isPartial: boolean;
}

/** Compares every entry of a workspace, including hidden ones, with its known state, with one stat per entry. */
export async function findChanges(root: string, entries: Entries): Promise<Changes> {
  const look = new Look(root, entries);
  const last: string[] = [];
  let level = [''];
  while (level.length > 0 || last.length > 0) {
    if (level.length === 0) level = last.splice(0);
    const below: string[] = [];
    for (const folder of level) below.push(...(await look.readFolder(folder)));
    last.push(...below.filter(isPackageFolder));
    level = below.filter((path) => !isPackageFolder(path));
  }
  return look.end();
}

class Look {
  readonly #root: string;
  readonly #entries: Entries;
  readonly #changed = new Map<string, EntryState>();
  readonly #seen = new Set<string>();
  readonly #unread = new Set<string>();
  readonly #share = shareThread();
  #isPartial = false;
  #unnamed = '';
  #isSlow = false;

  constructor(root: string, entries: Entries) {
    this.#root = root;
    this.#entries = entries;
  }

  /** Returns the folders below a folder. */
  async readFolder(folder: string): Promise<string[]> {
    const location = join(this.#root, folder);
    const names = folder.split('/').length <= MAX_DEPTH ? namesIn(location) : undefined;
    if (names === undefined || this.#seen.size + names.length > MAX_ENTRIES) {
      this.#unread.add(folder);
      return [];
    }
    const stats = await this.#statAll(names.map((name) => childOf(location, name)));
    const folders: string[] = [];
    let isUnnamed = false;
    for (const [index, name] of names.entries()) {
      const [path, found] = [childOf(folder, name), stats[index]];
      isUnnamed ||= found === undefined && name.includes(REPLACEMENT);
      if (found === undefined) continue;
      this.#seen.add(path);
      if (found.isDirectory()) folders.push(path);
      if (isSame(this.#entries.get(path), found)) continue;
      this.#changed.set(path, await entryStateOf(join(this.#root, path), found).catch(() => NONE));
    }
    if (isUnnamed) this.#takeUnnamed(folder, location);
    return folders;
  }

  /**
   * Records entries whose names aren't usable, which can't be stored. If one of them changes, the stored
   * changes of the run are incomplete.
   */
  #takeUnnamed(folder: string, location: string): void {
    const { versions, hasFolders } = unnamedIn(location);
    this.#isPartial ||= hasFolders;
    this.#unnamed += `${folder}\n${versions}\n`;
  }

  end(): Changes {
    for (const path of this.#entries.paths())
      if (!this.#seen.has(path) && !this.#isUnread(path)) this.#changed.set(path, NONE);
    const isPartial = this.#isPartial || this.#unread.size > 0 || this.#unnamed !== this.#entries.unnamed;
    this.#entries.unnamed = this.#unnamed;
    return { changed: this.#changed, isPartial };
  }

  #isUnread(path: string): boolean {
    return this.#unread.size > 0 && ['', ...foldersOf(path)].some((folder) => this.#unread.has(folder));
  }

  async #statAll(paths: string[]): Promise<(Stats | undefined)[]> {
    const stats: (Stats | undefined)[] = [];
    while (stats.length < paths.length && !this.#isSlow) {
      const before = performance.now();
      const some = paths.slice(stats.length, stats.length + STATS_PER_TURN);
      stats.push(...some.map(statOrNone));
      this.#isSlow = performance.now() - before > STATS_PER_TURN * SLOW_STAT_MS;
      await this.#share();
    }
    return stats.length < paths.length ? [...stats, ...(await statAll(paths.slice(stats.length)))] : stats;
  }
}

/** Returns whether the entry is unchanged since then. */
function isSame(known: EntryState | undefined, found: Stats): boolean {
  if (known === undefined) return false;
  if (known.kind === 'folder') return found.isDirectory() && known.mode === (found.mode & 0o7777);
  return 'version' in known && known.version === versionOf(found);
}

/**
 * Lists a folder that isn't reached through a link, then checks its entries by name. If another process
 * replaces a folder with a link at that time, it can change a stat, but never a name, and copied files are
 * opened and checked again.
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
