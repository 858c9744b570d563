import { openInside } from '../../paths/confine.ts';
import { versionOf } from '../../paths/file-version.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import { BROUGHT } from './brought-limits.ts';
import type { ListedEntry } from './command-message.ts';
import { entryOf, type FileSource, type Listed } from './list-workspace.ts';
import { frameOf, PACK_END } from './pack.ts';

/** Number of small files to read concurrently, because each takes milliseconds on a network file system. */
const FILES_AT_ONCE = 64;
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/**
 * Yields the files in a list that the function lacks, with their current bytes. Omits a file that changes while it's
 * read, because its bytes could be older than its stat.
 */
export async function* packFiles(listed: Listed, indexes: number[]): AsyncGenerator<Buffer> {
  for (const batch of batchesOf(listed.entries, indexes)) {
    const frames = await Promise.all(batch.map((index) => frameFile(listed, index)));
    for (const frame of frames) yield frame;
  }
  yield PACK_END;
}

async function frameFile({ entries, sources }: Listed, index: number): Promise<Buffer> {
  const [entry, source] = [entries[index], sources[index]];
  const found = entry && source && (await readFileNow(entry, source).catch(() => undefined));
  return found === undefined ? frameOf({ index }) : frameOf({ index, entry: found.entry }, found.bytes);
}

async function readFileNow(
  { path }: ListedEntry,
  source: FileSource,
): Promise<{ entry: ListedEntry; bytes: Buffer }> {
  await using handle = await openInside(source.root, source.path);
  const before = await handle.stat();
  const { size } = before;
  if (size > BROUGHT.fileBytes) throw new RangeError('The file is too large now.');
  const bytes = await readAtMost(handle, size);
  const stats = await handle.stat();
  if (versionOf(stats) !== versionOf(before) || size !== bytes.length)
    throw new RangeError('The file is being written.');
  return { entry: entryOf(path, 'file', stats), bytes };
}

function* batchesOf(entries: ListedEntry[], indexes: number[]): Generator<number[]> {
  let batch: number[] = [];
  let bytes = 0;
  for (const index of indexes) {
    const { kind, size } = entries[index] ?? { kind: 'folder', size: 0 };
    if (kind !== 'file') continue;
    if (batch.length === FILES_AT_ONCE || (batch.length > 0 && bytes + size > BYTES_AT_ONCE)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(index);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
