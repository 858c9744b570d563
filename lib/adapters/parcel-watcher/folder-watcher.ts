import { relative, sep } from 'node:path';
import { type AsyncSubscription, subscribe } from '@parcel/watcher';
import { type FolderEvents, type FolderWatcher, Unwatchable } from '../../ports/folder-watcher.ts';

/**
 * The watcher for macOS and Windows, which report changes of whole trees. The library reports dropped events;
 * Node's own recursive `fs.watch` doesn't on macOS. On Linux, the library loses events of moved folders (ADR
 * 0072).
 */
export function parcelWatcher(start: typeof subscribe = subscribe): FolderWatcher {
  return {
    whyNot: async () => undefined,
    async watch(root, _tree, tell) {
      const watching = new Subscription(root, tell, start);
      await watching.begin();
      return {
        unreportedSince: () => watching.failedAt,
        refresh: async () => {},
        close: () => watching.close(),
      };
    },
  };
}

class Subscription {
  /** When the watcher failed; undefined after a restart. */
  failedAt: number | undefined;
  readonly #root: string;
  readonly #tell: FolderEvents;
  readonly #start: typeof subscribe;
  #current: AsyncSubscription | undefined;
  #renewing: Promise<void> | undefined;
  #isClosed = false;

  constructor(root: string, tell: FolderEvents, start: typeof subscribe) {
    this.#root = root;
    this.#tell = tell;
    this.#start = start;
  }

  async begin(): Promise<void> {
    this.#current = await this.#start(this.#root, (error, events) => {
      if (this.#isClosed) return;
      if (error !== null) this.#fail();
      else for (const { path } of events) this.#tell.changed(relative(this.#root, path).split(sep).join('/'));
    }).catch((error: unknown) => {
      throw new Unwatchable('system', error);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#renewing;
    await this.#current?.unsubscribe();
  }

  #fail(): void {
    this.failedAt ??= Date.now();
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
      this.failedAt = undefined;
    });
  }

  /** Restarts the subscription after an overflow, which ends it on Windows, but not with FSEvents. */
  async #renew(): Promise<void> {
    const former = this.#current;
    this.#current = undefined;
    await former?.unsubscribe().catch(() => {});
    try {
      await this.begin();
      this.#tell.lost();
    } catch {
      this.#tell.ended('system');
    }
  }
}
