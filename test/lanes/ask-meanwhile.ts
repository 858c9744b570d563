import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { queuedTime } from '../support/processes/thread-time.ts';

/**
 * Another client in a separate thread. It requests these paths in turn every few milliseconds, and reports
 * how long each took.
 */
export interface Asking {
  url: string;
  /** The process of the service. */
  pid: number;
  paths: string[];
  headers: Record<string, string>;
  everyMs: number;
}

export interface Asked {
  /** Milliseconds since the epoch. */
  at: number;
  /** Wall-clock time. */
  tookMs: number;
  /**
   * The same without the time in which the requesting thread and the service's threads waited for a processor
   * that other work used.
   */
  busyMs: number;
}

const { url, pid, paths, headers, everyMs } = workerData as Asking;
const agent = new Agent({ keepAlive: true });

for (let turn = 0; ; turn++) {
  const at = Date.now();
  const [started, queued] = [performance.now(), queuedTime(pid)];
  await ask(paths[turn % paths.length] ?? '/');
  const [tookMs, queuedMs] = [performance.now() - started, queuedTime(pid) - queued];
  parentPort?.postMessage({ at, tookMs, busyMs: Math.max(0, tookMs - queuedMs) } satisfies Asked);
  await sleep(everyMs);
}

function ask(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { agent, headers }, (incoming) => {
      incoming.resume().once('end', () => {
        if (incoming.statusCode === 200) resolve();
        else reject(new Error(`${path} answers ${incoming.statusCode}`));
      });
    });
    // a kept connection may be closed while the request is on its way
    const again = () => (outgoing.reusedSocket ? ask(path).then(resolve, reject) : undefined);
    outgoing.once('error', (error) => again() ?? reject(error)).end();
  });
}
