import { type FSWatcher, lstatSync, readFileSync, watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { childOf } from '../../paths/entry-path.ts';
import {
  type FolderEvents,
  type FolderWatch,
  type FolderWatcher,
  Unwatchable,
  type WatchedTree,
} from '../../ports/folder-watcher.ts';
import { hasNetworkMount, mountReader } from './network-mounts.ts';

/** Maximum watched folders of all workspaces; each costs about a kilobyte here, and another in the kernel. */
const MAX_FOLDERS = 50_000;
/** The service's share of the watches that this user may have, because other programs need some too. */
const SHARE_OF_WATCHES = 0.8;
/** Number of entries that may appear or disappear at once; beyond it, all folders are visited instead. */
const MAX_ENTRIES_AT_ONCE = 1000;

interface Limits {
  maxFolders: number;
  /**
   * Number of events that the kernel queues for this process. It drops further ones, and Node doesn't report
   * that.
   */
  maxEvents: number;
}

/**
 * The watcher for Linux. It uses one watch per folder, because inotify has no recursive watches. Node's own
 * `fs.watch` passes on inotify's events; this class adds and removes watches as folders appear, disappear,
 * and move.
 */
export function inotifyWatcher({ maxFolders, maxEvents }: Limits = readLimits()): FolderWatcher {
  const trees = new Map<Tree, Pick<FolderEvents, 'lost'>>();
  const budget = { left: maxFolders };
  const mounts = mountReader();
  const noticeBurst = burstNotice(maxEvents / 2, () => {
    for (const { lost } of trees.values()) lost();
  });
  // Without this, a workspace that uses up all watches would end the watch of the next workspace with a new
  // folder. A workspace whose watch is just starting ends no other watch, because two large trees would keep
  // ending each other.
  const makeRoom = (asking: Tree) => {
    if (!trees.has(asking)) return;
    const largest = [...trees.keys()].reduce((one, other) => (other.size > one.size ? other : one), asking);
    if (largest === asking) return;
    trees.delete(largest);
    largest.giveUp();
  };
  return {
    limit: { folders: maxFolders, setting: 'fs.inotify.max_user_watches' },
    whyNot: async (root) => (hasNetworkMount(await mounts(), root) ? 'network' : undefined),
    async watch(root, tree, tell) {
      const watching = new Tree(root, tree, tell, { budget, noticeBurst, makeRoom });
      try {
        await watching.refresh();
      } catch (error) {
        await watching.close();
        throw error;
      }
      trees.set(watching, tell);
      return {
        unreportedSince: () => watching.unreportedSince(),
        refresh: () => watching.refresh(),
        async close() {
          trees.delete(watching);
          await watching.close();
        },
      };
    },
  };
}

function readLimits(): Limits {
  const limit = (name: string, fallback: number) => {
    try {
      return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8'));
    } catch {
      return fallback;
    }
  };
  return {
    maxFolders: Math.min(MAX_FOLDERS, Math.floor(limit('max_user_watches', 8192) * SHARE_OF_WATCHES)),
    maxEvents: limit('max_queued_events', 16_384),
  };
}

/**
 * Detects that the kernel may have dropped events. It drops events only while its queue is full, and Node
 * empties the queue in one turn of the event loop, so a turn with at most `most` events proves that none was
 * dropped. `most` is half of the queue, which also contains events of ended watches that Node doesn't report.
 */
function burstNotice(most: number, onBurst: () => void): () => void {
  let events = 0;
  return () => {
    if (events++ > 0) return;
    setImmediate(() => {
      const isBurst = events > most;
      events = 0;
      if (isBurst) onBurst();
    });
  };
}

interface Shared {
  budget: { left: number };
  noticeBurst(): void;
  /** Ends the watch of the largest tree, unless `asking` itself is the largest. */
  makeRoom(asking: Tree): void;
}

/** A watched folder, with its watched subfolders by name. */
interface Node {
  watcher: FSWatcher;
  children: Map<string, Node>;
  isOpen: boolean;
}

/** The watches of one root. Checks for each entry that appeared or disappeared whether it is a folder. */
class Tree implements FolderWatch {
  readonly #root: string;
  readonly #tree: WatchedTree;
  readonly #tell: FolderEvents;
  readonly #shared: Shared;
  #top: Node | undefined;
  #isClosed = false;
  /** Entries that appeared or disappeared, each with the time of its event. */
  readonly #entries = new Map<string, number>();
  #working: Promise<void> | undefined;
  #workingSince: number | undefined;
  #size = 0;

  constructor(root: string, tree: WatchedTree, tell: FolderEvents, shared: Shared) {
    this.#root = root;
    this.#tree = tree;
    this.#tell = tell;
    this.#shared = shared;
  }

  unreportedSince(): number | undefined {
    return this.#workingSince;
  }

  /** Number of watches that the tree uses. */
  get size(): number {
    return this.#size;
  }

  /** Stops watching, so that other trees can be watched. */
  giveUp(): void {
    this.#end();
    this.#tell.ended('limit');
  }

  /**
   * Starts new watches before it ends the old ones, so that there is no gap. A folder that is watched twice costs the
   * kernel one watch.
   */
  async refresh(): Promise<void> {
    const before = this.#top;
    const twice = before === undefined ? 0 : countNodes(before);
    this.#take(-twice);
    let next: Node | undefined;
    try {
      await this.#tree.visit('', (folder) => {
        if (folder === '') next = this.#start('');
        else this.#add(next, folder);
      });
      if (next === undefined) throw new Unwatchable('system');
      this.#top = next;
      if (before !== undefined) this.#drop(before);
    } catch (error) {
      if (next !== undefined) this.#drop(next);
      throw error;
    } finally {
      this.#take(twice);
    }
    if (this.#isClosed) this.#end();
  }

  #take(watches: number): void {
    this.#size += watches;
    this.#shared.budget.left -= watches;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#working;
  }

  #onEvent(folder: string, event: string, name: string | null): void {
    if (this.#isClosed) return;
    this.#shared.noticeBurst();
    if (name === null) this.#tell.lost();
    else if (event === 'change') this.#tell.changed(childOf(folder, name));
    else this.#noteEntry(childOf(folder, name));
  }

  #noteEntry(path: string): void {
    const now = Date.now();
    if (!this.#entries.has(path)) this.#entries.set(path, now);
    this.#workingSince ??= now;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    await nextTurn(undefined); // a move is two events, which are reported at once
    try {
      while (this.#entries.size > 0 && !this.#isClosed) {
        this.#workingSince = this.#entries.values().next().value;
        if (this.#entries.size > MAX_ENTRIES_AT_ONCE) await this.#lookEverywhere();
        else await this.#lookAtEach();
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#end();
      this.#tell.ended(error instanceof Unwatchable ? error.reason : 'system');
    } finally {
      this.#workingSince = undefined;
      this.#working = undefined;
    }
  }

  async #lookEverywhere(): Promise<void> {
    this.#entries.clear();
    await this.refresh();
    this.#tell.lost();
  }

  async #lookAtEach(): Promise<void> {
    const paths = [...this.#entries.keys()];
    this.#entries.clear();
    for (const path of paths) {
      // Dropped even if a folder exists there again, because it may be another folder of the same name.
      this.#dropAt(path);
      if (isFolder(join(this.#root, path)))
        await this.#tree.visit(path, (folder) => this.#add(this.#top, folder));
    }
    // A folder also reports its own end, as if an entry of its own name inside it had ended.
    for (const path of paths) if (locate(this.#top, path)[0] !== undefined) this.#tell.changed(path);
  }

  #add(top: Node | undefined, folder: string): void {
    const [parent, name] = locate(top, folder);
    const node = parent && this.#start(folder); // otherwise the parent was removed in the meantime
    const before = parent?.children.get(name);
    if (before !== undefined) this.#drop(before);
    if (node !== undefined) parent?.children.set(name, node);
  }

  #start(folder: string): Node | undefined {
    if (this.#isClosed) return undefined;
    if (this.#shared.budget.left <= 0) this.#shared.makeRoom(this);
    if (this.#shared.budget.left <= 0) throw new Unwatchable('limit');
    try {
      const watcher = watchFolder(join(this.#root, folder), { persistent: false }, (event, name) =>
        this.#onEvent(folder, event, name),
      );
      watcher.on('error', () => this.#tell.lost());
      this.#take(1);
      return { watcher, children: new Map(), isOpen: true };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // The parent reports a removal, and the walk can't read an unreadable folder either.
      if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code)) return undefined;
      throw new Unwatchable(['ENOSPC', 'EMFILE'].includes(code) ? 'limit' : 'system', error);
    }
  }

  #dropAt(path: string): void {
    const [parent, name] = locate(this.#top, path);
    const node = parent?.children.get(name);
    if (node !== undefined) this.#drop(node);
    parent?.children.delete(name);
  }

  #drop(node: Node): void {
    if (!node.isOpen) return; // a refresh drops old watches, possibly including this one
    node.isOpen = false;
    node.watcher.close();
    this.#take(-1);
    for (const child of node.children.values()) this.#drop(child);
  }

  #end(): void {
    this.#isClosed = true;
    if (this.#top !== undefined) this.#drop(this.#top);
    this.#top = undefined;
  }
}

function countNodes({ children }: Node): number {
  return [...children.values()].reduce((sum, child) => sum + countNodes(child), 1);
}

/** Returns the node that contains the path, and the remaining name below it. */
function locate(top: Node | undefined, path: string): [Node | undefined, string] {
  const names = path.split('/');
  const name = names.pop() ?? '';
  return [names.reduce<Node | undefined>((node, each) => node?.children.get(each), top), name];
}

/** Synchronous, because one call per changed entry costs less than a thread for each. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // the walk can't read the folder either
  }
}
