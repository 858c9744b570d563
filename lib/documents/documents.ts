import { searchKindOf } from '../api-contract/file-kinds.ts';
import { withoutClosed } from '../datasets/links/mounts.ts';
import { NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { change, failOvertaken } from '../records/change.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { readEach } from '../records/readable.ts';
import {
  CORRECTABLE,
  type Correction,
  corrections,
  correctionsPartition,
  type DescribedFile,
  type Document,
  describedFileSchema,
  fileRecordKey,
  type StoredCorrection,
} from './schema.ts';

interface DocumentId {
  workspaceId: string;
  path: string;
}

/**
 * Returns the documents at these paths, by path. A person's corrections take precedence over the facts of the
 * file.
 */
export async function documentsAt(
  records: Records,
  workspaceId: string,
  paths: string[],
): Promise<Map<string, Document>> {
  const ids = [...new Set(paths)].map((path) => ({ workspaceId, path }));
  const [files, corrected] = await Promise.all([
    filesAt(records, workspaceId, ids),
    corrections.getMany(records, ids),
  ]);
  const byPath = new Map(corrected.map((one) => [one.path, one]));
  return new Map(files.map((file) => [file.path, describe(file, byPath.get(file.path))]));
}

async function filesAt(records: Records, workspaceId: string, ids: DocumentId[]): Promise<DescribedFile[]> {
  const stored = await records.getMany(ids.map(fileRecordKey));
  const read = readEach('described-file', stored, ({ value }) => describedFileSchema.parse(value));
  return withoutClosed(records, workspaceId, read);
}

/** Throws NotFound for a path that isn't in the index. */
export async function documentAt(records: Records, id: DocumentId): Promise<Document> {
  const [file, correction] = await Promise.all([fileAt(records, id), corrections.get(records, id)]);
  return describe(file, correction);
}

async function fileAt(records: Records, id: DocumentId): Promise<DescribedFile> {
  const [file] = await filesAt(records, id.workspaceId, [id]);
  if (file !== undefined) return file;
  throw new NotFound('document_not_found', 'The index has no file with this path. Check the path, or sync.');
}

/** Stores the fields that a person has corrected. A field set to null has the file's value again. */
export async function correctDocument(
  records: Records,
  id: DocumentId,
  changes: Correction,
): Promise<Document> {
  const file = await fileAt(records, id);
  const stored = await change(corrections, records, id, (before) => {
    const fields = Object.entries({ ...before?.fields, ...changes }).filter(([, value]) => value !== null);
    return { ...id, hash: file.hash, fields: Object.fromEntries(fields) };
  });
  return describe(file, stored);
}

function describe({ path, title, document = {} }: DescribedFile, correction?: StoredCorrection): Document {
  const own = correction?.fields ?? {};
  const known = { title: title ?? nameOf(path), authors: [], tags: [], ...document, ...own };
  return {
    path,
    title: known.title,
    authors: known.authors,
    year: known.year ?? null,
    doi: known.doi ?? null,
    kind: searchKindOf(path) ?? 'other',
    tags: known.tags,
    citeKey: own.citeKey ?? null,
    corrected: CORRECTABLE.filter((field) => own[field] !== undefined),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file that was indexed. `isCopy` is true if the index already had its bytes. */
interface IndexedDocument {
  path: string;
  hash: string;
  isCopy: boolean;
}

/**
 * Moves corrections along with their documents: a changed file keeps them under its new hash, and a moved or
 * copied file gets those of its bytes.
 */
export async function keepCorrections(
  records: Records,
  workspaceId: string,
  files: IndexedDocument[],
): Promise<void> {
  const ids = files.map(({ path }) => ({ workspaceId, path }));
  const known = new Map((await corrections.getMany(records, ids)).map((one) => [one.path, one]));
  for (const { path, hash, isCopy } of files) {
    const own = known.get(path);
    if (own !== undefined && own.hash !== hash) await rehash(records, { workspaceId, path }, hash);
    if (own === undefined && isCopy) await adopt(records, workspaceId, { path, hash });
  }
}

async function rehash(records: Records, id: DocumentId, hash: string): Promise<void> {
  await change(corrections, records, id, (before) => before && { hash }, failOvertaken);
}

async function adopt(records: Records, workspaceId: string, { path, hash }: { path: string; hash: string }) {
  const partition = correctionsPartition(workspaceId);
  const { items } = await corrections.list(records, {
    ...{ partition, byIndex: true, sortPrefix: `${hash}#`, limit: 1 },
  });
  if (items[0] !== undefined) await corrections.create(records, { ...items[0], path });
}

export function dropDocuments(records: Records, workspaceId: string): Promise<void> {
  return dropPartition(records, correctionsPartition(workspaceId));
}
