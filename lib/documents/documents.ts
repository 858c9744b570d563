import { LRUCache } from 'lru-cache';
import { searchKindOf } from '../api-contract/file-kinds.ts';
import { shareThread } from '../async/share-thread.ts';
import { withoutClosed } from '../datasets/links/mounts.ts';
import { NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { change, failOvertaken } from '../records/change.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { describedAt, describedFiles, mayBeIndexed } from './described-files.ts';
import type { FactSources } from './fact-sources.ts';
import { allProvenances, type Provenance, provenanceOf, provenancesOf } from './provenance.ts';
import {
  bibliographiesPartition,
  type DocumentReference,
  documentReferences,
  documentReferencesPartition,
  entriesOfDocuments,
} from './references.ts';
import {
  CORRECTABLE,
  type Correction,
  corrections,
  correctionsPartition,
  type DescribedFile,
  type Document,
  isCiteKey,
  type StoredCorrection,
} from './schema.ts';

interface DocumentId {
  workspaceId: string;
  path: string;
}

/**
 * Returns the documents at these paths, by path: a person's corrections first, then a bibliography of
 * the workspace, then the source of their contents, then the facts of their files. `known` are the origins of all of
 * their contents, if the caller reads them anyway.
 */
export async function documentsAt(
  records: Records,
  workspace: FactSources,
  paths: string[],
  known?: Promise<Map<string, Provenance>>,
): Promise<Map<string, Document>> {
  const { id: workspaceId, hasBibliographies } = workspace;
  const unique = [...new Set(paths)].filter(mayBeIndexed);
  const ids = unique.map((path) => ({ workspaceId, path }));
  const [files, corrected, referenced] = await Promise.all([
    filesAt(records, workspaceId, unique),
    corrections.getMany(records, ids),
    hasBibliographies ? documentReferences.getMany(records, ids) : [],
  ]);
  const indexed = files.map(({ path, hash }) => ({ path, fileHash: hash }));
  const origins = await (known ?? provenancesOf(records, workspace, indexed));
  const describeFile = describer(corrected, referenced, origins);
  return new Map(files.map((file) => [file.path, describeFile(file)]));
}

async function filesAt(records: Records, workspaceId: string, paths: string[]): Promise<DescribedFile[]> {
  return withoutClosed(records, workspaceId, await describedAt(records, workspaceId, paths));
}

/** A document with the time at which its file was last modified. */
export interface DatedDocument extends Document {
  modifiedMs: number;
}

/**
 * Yields the documents of all files that the index knows, as `documentsAt()` describes them. `stamp` is of the index
 * record, which each commit changes after the records of its files.
 */
export async function* allDocuments(
  records: Records,
  workspaceId: string,
  stamp: string,
): AsyncGenerator<DatedDocument> {
  const [files, corrected, referenced, origins] = await Promise.all([
    filesAsOf(records, workspaceId, stamp),
    Array.fromAsync(corrections.all(records, { partition: correctionsPartition(workspaceId) })),
    entriesOfDocuments(records, workspaceId),
    allProvenances(records, workspaceId),
  ]);
  const describeFile = describer(corrected, referenced, origins);
  const share = shareThread();
  for (const file of files) {
    await share();
    yield { ...describeFile(file), modifiedMs: file.mtimeMs };
  }
}

/** Returns a function that describes files with their corrections, the entries of bibliographies, and origins. */
function describer(
  corrected: StoredCorrection[],
  referenced: DocumentReference[],
  origins: Map<string, Provenance>,
) {
  const corrections = new Map(corrected.map((one) => [one.path, one]));
  const entries = new Map(referenced.map((one) => [one.path, one]));
  return (file: DescribedFile) =>
    describe(file, corrections.get(file.path), entries.get(file.path), origins.get(file.hash));
}

interface KnownFiles {
  stamp: string;
  files: DescribedFile[];
}

/** Maximum number of cached files, about 1 KB each, and milliseconds for which they are cached. */
const MAX_KNOWN = 30_000;
const KNOWN_MS = 60_000;
const caches = new WeakMap<Records, LRUCache<string, KnownFiles>>();

/** Returns the files as of a stamp. They are cached, because reading 2,000 takes longer than a search. */
async function filesAsOf(records: Records, workspaceId: string, stamp: string): Promise<DescribedFile[]> {
  const cache = caches.get(records) ?? makeCache(records);
  const known = cache.get(workspaceId);
  if (known?.stamp === stamp) return known.files;
  const files = (await Array.fromAsync(describedFiles(records, workspaceId))).flat();
  cache.set(workspaceId, { stamp, files });
  return files;
}

function makeCache(records: Records): LRUCache<string, KnownFiles> {
  const sizeCalculation = ({ files }: KnownFiles) => files.length + 1;
  const cache = new LRUCache<string, KnownFiles>({ maxSize: MAX_KNOWN, ttl: KNOWN_MS, sizeCalculation });
  caches.set(records, cache);
  return cache;
}

/** Throws NotFound for a path that isn't in the index. */
export async function documentAt(records: Records, id: DocumentId): Promise<Document> {
  const file = await fileAt(records, id);
  const [correction, entry] = await Promise.all([
    corrections.get(records, id),
    documentReferences.get(records, id),
  ]);
  return describe(file, correction, entry, await originOf(records, id, file));
}

async function originOf(records: Records, { workspaceId }: DocumentId, { hash }: DescribedFile) {
  return provenanceOf(records, workspaceId, hash);
}

async function fileAt(records: Records, id: DocumentId): Promise<DescribedFile> {
  const [file] = await filesAt(records, id.workspaceId, [id.path]);
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
  const entry = await documentReferences.get(records, id);
  return describe(file, stored, entry, await originOf(records, id, file));
}

function describe(
  { path, title, document = {} }: DescribedFile,
  correction?: StoredCorrection,
  reference: Partial<DocumentReference> = {},
  origin?: Provenance,
): Document {
  const own = correction?.fields ?? {};
  const { key, path: _, workspaceId: __, entry: ___, ...entered } = reference;
  const named = { title: title ?? nameOf(path), authors: [], tags: [] };
  const known = { ...named, ...document, ...factsOf(origin), ...entered };
  const { authors, tags, year = null, doi = null } = known;
  const citeKey = key !== undefined && isCiteKey(key) ? key : null;
  const stated = { title: known.title, authors, year, doi, tags, citeKey };
  const corrected = CORRECTABLE.filter((field) => own[field] !== undefined);
  return {
    ...{ path, ...stated, ...own, kind: searchKindOf(path) ?? 'other', corrected },
    stated: Object.fromEntries(corrected.map((field) => [field, stated[field]])),
  };
}

/** Returns the facts that a source states. */
function factsOf({ title, authors = [], year, doi, tags = [] }: Partial<Provenance> = {}) {
  return {
    ...(title !== undefined && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi }),
    ...(tags.length > 0 && { tags }),
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

export async function dropDocuments(records: Records, workspaceId: string): Promise<void> {
  await dropPartition(records, correctionsPartition(workspaceId));
  await dropPartition(records, documentReferencesPartition(workspaceId));
  await dropPartition(records, bibliographiesPartition(workspaceId));
}
