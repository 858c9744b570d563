import { createHash } from 'node:crypto';
import * as z from 'zod';
import { filePartShape } from '../../ports/file-part.ts';
import { collection } from '../../records/collection.ts';

/** The kinds of documents that quote files. A report is stored as a note, with the run that wrote it. */
export const DOCUMENT_KINDS = ['note', 'answer', 'report'] as const;

/** A stored document: a note by its ID, or an answer by the key of its conversation and its position there. */
const documentRefSchema = z.object({
  kind: z.enum(['note', 'answer']),
  key: z.string(),
  place: z.int(),
});
export type DocumentRef = z.infer<typeof documentRefSchema>;

/** The place of a quote in a file. */
const quotePlaceSchema = z.object({
  startLine: z.int(),
  endLine: z.int(),
  part: z.object(filePartShape),
  /** The version of the file that was found to contain the quote; null before the first search. */
  fileHash: z.string().nullable(),
});
export type QuotePlace = z.infer<typeof quotePlaceSchema>;

export const BROKEN_REASONS = ['changed', 'moved', 'deleted', 'retracted'] as const;

const quoteSchema = quotePlaceSchema.extend({
  /** The number of the citation in its document. */
  index: z.int(),
  /**
   * The first sentence with this quote, if several sentences of the document have quotes for the citation.
   */
  claim: z.int().optional(),
  /** The quote, or the start of a long one. */
  quote: z.string(),
  /** Whether it was copied from the file's text. A file that no longer contains it has then changed. */
  exact: z.boolean(),
  /** Whether it started or ended within a word or a number, and may do so in later versions too. */
  isCut: z.boolean(),
  /**
   * Since when the file has lacked the quote, and whether the owners were notified. Null for a valid quote.
   */
  broken: z.object({ reason: z.enum(BROKEN_REASONS), since: z.string(), told: z.boolean() }).nullable(),
});
export type Quote = z.infer<typeof quoteSchema>;

/** The fields that distinguish the quotes of one document and file. */
export type QuoteId = Pick<Quote, 'index' | 'claim'>;

export function isSameQuote(one: QuoteId, other: QuoteId): boolean {
  return one.index === other.index && one.claim === other.claim;
}

/** A citation of a document, before its quote is looked for. */
export interface NewQuote
  extends Pick<Quote, 'index' | 'claim' | 'quote' | 'startLine' | 'endLine' | 'part' | 'fileHash'> {
  path: string;
  exact?: boolean;
}

/** The quotes of one document from one file. A change of the file reads only these. */
export const quotedFiles = collection({
  kind: 'quoted-file',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    document: documentRefSchema,
    quotes: z.array(quoteSchema),
    /** The number of changes. */
    version: z.int(),
  }),
  key: ({ workspaceId, path, document }: { workspaceId: string; path: string; document: DocumentRef }) => ({
    partition: quotesPartition(workspaceId),
    sort: `${pathPrefix(path)}${documentKey(document)}`,
  }),
  index: (quoted) => {
    const sort = brokenSort(quoted);
    return sort === undefined ? undefined : { partition: brokenPartition(quoted.workspaceId), sort };
  },
});
export type QuotedFile = NonNullable<Awaited<ReturnType<typeof quotedFiles.get>>>;

interface BrokenPlace {
  path: string;
  document: DocumentRef;
  quotes: Quote[];
}

/** Returns the position in the list of broken citations, by when the first was found; undefined if all are valid. */
export function brokenSort({ path, document, quotes }: BrokenPlace): string | undefined {
  const [since] = quotes.flatMap(({ broken }) => broken?.since ?? []).toSorted();
  return since && `${since}#${pathPrefix(path)}${documentKey(document)}`;
}

export function quotesPartition(workspaceId: string): string {
  return `QUOTES#${workspaceId}`;
}

/** Returns the partition of the broken citations, ordered by when they were found. */
export function brokenPartition(workspaceId: string): string {
  return `BROKEN_QUOTES#${workspaceId}`;
}

/** Returns the hash of a path for sort keys. A path may have 1,000 bytes, but a sort key only 1,024. */
function pathKey(path: string): string {
  return createHash('sha256').update(path).digest('base64url');
}

export function pathPrefix(path: string): string {
  return `${pathKey(path)}#`;
}

function documentKey({ kind, key, place }: DocumentRef): string {
  return `${ownerPrefix({ kind, key })}${String(place).padStart(10, '0')}`;
}

export function ownerPrefix({ kind, key }: Pick<DocumentRef, 'kind' | 'key'>): string {
  return `${kind}#${key}#`;
}

/**
 * Marks paths that documents quote, and hashes of deleted files that documents quote. A commit of many files reads only
 * these records, 100 per request. The stamp changes with each added quote.
 */
export const quoteMarkers = collection({
  kind: 'quote-marker',
  schema: z.object({
    workspaceId: z.string(),
    of: z.enum(['path', 'hash']),
    value: z.string(),
    /** For a hash, the paths of the files that had it. */
    paths: z.array(z.string()),
    stamp: z.string(),
  }),
  key: ({ workspaceId, of, value }: { workspaceId: string; of: 'path' | 'hash'; value: string }) => ({
    partition: markersPartition(workspaceId),
    sort: `${of}#${of === 'path' ? pathKey(value) : value}`,
  }),
});

export function markersPartition(workspaceId: string): string {
  return `QUOTED#${workspaceId}`;
}

/** The documents that the scheduler tick has to process, by time. */
export const DUE_DOCUMENTS = 'QUOTING_DUE';

/**
 * The files that a document quotes. The record is written before the document, so that a killed process
 * leaves a record of what to compare.
 */
export const quotingDocuments = collection({
  kind: 'quoting-document',
  schema: z.object({
    workspaceId: z.string(),
    document: documentRefSchema,
    paths: z.array(z.string()),
    /** Changes with each change of the document. */
    stamp: z.string(),
    /** True if the quote records match the document. */
    settled: z.boolean(),
    /** When the tick processes the document: it reads the document again, or has the quoted files checked. */
    dueAt: z.string().nullable(),
    createdAt: z.string(),
  }),
  key: ({ workspaceId, document }: { workspaceId: string; document: DocumentRef }) => ({
    partition: quotingPartition(workspaceId),
    sort: documentKey(document),
  }),
  index: ({ workspaceId, document, dueAt }) =>
    dueAt === null
      ? undefined
      : { partition: DUE_DOCUMENTS, sort: `${dueAt}#${workspaceId}#${documentKey(document)}` },
});
export type QuotingDocument = NonNullable<Awaited<ReturnType<typeof quotingDocuments.get>>>;

export function quotingPartition(workspaceId: string): string {
  return `QUOTING#${workspaceId}`;
}
