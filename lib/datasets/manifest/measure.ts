import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { requireRefusal } from '../../known-error.ts';
import { openInside } from '../../paths/confine.ts';
import type { ManifestFile } from '../schema.ts';
import { rowCounter } from '../tables/counters.ts';
import { countParquetRows } from '../tables/read-table.ts';
import { datasetFormatOf } from './formats.ts';

const CHUNK = 1024 * 1024;
/**
 * In bytes. Larger files aren't read, because counting can't be suspended, and a worker's call has a time
 * limit.
 */
const MAX_READ_BYTES = 64 * 1024 ** 3;

/**
 * Counts a file's rows and hashes it, in one pass with limited memory. Doesn't read the file if its hash is
 * known and its rows can't be counted this way. `checkMayGoOn` is called between chunks, and may throw to
 * stop.
 */
export async function measureFile(
  root: string,
  { path, sha256 }: { path: string; sha256: string | null },
  checkMayGoOn: () => void,
): Promise<ManifestFile> {
  const format = datasetFormatOf(path);
  await using handle = await openInside(root, path);
  const { size } = await handle.stat();
  const readable = size <= MAX_READ_BYTES;
  const counter = readable ? rowCounter(format) : undefined;
  const hash = readable && sha256 === null ? createHash('sha256') : undefined;
  if (counter !== undefined || hash !== undefined) {
    for await (const chunk of chunksOf(handle)) {
      hash?.update(chunk);
      counter?.push(chunk);
      checkMayGoOn();
    }
  }
  const rows = format === 'parquet' ? await parquetRows(handle, size) : (counter?.end() ?? null);
  return { path, format, sizeBytes: size, rows, sha256: hash?.digest('hex') ?? sha256 };
}

async function parquetRows(handle: FileHandle, size: number): Promise<number | null> {
  try {
    return await countParquetRows({ handle, size });
  } catch (error) {
    requireRefusal(error);
    return null; // only this file is damaged
  }
}

/** Yields the chunks of a file in one buffer. Each chunk overwrites the previous one. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
