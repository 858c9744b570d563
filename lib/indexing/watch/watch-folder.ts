import { stat } from 'node:fs/promises';
import { log } from '../../log.ts';
import { isTempName } from '../../paths/temp-name.ts';
import {
  type FolderWatch,
  type FolderWatcher,
  Unwatchable,
  type UnwatchedReason,
} from '../../ports/folder-watcher.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { type TouchPorts, touchWorkspace } from '../enqueue.ts';
import { isSkippedName } from '../scan/ignore-rules.ts';
import { decidesOnOthers } from '../scan/rule-files.ts';
import { visitFolders } from '../scan/walk.ts';
import { folderLooks, isRunning, syncs } from '../schema.ts';
import { comparedAt, NOTICED_MS, readEndOfWatch } from './as-of.ts';
import { PendingChanges } from './pending-changes.ts';
import { reportChanges } from './report-changes.ts';
import { folderWatches, type StoredWatch } from './schema.ts';

export interface WatchPorts extends TouchPorts {
  commitQueue: Pick<Queue, 'depth'>;
  watcher: FolderWatcher;
}

/** Milliseconds between two comparisons of a folder that can't be watched; more if comparing takes long. */
const POLL_MS = 15_000;
const MAX_POLL_MS = 10 * 60_000;
const TIMES_A_LOOK = 50;
/**
 * Milliseconds between two comparisons of a watched folder. The system may lose a change without reporting
 * it.
 */
const COMPARE_MS = 60 * 60_000;
/** Milliseconds after which a look is requested again if it didn't happen. */
const ASK_AGAIN_MS = 15_000;
/** Milliseconds between two attempts to watch a folder. */
const RETRY_MS = 5 * 60_000;

/** Some watchers of whole trees report changes in `.git` and `node_modules` too. */
function isNeverIndexed(path: string): boolean {
  const folders = path.split('/');
  return isTempName(folders.pop() ?? '') || folders.some((name) => isSkippedName(name, true));
}

/** The watch of one workspace's folder. */
export class WorkspaceWatch {
  readonly #ports: WatchPorts;
  readonly #workspace: Pick<Workspace, 'id' | 'rootPath'>;
  readonly #owner: string;
  readonly #wake: () => void;
  readonly #changes = new PendingChanges();
  #watch: FolderWatch | undefined;
  #watching: StoredWatch['watching'] = 'off';
  #reason: UnwatchedReason | 'missing' | undefined;
  /** Distinguishes the folder from another one with the same name. */
  #identity: string | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #comparedAt = 0;
  /** The time of changes that were taken from `#changes` but haven't been sent yet. */
  #sendingSince: number | undefined;
  /** True if a look or sync that started after `#since` is complete. */
  #isComplete = false;
  #since = 0;
  #upTo: number | null = null;
  #stored: StoredWatch | undefined;
  #isClosed = false;

  /** `owner` holds the watcher's lease; `wake` requests a call of `flush()`. */
  constructor(ports: WatchPorts, workspace: Workspace, { owner, wake }: { owner: string; wake: () => void }) {
    this.#ports = ports;
    this.#workspace = workspace;
    this.#owner = owner;
    this.#wake = wake;
  }

  isPending(): boolean {
    return this.#pendingSince() !== undefined;
  }

