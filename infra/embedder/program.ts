import { once } from 'node:events';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { frameReader, writeFrame } from '../../lib/isolation/frames.ts';
import { CHANNEL } from '../../lib/isolation/program.ts';
import { log } from '../../lib/log.ts';
import { findChanged, type Manifest, readEmbedderManifest } from './manifest.ts';
import { loadModel } from './model.ts';
import { embedderServer } from './server.ts';

/** The order of the supervisor: not arguments, which every user on the host can read. */
export interface Order {
  folder: string;
  port: number;
  key: string;
}

/** Reports to the supervisor. A refusal is final: another start would end the same way. */
export type Report = { listening: true } | { ready: true } | { refusal: string };

/** An order is short. */
const MAX_ORDER_BYTES = 64 * 1024;

/** Runs as a separate process (supervise.ts), until its parent ends. */
function serve(): void {
  const channel = new Socket({ fd: CHANNEL });
  const report = (message: Report) => writeFrame(channel, message);
  const read = frameReader(
    () => MAX_ORDER_BYTES,
    (order) => {
      work(order as Order, report).catch((error: Error) => {
        log.error('the embedder ends', {}, error);
        process.exit(1);
      });
    },
  );
  channel.on('data', read);
  channel.once('close', () => process.exit());
}

/** Listens first: requests during loading wait for the model. */
async function work({ folder, port, key }: Order, report: (message: Report) => void): Promise<void> {
  const manifest = await readEmbedderManifest(folder);
  if (manifest === undefined) return report({ refusal: 'it is not installed' });
  const embed = load(folder, manifest, report);
  const server = embedderServer({ embed, key, manifest });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  report({ listening: true });
  await embed;
  report({ ready: true });
}

async function load(folder: string, manifest: Manifest, report: (message: Report) => void) {
  const changed = await findChanged(folder, manifest);
  if (changed !== undefined) {
    report({
      refusal: `${changed} is not the file that was installed: npm run embedder -- install, or remove`,
    });
    return new Promise<never>(() => {}); // the supervisor ends it
  }
  // One core is left to the service.
  return loadModel(folder, Math.max(1, availableParallelism() - 1));
}

if (import.meta.main) serve();
