import { setImmediate as nextTurn } from 'node:timers/promises';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { log } from '../../log.ts';
import { leadsToOwnPlace } from '../../paths/own-folders.ts';
import { type Workspace, workspaces } from '../../workspaces/schema.ts';
import { type Watcher, watcherLeases, watchers } from './schema.ts';
import { type WatchPorts, WorkspaceWatch } from './watch-folder.ts';

/**
 * Milliseconds between two beats. A beat adds and removes workspaces, renews the lease, and maintains
 * folders.
 */
const BEAT_MS = 5_000;
/** Milliseconds between two checks for quiet changes, while changes wait. */
const FLUSH_MS = 100;
/**
 * Milliseconds of delay for each message that waits for the index or commit worker. A longer delay puts more
 * changes into one message: a commit of 100 paths costs little more than one of two, and ten messages make
 * one commit.
 */
const WAITING_MS = 50;
const MAX_FLUSH_MS = 3_000;
/** The number of workspaces to maintain per beat, in turns. */
const TENDED_AT_A_BEAT = 200;
const TENDED_AT_ONCE = 4;

interface WatchOptions {
  /** True if no other process works on this data, so that the lease of a dead one is taken over at once. */
  isAlone: boolean;
}

/**
 * Watches the folders of all workspaces until it's stopped. Their number may change at any time. Only one
 * process per data folder watches them.
 */
export function watchWorkspaces(ports: WatchPorts, options: WatchOptions): { stop(): Promise<void> } {
  const all = new WatchedFolders(ports, options);
  let beating: Promise<void> | undefined;
  const beat = () => {
    beating ??= all
      .beat()
      .catch((error: unknown) => log.error('folders could not be watched', {}, error))
      .finally(() => {
        beating = undefined;
      });
  };
  const timer = setInterval(beat, BEAT_MS);
  beat();
  return {
    async stop() {
      clearInterval(timer);
      await beating;
      await all.stop();
    },
  };
}

interface Watched {
  workspace: Workspace;
  folder: WorkspaceWatch;
  isNew: boolean;
}

/** Exported for tests, which call beats themselves. */
export class WatchedFolders {
  readonly #ports: WatchPorts;
  readonly #options: WatchOptions;
  readonly #watched = new Map<string, Watched>();
  #mine: Watcher | undefined;
  #flushing: NodeJS.Timeout | undefined;
  #flushMs = FLUSH_MS;
  #tending: Promise<void> | undefined;
  /** The next workspace to maintain. */
  #place = 0;
  #isStopped = false;

