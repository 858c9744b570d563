import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before the first test: an empty folder becomes the temporary folder of this run, for the tests and for
 * processes that they start. check-run-folder.ts checks it when the run is over. Compiled code next to it
 * saves each started process from compiling the service again.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for one
export default async function makeRunFolder(): Promise<void> {
  const run = await mkdtemp(join(tmpdir(), 'wrs-run-'));
  process.env.TMPDIR = join(run, 'tmp');
  process.env.NODE_COMPILE_CACHE = join(run, 'compiled');
  await mkdir(process.env.TMPDIR);
}
