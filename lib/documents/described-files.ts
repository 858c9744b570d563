import type { Records, StoredRecord } from '../ports/records.ts';
import { pagesOf } from '../records/page.ts';
import { readEach } from '../records/readable.ts';
import { type DescribedFile, describedFileSchema, fileRecordKey } from './schema.ts';

/** The maximum number of bytes of a path in the index, because it is part of a record's key. */
const MAX_PATH_BYTES = 1024;

/** Returns whether a path may be in the index. */
export function mayBeIndexed(path: string): boolean {
  return path !== '' && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

/** Returns the files of the index at these paths. */
export async function describedAt(
  records: Records,
  workspaceId: string,
  paths: string[],
): Promise<DescribedFile[]> {
  return toFiles(
    await records.getMany(paths.filter(mayBeIndexed).map((path) => fileRecordKey({ workspaceId, path }))),
  );
}

/** Yields the files of the index in pages. */
export async function* describedFiles(
  records: Records,
  workspaceId: string,
): AsyncGenerator<DescribedFile[]> {
  const { partition } = fileRecordKey({ workspaceId, path: '' });
  for await (const page of pagesOf((cursor) => records.query({ partition, cursor })))
    yield toFiles(page.records);
}

function toFiles(stored: StoredRecord[]): DescribedFile[] {
  return readEach('described-file', stored, ({ value }) => describedFileSchema.parse(value));
}