  constructor(ports: WatchPorts, options: WatchOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  async beat(): Promise<void> {
    if (!(await this.#holdLease())) return;
    await this.#sayBeat();
    await this.#follow(await this.#listWorkspaces());
    this.#tending ??= this.#tendSome().finally(() => {
      this.#tending = undefined;
    });
  }

  /** Resolves when the latest beat has maintained its folders. */
  async tended(): Promise<void> {
    await this.#tending;
  }

  isPending(): boolean {
    return [...this.#watched.values()].some(({ folder }) => folder.isPending());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#flushing);
    await this.#closeAll();
    await this.tended();
    if (this.#mine !== undefined) await this.#leaveLease(this.#mine);
  }

  async #holdLease(): Promise<boolean> {
    const ports = this.#ports;
    if (this.#mine !== undefined && (await watcherLeases.renew(ports, this.#mine)) !== undefined) return true;
    await this.#closeAll();
    const there = await watchers.get(ports.records, { id: 'watcher' });
    const fresh: Watcher = { id: 'watcher', owner: '', until: 0, beatAt: 0, former: lastBeatOf(there) };
    this.#mine = await (there !== undefined && this.#options.isAlone
      ? watcherLeases.take(ports, there, { set: { beatAt: 0, former: fresh.former } })
      : watcherLeases.acquire(ports, fresh));
    return this.#mine !== undefined;
  }

  /** Keeps the stored state of the folders valid for the next watcher. */
  async #leaveLease(mine: Watcher): Promise<void> {
    const former = lastBeatOf(await watchers.get(this.#ports.records, mine));
    await watcherLeases.leave(this.#ports, mine, { set: { former } });
  }

  /**
   * Within two turns of the event loop, all earlier events have been read. Changes that weren't sent are
   * stored first.
   */
  async #sayBeat(): Promise<void> {
    if (this.#mine === undefined) return;
    const beatAt = this.#ports.clock.now();
    await nextTurn(undefined);
    await nextTurn(undefined);
    for (const { folder } of this.#watched.values()) await folder.store();
    await watchers.patch(this.#ports.records, this.#mine, { beatAt }, { owner: this.#mine.owner });
  }

  async #listWorkspaces(): Promise<Map<string, Workspace>> {
    const found = new Map<string, Workspace>();
    const query = { partition: 'WORKSPACE', limit: 1000 };
    for await (const workspace of workspaces.all(this.#ports.records, query))
      found.set(workspace.id, workspace);
    return found;
  }

  async #follow(current: Map<string, Workspace>): Promise<void> {
    for (const [id, { workspace, folder }] of this.#watched) {
      if (current.get(id)?.rootPath === workspace.rootPath) continue;
      this.#watched.delete(id);
      await folder.close();
    }
    const owner = this.#mine?.owner ?? '';
    for (const [id, workspace] of current) {
      if (this.#isStopped || this.#watched.has(id) || (await leadsToOwnPlace(workspace.rootPath))) continue;
      const folder = new WorkspaceWatch(this.#ports, workspace, { owner, wake: () => this.#wake() });
      this.#watched.set(id, { workspace, folder, isNew: true });
    }
  }

  /** Maintains the new folders, and the next of the others. */
  async #tendSome(): Promise<void> {
    const all = [...this.#watched.values()];
    const old = all.filter(({ isNew }) => !isNew);
    const next = old.slice(this.#place, this.#place + TENDED_AT_A_BEAT);
    this.#place = this.#place + next.length >= old.length ? 0 : this.#place + next.length;
    await forEachConcurrent([...all.filter(({ isNew }) => isNew), ...next], TENDED_AT_ONCE, tend);
  }

  #wake(): void {
    if (!this.#isStopped) this.#flushing ??= setTimeout(() => void this.#flush(), this.#flushMs);
  }

  async #flush(): Promise<void> {
    const pending = [...this.#watched.values()].filter(({ folder }) => folder.isPending());
    await Promise.all(pending.map(({ folder }) => folder.flush()));
    this.#flushMs = Math.min(FLUSH_MS + WAITING_MS * (await this.#countWaiting()), MAX_FLUSH_MS);
    this.#flushing = undefined;
    if (this.isPending()) this.#wake();
  }

  /** Counts the messages of all workspaces that aren't indexed yet. */
  async #countWaiting(): Promise<number> {
    const { touchQueue, commitQueue } = this.#ports;
    const depths = await Promise.all([touchQueue.depth(), commitQueue.depth()]).catch(() => []);
    return depths.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  async #closeAll(): Promise<void> {
    const folders = [...this.#watched.values()];
    this.#watched.clear();
    await Promise.all(folders.map(({ folder }) => folder.close()));
  }
}

/** Returns the latest watcher that has written its state. */
function lastBeatOf(watcher: Watcher | undefined): Watcher['former'] {
  if (watcher === undefined || watcher.owner === '' || watcher.beatAt === 0) return watcher?.former;
  return { owner: watcher.owner, beatAt: watcher.beatAt };
}

async function tend(each: Watched): Promise<void> {
  each.isNew = false;
  await each.folder
    .tend()
    .catch((error: unknown) =>
      log.error('a folder could not be looked after', { workspaceId: each.workspace.id }, error),
    );
}
