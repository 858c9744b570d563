import type { HubFile } from '../../ports/hub.ts';
import type { DownloadPart, PlannedFile, Work } from './records.ts';

/** Maximum bytes of files that share a part. */
const SMALL_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 64;
const BATCH_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of a batch's names, which must fit into a record. */
const BATCH_NAME_BYTES = 100_000;
/**
 * Bytes up to which one worker fetches and hashes a whole file. Each range of a larger file has its own
 * worker.
 */
const WHOLE_BYTES = 256 * 1024 * 1024;
const RANGE_BYTES = 128 * 1024 * 1024;

type Draft = Pick<DownloadPart, 'kind' | 'files' | 'from' | 'to'>;

/** Splits a list of files into parts, numbered from `next` on. */
export function partSplitter(datasetId: string, next: number) {
  const batch = openBatch();
  const number = (drafts: Draft[]): DownloadPart[] => {
    const group: [number, number] = [next, next + drafts.length - 1];
    return drafts.map((draft) => ({ datasetId, part: next++, group, sha256: null, ...draft }));
  };
  const flush = () => number(batch.take());
  return {
    add({ path, size, digest }: HubFile): DownloadPart[] {
      const file = { path, size, digest };
      if (size > WHOLE_BYTES) return number(cut(file));
      if (size > SMALL_BYTES) return number([{ kind: 'whole', files: [file], from: 0, to: size }]);
      const done = batch.hasRoomFor(file) ? [] : flush();
      batch.add(file);
      return done;
    },
    flush,
    next: () => next,
  };
}

/** Collects small files until they make one part. */
function openBatch() {
  let files: PlannedFile[] = [];
  let [bytes, nameBytes] = [0, 0];
  return {
    hasRoomFor: ({ path, size }: PlannedFile) =>
      files.length < BATCH_FILES &&
      bytes + size <= BATCH_BYTES &&
      nameBytes + Buffer.byteLength(path) <= BATCH_NAME_BYTES,
    add(file: PlannedFile) {
      files.push(file);
      bytes += file.size;
      nameBytes += Buffer.byteLength(file.path);
    },
    /** Returns the part, if there is one, and starts the next one. */
    take(): Draft[] {
      const drafts: Draft[] = files.length === 0 ? [] : [{ kind: 'batch', files, from: 0, to: bytes }];
      [files, bytes, nameBytes] = [[], 0, 0];
      return drafts;
    },
  };
}

/** Returns the ranges of a large file, and their join. */
function cut(file: PlannedFile): Draft[] {
  const files = [file];
  const ranges = Array.from({ length: Math.ceil(file.size / RANGE_BYTES) }, (_, index): Draft => {
    const from = index * RANGE_BYTES;
    return { kind: 'range', files, from, to: Math.min(from + RANGE_BYTES, file.size) };
  });
  return [...ranges, { kind: 'join', files, from: 0, to: 0 }];
}

/** Returns the bytes and files that a finished part adds to the dataset. */
export function weightOf({ kind, files, from, to }: Pick<DownloadPart, 'kind' | 'files' | 'from' | 'to'>) {
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
