import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { writeThenRename } from '../../paths/replace-file.ts';

/** Milliseconds after its last write at which a file counts as left by a dead writer. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Writes a file atomically by way of `unfinished`, a folder on the same file system. Also removes the
 * leftovers of killed writers from there.
 */
export async function writeFileAtomically(
  unfinished: string,
  target: string,
  body: Uint8Array | Readable | AsyncIterable<Uint8Array>,
): Promise<void> {
  await makeFolder(unfinished);
  await makeFolder(dirname(target));
  await removeOlder(unfinished, ABANDONED_MS);
  try {
    await writeThenRename(join(unfinished, randomUUID()), target, body, { mode: 0o600 });
  } finally {
    if (body instanceof Readable) body.destroy(); // also if nobody has read the body, as on a full disk
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Removes entries of the folder that were last written at least `ageMs` ago. Each working or killed writer
 * has one entry.
 */
export async function removeOlder(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const entry = join(folder, name);
    const found = await stat(entry).catch(() => undefined); // another process may have finished the file
    if (found !== undefined && Date.now() - found.mtimeMs > ageMs)
      await rm(entry, { force: true, recursive: true });
  }
}