  /** Sends the changes that are quiet. Never throws. */
  async flush(): Promise<void> {
    // A moved folder has two changed paths, which are sent together.
    if (this.#sendingSince !== undefined || this.#watch?.unreportedSince() !== undefined) return;
    const due = this.#changes.takeDue(this.#ports.clock.now());
    if (due === undefined) return;
    this.#sendingSince = due.since;
    try {
      await this.#send(due.paths, due.since);
    } catch (error) {
      log.error('changes of a folder could not be sent', { workspaceId: this.#workspace.id }, error);
      this.#changes.addAll(this.#ports.clock.now());
    } finally {
      this.#sendingSince = undefined;
    }
  }

  /** Stores the state if it has changed. */
  async store(): Promise<void> {
    const now: StoredWatch = {
      ...{ workspaceId: this.#workspace.id, watcher: this.#owner, watching: this.#watching },
      ...{ reason: this.#reason, since: this.#since, upTo: this.#upTo },
      pendingSince: this.#pendingSince() ?? null,
    };
    if (this.#watching === 'off' || JSON.stringify(now) === JSON.stringify(this.#stored)) return;
    await folderWatches.put(this.#ports.records, now);
    this.#stored = now;
  }

  /** Maintains the watch periodically: starts it, polls, and retries. */
  async tend(): Promise<void> {
    if (await this.#mustBegin()) await this.#begin();
    if (this.#isClosed) return;
    if (this.#watching === 'live') await this.#compareWatched();
    else if (this.#identity !== undefined) await this.#comparePolled();
    await this.store();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watch?.close();
  }

  async #mustBegin(): Promise<boolean> {
    if (this.#watching === 'off' || (await this.#identify()) !== this.#identity) return true;
    if (this.#watching !== 'live') return this.#ports.clock.now() - this.#triedAt >= RETRY_MS;
    return (await this.#ports.watcher.whyNot(this.#workspace.rootPath)) !== undefined;
  }

  async #begin(): Promise<void> {
    const { records, clock, watcher } = this.#ports;
    if (this.#watching === 'off') this.#upTo = await readEndOfWatch(records, this.#workspace.id);
    const pending = this.#pendingSince();
    await this.#watch?.close();
    this.#watch = undefined;
    this.#forgetComplete(pending);
    this.#triedAt = clock.now();
    this.#identity = await this.#identify();
    if (this.#identity === undefined) return this.#poll('missing');
    const whyNot = await watcher.whyNot(this.#workspace.rootPath);
    if (whyNot !== undefined) return this.#poll(whyNot);
    await this.#beginWatching().catch((error: unknown) => this.#pollAfter(error));
  }

  async #beginWatching(): Promise<void> {
    const { rootPath } = this.#workspace;
    const visit = (path: string, visitor: (folder: string) => void) => visitFolders(rootPath, path, visitor);
    const now = () => this.#ports.clock.now();
    this.#watch = await this.#ports.watcher.watch(
      rootPath,
      { visit },
      {
        changed: (path) => {
          if (isNeverIndexed(path)) return;
          this.#changes.add(path, now());
          this.#wake();
        },
        lost: () => {
          this.#changes.addAll(now());
          this.#wake();
        },
        ended: (why) => {
          this.#watch = undefined;
          this.#forgetComplete(this.#pendingSince());
          this.#poll(why);
        },
      },
    );
    if (this.#isClosed) return this.#watch.close();
    this.#watching = 'live';
    this.#reason = undefined;
    this.#forgetComplete(undefined);
    await this.store();
    await this.#askForLook();
  }

  #poll(why: UnwatchedReason | 'missing'): void {
    if (this.#watching !== 'polling' || this.#reason !== why)
      log.warn('a folder is polled, because it cannot be watched', {
        workspaceId: this.#workspace.id,
        reason: why,
      });
    this.#watching = 'polling';
    this.#reason = why;
  }

  #pollAfter(error: unknown): void {
    if (!(error instanceof Unwatchable))
      log.error('a folder could not be watched', { workspaceId: this.#workspace.id }, error);
    this.#poll(error instanceof Unwatchable ? error.reason : 'system');
  }

  /** From here on, the index is complete only after another look. */
  #forgetComplete(pendingSince: number | undefined): void {
    const now = this.#ports.clock.now();
    if (this.#isComplete) this.#upTo = Math.min(pendingSince ?? now, now - NOTICED_MS);
    this.#isComplete = false;
    this.#since = now;
  }

  #pendingSince(): number | undefined {
    const times = [this.#changes.since(), this.#sendingSince, this.#watch?.unreportedSince()];
    const known = times.filter((each) => each !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async #send(paths: string[] | undefined, since: number): Promise<void> {
    if (paths !== undefined && !paths.some(decidesOnOthers))
      return reportChanges(this.#ports, this.#workspace, { paths, since });
    if (paths !== undefined) await this.#watch?.refresh();
    this.#forgetComplete(since);
    await this.store();
    await this.#askForLook();
  }

  async #askForLook(): Promise<void> {
    this.#askedAt = this.#ports.clock.now();
    await touchWorkspace(this.#ports, this.#workspace.id);
  }

  async #compareWatched(): Promise<void> {
    const { records, clock } = this.#ports;
    const isOld = clock.now() - this.#comparedAt >= COMPARE_MS;
    if (this.#isComplete && !isOld) return;
    const workspaceId = this.#workspace.id;
    const sync = await syncs.get(records, { workspaceId });
    const look = await folderLooks.get(records, { workspaceId });
    this.#comparedAt = comparedAt(sync, look);
    this.#isComplete = this.#comparedAt >= this.#since;
    const isDue = !this.#isComplete || clock.now() - this.#comparedAt >= COMPARE_MS;
    const isAtWork = sync !== undefined && isRunning(sync.status);
    if (isDue && !isAtWork && clock.now() - this.#askedAt >= ASK_AGAIN_MS) await this.#askForLook();
  }

  async #comparePolled(): Promise<void> {
    const look = await folderLooks.get(this.#ports.records, { workspaceId: this.#workspace.id });
    const everyMs = Math.min(Math.max(POLL_MS, (look?.tookMs ?? 0) * TIMES_A_LOOK), MAX_POLL_MS);
    const latest = Math.max(look?.startedAt ?? 0, this.#askedAt);
    if (this.#ports.clock.now() - latest >= everyMs) await this.#askForLook();
  }

  async #identify(): Promise<string | undefined> {
    const stats = await stat(this.#workspace.rootPath, { bigint: true }).catch(() => undefined);
    return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined;
  }
}
