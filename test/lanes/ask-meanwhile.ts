import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Another client, in a thread of its own: asks these paths in turn every few milliseconds, and tells how long each took. */
export interface Asking {
  url: string;
  paths: string[];
  headers: Record<string, string>;
  everyMs: number;
}

export interface Asked {
  /** Milliseconds since the epoch. */
  at: number;
  tookMs: number;
}

const { url, paths, headers, everyMs } = workerData as Asking;
const agent = new Agent({ keepAlive: true });

for (let turn = 0; ; turn++) {
  const at = Date.now();
  const started = performance.now();
  await ask(paths[turn % paths.length] ?? '/');
  parentPort?.postMessage({ at, tookMs: performance.now() - started } satisfies Asked);
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
    outgoing.once('error', reject).end();
  });
}
