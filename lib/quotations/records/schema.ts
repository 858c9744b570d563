import { createHash } from 'node:crypto';
import * as z from 'zod';
import { filePartShape } from '../../ports/file-part.ts';
import { collection } from '../../records/collection.ts';

/** The kinds of documents that quote files. A report is kept as a note, with the run that wrote it. */
export const DOCUMENT_KINDS = ['note', 'answer', 'report'] as const;

/** A stored document: a note by its ID, an answer by the key of its conversation and its place there. */
const documentRefSchema = z.object({
  kind: z.enum(['note', 'answer']),
  key: z.string(),
  place: z.int(),
});
export type DocumentRef = z.infer<typeof documentRefSchema>;

/** Where a quote is in a file. */
const quotePlaceSchema = z.object({
  startLine: z.int(),
  endLine: z.int(),
  part: z.object(filePartShape),
  /** The version of the file that was found to contain the quote; null before it was looked for. */
  fileHash: z.string().nullable(),
});
export type QuotePlace = z.infer<typeof quotePlaceSchema>;

export const BROKEN_REASONS = ['changed', 'moved', 'deleted', 'retracted'] as const;

const quoteSchema = quotePlaceSchema.extend({
  /** The number of the citation in its document. */
  index: z.int(),
  /** If several sentences of the document cite it with quotes of their own: the first one with this quote. */
  claim: z.int().optional(),
  /** Its beginning, if it is long. */
  quote: z.string(),
  /** Whether it was copied from the file's text, so that a file that lacks it has changed. */
  exact: z.boolean(),
  /** Whether it was quoted from within a word or a number: later versions of the file may have it so, too. */
  isCut: z.boolean(),
  /** Since when the file lacks it, and whether the owners were notified. Null while it holds. */
  broken: z.object({ reason: z.enum(BROKEN_REASONS), since: z.string(), told: z.boolean() }).nullable(),
});
export type Quote = z.infer<typeof quoteSchema>;

/** What tells the quotes of one document and file apart. */
export type QuoteId = Pick<Quote, 'index' | 'claim'>;

export function isSameQuote(one: QuoteId, other: QuoteId): boolean {
  return one.index === other.index && one.claim === other.claim;
}

/** A citation of a document, before it is looked for. */
export interface NewQuote
  extends Pick<Quote, 'index' | 'claim' | 'quote' | 'startLine' | 'endLine' | 'part' | 'fileHash'> {
  path: string;
  exact?: boolean;
}

/** What one document quotes from one file: a change of the file reads only these. */
export const quotedFiles = collection({
  kind: 'quoted-file',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    document: documentRefSchema,
    quotes: z.array(quoteSchema),
    /** Counts the changes. */
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

/** Returns the place in the list of the broken ones, by when the first was found; undefined if all hold. */
export function brokenSort({ path, document, quotes }: BrokenPlace): string | undefined {
  const [since] = quotes.flatMap(({ broken }) => broken?.since ?? []).toSorted();
  return since && `${since}#${pathPrefix(path)}${documentKey(document)}`;
}

export function quotesPartition(workspaceId: string): string {
  return `QUOTES#${workspaceId}`;
}

/** Lists the broken ones, by when they were found. */
export function brokenPartition(workspaceId: string): string {
  return `BROKEN_QUOTES#${workspaceId}`;
}

/** A path has up to 1,000 bytes, and a sort key 1,024. */
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
 * Says that documents quote this path, or wait for a file with this hash because the one that they quote is gone: a commit of many
 * files reads these, 100 per request, and nothing else. The stamp changes with each quote that is added.
 */
export const quoteMarkers = collection({
  kind: 'quote-marker',
  schema: z.object({
    workspaceId: z.string(),
    of: z.enum(['path', 'hash']),
    value: z.string(),
    /** Of a hash: the paths that had it. */
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

/** The documents that are to be looked after by the scheduler tick, by time. */
export const DUE_DOCUMENTS = 'QUOTING_DUE';

/**
 * The files that a document quotes. It is written before the document, so that a process that is killed between the two leaves a
 * record that says what to compare.
 */
export const quotingDocuments = collection({
  kind: 'quoting-document',
  schema: z.object({
    workspaceId: z.string(),
    document: documentRefSchema,
    paths: z.array(z.string()),
    /** Changes with each change of the document. */
    stamp: z.string(),
    /** Whether the records of its quotes are those of the document. */
    settled: z.boolean(),
    /** When the tick looks after it: it reads the document again, or has the files checked that it quotes. */
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
