import { newId } from '../../identifiers.ts';
import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import { ifExpected, type Records, wasExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { changeRead, failOvertaken, whileOvertaken } from '../../records/change.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { beginning } from '../../text/cut-text.ts';
import { retractedPartition, retractionChecks } from './retractions.ts';
import {
  type DocumentRef,
  markersPartition,
  type NewQuote,
  ownerPrefix,
  type Quote,
  type QuotedFile,
  quotedFiles,
  quoteMarkers,
  quotesPartition,
  quotingDocuments,
  quotingPartition,
} from './schema.ts';

/** The maximum length of a stored quote in characters. Of a longer quote, the start is looked for. */
const MAX_QUOTE_LENGTH = 400;
const MAX_QUOTES = 300;
/** Milliseconds within which the writer of a document stores its quotes. */
const SETTLES_MS = 60_000;

interface Quoting {
  workspaceId: string;
  document: DocumentRef;
}

/**
 * Announces that a document with these quotes is about to be written. If the process is killed before it
 * stores the quotes, the scheduler tick compares the two. Returns the stamp of this change; undefined if
 * there are no quotes.
 */
export async function announceQuotes(
  { records, clock }: TimedRecords,
  quoting: Quoting,
  quotes: Pick<NewQuote, 'path'>[],
): Promise<string | undefined> {
  if (quotes.length === 0) return undefined;
  const stamp = newId();
  const known = await quotingDocuments.get(records, quoting);
  const paths = [...new Set([...(known?.paths ?? []), ...quotes.map(({ path }) => path)])];
  const createdAt = known?.createdAt ?? timestamp(clock);
  const dueAt = timestamp(clock, SETTLES_MS);
  await quotingDocuments.put(records, { ...quoting, paths, stamp, settled: false, dueAt, createdAt });
  return stamp;
}

/**
 * Stores the quotes of an announced document. Never throws, because the scheduler tick finds documents whose
 * quotes aren't stored.
 */
export async function settleQuotes(
  ports: TimedRecords,
  quoting: Quoting,
  quotes: NewQuote[],
  stamp: string | undefined,
): Promise<void> {
  if (stamp === undefined) return;
  try {
    await storeQuotes(ports, quoting, quotes, stamp);
  } catch (error) {
    log.warn('the quotes of a document were not kept', { reason: String(error) });
  }
}

/**
 * Updates the quote records of a document to match it. If the document changed in between, the scheduler tick
 * compares them again. Then it has the files checked, because a commit in between may have changed one.
 */
export async function storeQuotes(
  ports: TimedRecords,
  quoting: Quoting,
  quotes: NewQuote[],
  stamp: string,
): Promise<void> {
  const { records, clock } = ports;
  const known = await quotingDocuments.get(records, quoting);
  if (known === undefined) return; // deleted in the meantime
  const byPath = Map.groupBy(quotes.slice(0, MAX_QUOTES), ({ path }) => path);
  for (const [path, some] of byPath)
    await rewriteQuotes(records, { ...quoting, path }, (known) => some.map((quote) => toQuote(quote, known)));
  await markPaths(records, quoting.workspaceId, [...byPath.keys()]);
  const gone = known.paths.filter((path) => !byPath.has(path));
  await quotedFiles.deleteMany(
    records,
    gone.map((path) => ({ ...quoting, path })),
  );
  const paths = [...byPath.keys()];
  const settled = paths.length === 0 ? undefined : { paths, settled: true, dueAt: timestamp(clock) };
  if (settled === undefined) {
    const isLatest = await ifExpected(quotingDocuments.delete(records, quoting, { stamp }));
    if (isLatest !== undefined) return;
  } else if (await quotingDocuments.patch(records, known, settled, { stamp })) return;
  await compareSoon(ports, quoting);
}

/** Schedules a comparison, because another change was faster, and may have been written before this one. */
async function compareSoon({ records, clock }: TimedRecords, quoting: Quoting): Promise<void> {
  const known = await quotingDocuments.get(records, quoting);
  if (known === undefined) return;
  const unsettled = { settled: false, dueAt: timestamp(clock), stamp: newId() };
  await quotingDocuments.patch(records, known, unsettled, { stamp: known.stamp });
}

type QuotedFileId = Pick<QuotedFile, 'workspaceId' | 'path' | 'document'>;

/**
 * Writes the quotes that `next` returns for a document and file, which may have none yet. If it returns none, the
 * record is deleted.
 */
export async function rewriteQuotes(
  records: Records,
  { workspaceId, path, document }: QuotedFileId,
  next: (known: Quote[]) => Quote[],
): Promise<void> {
  const id = { workspaceId, path, document };
  const write = async (): Promise<unknown> => {
    const known = await quotedFiles.get(records, id);
    const quotes = next(known?.quotes ?? []);
    if (known === undefined)
      return quotes.length === 0 || quotedFiles.create(records, { ...id, quotes, version: 1 });
    const { version } = known;
    if (quotes.length === 0) return wasExpected(quotedFiles.delete(records, id, { version }));
    return changeRead(quotedFiles, records, known, { quotes });
  };
  await whileOvertaken(async () => (await write()) || undefined, failOvertaken);
}

/** Keeps the state of an unchanged quote. */
function toQuote({ path: _path, quote: text, exact = true, ...rest }: NewQuote, known: Quote[]): Quote {
  const quote = keptQuote(text);
  const same = known.find((each) => each.index === rest.index && each.quote === quote);
  if (same === undefined) return { ...rest, quote, exact, isCut: false, broken: null };
  return { ...same, ...rest, fileHash: rest.fileHash ?? same.fileHash };
}

/** Returns the part of a quote that is stored. */
export function keptQuote(text: string): string {
  return beginning(text, MAX_QUOTE_LENGTH);
}

/** Returns whether a stored quote may be only the start of the original. */
export function isKeptShort(quote: string): boolean {
  return quote.length >= MAX_QUOTE_LENGTH - 1;
}

/**
 * Marks paths as quoted, after the quote records are stored, so that a check that finds no quotes removes no new mark.
 */
export async function markPaths(records: Records, workspaceId: string, paths: string[]): Promise<void> {
  const stamp = newId();
  const marks = paths.map((value) => ({ workspaceId, of: 'path' as const, value, paths: [], stamp }));
  if (marks.length > 0) await quoteMarkers.putMany(records, marks);
}

/** Removes the quote records of deleted documents. */
export async function dropQuotes(records: Records, all: Quoting[]): Promise<void> {
  const found = all.length === 0 ? [] : await quotingDocuments.getMany(records, all);
  for (const { workspaceId, document, paths } of found)
    await quotedFiles.deleteMany(
      records,
      paths.map((path) => ({ workspaceId, document, path })),
    );
  await quotingDocuments.deleteMany(records, found);
}

/** Removes the quote records of all answers in a conversation. */
export async function dropQuotesOf(
  records: Records,
  workspaceId: string,
  owner: Pick<DocumentRef, 'kind' | 'key'>,
): Promise<void> {
  const query = { partition: quotingPartition(workspaceId), sortPrefix: ownerPrefix(owner), limit: 100 };
  for (;;) {
    const { items } = await quotingDocuments.list(records, query);
    if (items.length === 0) return;
    await dropQuotes(records, items);
  }
}

/** Removes everything about the quotes in a deleted workspace. */
export async function dropQuotesIn(records: Records, workspaceId: string): Promise<void> {
  for (const partition of [quotingPartition, markersPartition, quotesPartition, retractedPartition])
    await dropPartition(records, partition(workspaceId));
  await retractionChecks.delete(records, { workspaceId });
}
