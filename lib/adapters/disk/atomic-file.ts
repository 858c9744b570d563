import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { writeThenRename } from '../../paths/replace-file.ts';

/** Milliseconds since its last write after which a file belongs to a dead writer. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Writes a file atomically through `unfinished`, a folder of the same file system. Also removes leftovers of killed
 * writers there.
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
    if (body instanceof Readable) body.destroy(); // also if the body was never read, as on a full disk
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Removes entries of the folder that were last written at least `ageMs` ago. There is one entry per working or killed
 * writer.
 */
export async function removeOlder(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const entry = join(folder, name);
    const found = await stat(entry).catch(() => undefined); // finished meanwhile
    if (found !== undefined && Date.now() - found.mtimeMs > ageMs)
      await rm(entry, { force: true, recursive: true });
  }
}
