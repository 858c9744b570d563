import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../lib/config.ts';
import { log } from '../../lib/log.ts';

const AGAIN_MS = 5_000;
const STOP_MS = 2_000;

/** Starts the thread that watches the folders of workspaces, and restarts it if it dies. */
export function watchFolders(config: Config): { close(): Promise<void> } {
  let worker: Worker | undefined;
  let isClosed = false;
  const start = () => {
    if (isClosed) return;
    worker = new Worker(new URL('./watch-thread.mjs', import.meta.url), {
      workerData: { isAlone: !config.sharesData },
    });
    worker.on('error', (error) => log.error('the thread that watches folders failed', {}, error));
    worker.on('exit', () => {
      worker = undefined;
      setTimeout(start, AGAIN_MS).unref();
    });
  };
  start();
  return {
    async close() {
      isClosed = true;
      if (worker === undefined) return;
      const ended = once(worker, 'exit');
      worker.postMessage('stop');
      const cut = setTimeout(() => void worker?.terminate(), STOP_MS);
      await ended;
      clearTimeout(cut);
    },
  };
}
