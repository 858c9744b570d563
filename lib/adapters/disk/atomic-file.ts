import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes beside the target and renames: a reader, or a start after a crash, sees the old bytes or the new ones. */
export async function writeFileAtomically(
  target: string,
  body: Uint8Array | Readable | AsyncIterable<Uint8Array>,
  mode = 0o600,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const source = body instanceof Uint8Array ? Readable.from([body]) : body;
    await pipeline(source, createWriteStream(temporary, { mode, flags: 'wx' }));
    await flush(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Onto the disk before the rename: otherwise a power cut could leave the new name with no bytes. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
