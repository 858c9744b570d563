import type { HubFile } from '../../ports/hub.ts';
import type { Part, PlannedFile, Work } from './records.ts';

/** Files up to this lie together in a part. */
const SMALL_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;
/** Their names must fit into a record. */
const BATCH_NAME_BYTES = 100_000;
/** A file up to this is fetched, and hashed as it comes, by one worker; of a larger one each range by another. */
const WHOLE_BYTES = 256 * 1024 * 1024;
const RANGE_BYTES = 128 * 1024 * 1024;

/** Cuts a list of files into parts, numbered from `next` on. */
export function partSplitter(datasetId: string, next: number) {
  let batch: PlannedFile[] = [];
  let [bytes, nameBytes] = [0, 0];
  const part = (fields: Pick<Part, 'kind' | 'files' | 'from' | 'to' | 'group'>): Part => ({
    datasetId,
    part: next++,
    sha256: null,
    ...fields,
  });
  const alone = (): [number, number] => [next, next];
  const flush = (): Part[] => {
    if (batch.length === 0) return [];
    const files = batch;
    const to = bytes;
    [batch, bytes, nameBytes] = [[], 0, 0];
    return [part({ kind: 'batch', files, from: 0, to, group: alone() })];
  };
  const addSmall = (file: PlannedFile): Part[] => {
    const size = Buffer.byteLength(file.path);
    const full =
      batch.length === BATCH_FILES || bytes + file.size > BATCH_BYTES || nameBytes + size > BATCH_NAME_BYTES;
    const done = full ? flush() : [];
    batch.push(file);
    bytes += file.size;
    nameBytes += size;
    return done;
  };
  const cut = (file: PlannedFile): Part[] => {
    const count = Math.ceil(file.size / RANGE_BYTES);
    const group: [number, number] = [next, next + count];
    const files = [file];
    const ranges = Array.from({ length: count }, (_, index) => {
      const from = index * RANGE_BYTES;
      return part({ kind: 'range', files, from, to: Math.min(from + RANGE_BYTES, file.size), group });
    });
    return [...ranges, part({ kind: 'join', files, from: 0, to: 0, group })];
  };
  return {
    add({ path, size, digest }: HubFile): Part[] {
      const file = { path, size, digest };
      if (size <= SMALL_BYTES) return addSmall(file);
      if (size > WHOLE_BYTES) return cut(file);
      return [part({ kind: 'whole', files: [file], from: 0, to: size, group: alone() })];
    },
    flush,
    next: () => next,
  };
}

/** Bytes and files that a part brings the dataset forward by, when it is done. */
export function weightOf({ kind, files, from, to }: Pick<Part, 'kind' | 'files' | 'from' | 'to'>) {
  return { bytes: to - from, files: kind === 'range' ? 0 : files.length };
}

export function newWork({
  datasetId,
  part,
  kind,
  group,
}: Pick<Work, 'datasetId' | 'part' | 'kind' | 'group'>): Work {
  return { datasetId, part, kind, group, position: 0, countedBytes: 0, countedFiles: 0, spoiled: 0 };
}
