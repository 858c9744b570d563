import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';
import type { Config } from '../../lib/config.ts';

/**
 * A file in the data folder with the URL of the host that works on it, for `wrs`. A killed host leaves the file, so
 * readers check the URL.
 */
export const ADDRESS_FILE = 'address.json';

/** Writes the URL. Returns a function that removes the file, unless another host has written its own URL. */
export async function writeAddress({ dataDir, aws }: Config, url: string): Promise<() => Promise<void>> {
  if (aws !== undefined) return async () => {};
  const file = join(dataDir, ADDRESS_FILE);
  const text = JSON.stringify({ url, pid: process.pid });
  await writeFileAtomically(join(dataDir, '.unfinished'), file, Buffer.from(text));
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
  };
}
