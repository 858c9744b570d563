import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPersistentMinistack } from './servers/ministack.ts';

/**
 * Replaces the AWS services for `npm start -- --aws`, without Docker or an account: runs MiniStack on
 * loopback until Ctrl-C, and keeps its data in `.data/emulator`. `--port` and `--data` change these.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4566' },
    data: { type: 'string', default: resolve(import.meta.dirname, '../../.data/emulator') },
  },
});
const port = Number(values.port);
// Ctrl-C arrives twice, from the terminal and from npm. The second one must not end this process while
// MiniStack saves.
const stopped = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, done);
});
process.once('beforeExit', () => end('MiniStack ended by itself. Start it again.'));
try {
  await requireFree();
  const { url, stop } = await startPersistentMinistack(port, resolve(values.data));
  console.error(`MiniStack has the AWS services at ${url}, and its data in ${values.data}.
In another terminal: npm start -- --aws ${url}
Ctrl-C stops it and saves its data; a kill loses changes since the start.`);
  await stopped;
  await stop();
  process.exit(0);
} catch (error) {
  end((error as Error).message);
}

/** Otherwise, another server on the port would be mistaken for MiniStack. */
async function requireFree(): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `Port ${port} can't be used (${error.code}). Stop the emulator there, or add --port 4567.`,
    );
  });
  server.close();
  await once(server, 'close');
}

function end(message: string): never {
  console.error(message);
  process.exit(1);
}
