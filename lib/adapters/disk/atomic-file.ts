import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { flush } from '../../paths/flush.ts';

/** A file that was last written to this long ago belongs to a writer that died. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Writes into `unfinished`, a folder of the same file system, and renames: a reader, or a start after a crash, sees the
 * old bytes or the new ones. What killed writers left in that folder is removed in passing.
 */
export async function writeFileAtomically(
  unfinished: string,
  target: string,
  body: Uint8Array | Readable | AsyncIterable<Uint8Array>,
): Promise<void> {
  await makeFolder(unfinished);
  await makeFolder(dirname(target));
  await removeOlder(unfinished, ABANDONED_MS);
  const temporary = join(unfinished, randomUUID());
  try {
    const source = body instanceof Uint8Array ? Readable.from([body]) : body;
    await pipeline(source, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }));
    await flush(temporary);
    await rename(temporary, target);
    await flush(dirname(target));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Removes the entries of the folder that were last written that long ago. There are as many entries as writers that are
 * working or were killed.
 */
export async function removeOlder(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const entry = join(folder, name);
    const found = await stat(entry).catch(() => undefined); // finished meanwhile
    if (found !== undefined && Date.now() - found.mtimeMs > ageMs)
      await rm(entry, { force: true, recursive: true });
  }
}
