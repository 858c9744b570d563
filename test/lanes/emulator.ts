import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPersistentMinistack } from './servers/ministack.ts';

/**
 * The AWS services of `npm start -- --aws` without Docker or an account: starts MiniStack on loopback until Ctrl-C, and keeps
 * its data in `.data/emulator`. `--port` and `--data` change that.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4566' },
    data: { type: 'string', default: resolve(import.meta.dirname, '../../.data/emulator') },
  },
});
const stopped = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
try {
  const { url, stop } = await startPersistentMinistack(Number(values.port), resolve(values.data));
  console.error(`MiniStack has the AWS services at ${url}, and its data in ${values.data}.
In another terminal: npm start -- --aws ${url}
Ctrl-C stops it and saves its data; a kill loses changes since the start.`);
  await stopped;
  await stop();
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
