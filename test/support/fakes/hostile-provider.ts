import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A response in full: `piece` is sent `times` times between the two others. */
export interface HostileBody {
  type: string;
  start?: string;
  piece?: string;
  times?: number;
  end?: string;
}

/**
 * Responds to every request with one body, from a separate thread, so that the tested thread only reads it.
 * Returns the URL of the server.
 */
export async function startHostileProvider(
  body: HostileBody,
): Promise<{ url: string; stop(): Promise<void> }> {
  const worker = new Worker(new URL('./send-hostile-body.mjs', import.meta.url), { workerData: body });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => void (await worker.terminate()),
  };
}
