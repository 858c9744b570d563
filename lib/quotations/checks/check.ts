import { newId } from '../../identifiers.ts';
import { sendIndex } from '../../indexing/enqueue.ts';
import type { QuotesMessage } from '../../indexing/messages.ts';
import { readWaiting } from '../../indexing/waiting-files.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Queue } from '../../ports/queue.ts';
import { ifExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { changeRead } from '../../records/change.ts';
import { pagesOf } from '../../records/page.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { isRetracted } from '../records/retractions.ts';
import {
  pathPrefix,
  type Quote,
  type QuotedFile,
  quotedFiles,
  quoteMarkers,
  quotesPartition,
} from '../records/schema.ts';
import { hasQuote, readDocument } from './document.ts';
import { type FileNow, readFileNow } from './file-now.ts';
import { findInCopy } from './find-in-copy.ts';
import { type FoundQuote, findAsQuoted } from './find-quote.ts';
import { type FollowedQuote, notifyBroken, recordMoved } from './notify.ts';
import { type Relocation, relocate, removeQuotes } from './relocate.ts';

export interface CheckPorts extends TimedRecords {
  objects: Objects;
  touchQueue: Queue;
}

/**
 * Seconds before a missing quote is looked for again. A file is often saved in two steps, or moved by a
 * deletion and a creation, so a quote counts as broken only if it is still missing then.
 */
const AGAIN_SECONDS = 4;
/**
 * The maximum number of tries, which take less than a minute in total. While changed files wait for the index, a quote
 * of a deleted file may be in one of them.
 */
const MAX_TRIES = 9;
/** The number of documents quoting one file that are read at once. */
const DOCUMENTS_AT_ONCE = 500;

/**
 * Looks for the quotes of documents in changed files. Idempotent, because the results are stored per
 * document, and the owners are notified once per result. A quote that is missing for the first time is looked
 * for again a little later.
 */
export async function checkQuotes(
  ports: CheckPorts,
  workspace: Workspace,
  { paths, tries }: QuotesMessage,
): Promise<void> {
  const unsure: string[] = [];
  const isBusy = tries < MAX_TRIES && (await readWaiting(ports.records, workspace.id)).count > 0;
  const goneSince = ports.clock.now() - tries * AGAIN_SECONDS * 1000;
  for (const path of paths)
    if (await checkPath(ports, workspace, path, { isFirst: tries === 0, isBusy, goneSince }))
      unsure.push(path);
  if (unsure.length === 0) return;
  const again: QuotesMessage = { kind: 'quotes', workspaceId: workspace.id, paths: unsure, tries: tries + 1 };
  await sendIndex(ports.touchQueue, workspace.id, [again], AGAIN_SECONDS);
}

interface Look {
  isFirst: boolean;
  isBusy: boolean;
  /** When the file was first found to be deleted, in milliseconds; undefined if it exists. */
  goneSince: number;
}

/** A path, and the state of checking its documents. */
interface Checked extends Look {
  workspace: Workspace;
  path: string;
  file: FileNow;
  find: QuoteFinder;
  retracted: boolean;
  /** Quotes of the documents that were moved to another file. */
  moved: FollowedQuote[];
  now: string;
}

/** Returns whether a missing quote must be looked for again. */
async function checkPath(
  ports: CheckPorts,
  workspace: Workspace,
  path: string,
  look: Look,
): Promise<boolean> {
  const { records } = ports;
  const id = { workspaceId: workspace.id, of: 'path' as const, value: path };
  const mark = await quoteMarkers.get(records, id);
  const query = { partition: quotesPartition(workspace.id), sortPrefix: pathPrefix(path) };
  const list = (cursor?: string) => quotedFiles.list(records, { ...query, limit: DOCUMENTS_AT_ONCE, cursor });
  let file: FileNow | undefined;
  let isUnsure = false;
  for await (const { items } of pagesOf(list)) {
    if (items.length === 0) continue;
    file ??= await readFileNow(ports, workspace, path);
    isUnsure = (await checkDocuments(ports, { ...look, workspace, path, file }, items)) || isUnsure;
  }
  if (file === undefined && mark !== undefined)
    await ifExpected(quoteMarkers.delete(records, id, { stamp: mark.stamp }));
  return isUnsure;
}

async function checkDocuments(
  ports: CheckPorts,
  place: Look & Pick<Checked, 'workspace' | 'path' | 'file'>,
  page: QuotedFile[],
): Promise<boolean> {
  const { workspace, path, file } = place;
  const find = quoteFinder(file);
  const isFound = file.state !== 'unknown' && (await find(page.flatMap(({ quotes }) => quotes)));
  if (!isFound) return false;
  const retracted = await isRetracted(ports.records, workspace.id, path);
  const checked: Checked = { ...place, find, retracted, moved: [], now: timestamp(ports.clock) };
  const results: Result[] = [];
  for (const quoted of page) results.push(await checkDocument(ports, checked, quoted));
  await recordMoved(ports, { workspaceId: workspace.id, path, moved: checked.moved });
  const broken = results.flatMap(({ toTell }) => toTell ?? []);
  await notifyBroken(ports, { workspaceId: workspace.id, path, broken });
  return results.some((result) => result.isUnsure);
}

interface Result {
  isUnsure: boolean;
  /** The record whose owners haven't been notified of its broken quotes. */
  toTell?: QuotedFile;
}

/** Checks the quotes of one document from the file, and again if the document changes at the same time. */
async function checkDocument(ports: CheckPorts, checked: Checked, read: QuotedFile): Promise<Result> {
  let quoted: QuotedFile | undefined = read;
  while (quoted !== undefined) {
    const places = await checked.find(quoted.quotes);
    if (places === undefined) break;
    const result = await checkOnce(ports, checked, quoted, places);
    if (result !== undefined) return result;
    quoted = await quotedFiles.get(ports.records, read);
  }
  return { isUnsure: false };
}

async function checkOnce(
  ports: CheckPorts,
  checked: Checked,
  quoted: QuotedFile,
  places: (FoundQuote | undefined)[],
): Promise<Result | undefined> {
  const { records } = ports;
  const found = quoted.quotes.map((quote, at) => ({ quote, now: asFound(checked, quote, places[at]) }));
  const missing = found.filter(({ now }) => now === undefined).map(({ quote }) => quote);
  const moved = checked.file.state === 'gone' ? await findMoved(ports, checked, missing) : [];
  if (moved.length > 0 && (await relocate(records, quoted, moved, { isSameFile: true }))) {
    checked.moved.push(...moved.map((each) => ({ quoted, to: each.path })));
    return undefined;
  }
  const isNew = missing.some(({ broken }) => broken === null);
  const isUnsure = isNew && (checked.isFirst || (checked.isBusy && checked.file.state === 'gone'));
  const stale = isNew && !isUnsure ? await withoutDocument(ports, quoted, missing) : [];
  if (stale.length > 0) {
    await removeQuotes(records, quoted, stale);
    return undefined;
  }
  const quotes = found.map(({ quote, now }) => now ?? (isUnsure ? quote : asBroken(checked, quote, moved)));
  const isSame = JSON.stringify(quotes) === JSON.stringify(quoted.quotes);
  const stored = isSame ? quoted : await changeRead(quotedFiles, records, quoted, { quotes });
  if (stored === undefined) return undefined;
  return { isUnsure, ...(hasUntold(stored) && { toTell: stored }) };
}

function hasUntold({ quotes }: QuotedFile): boolean {
  return quotes.some(({ broken }) => broken?.told === false);
}

type QuoteFinder = (quotes: Quote[]) => Promise<(FoundQuote | undefined)[] | undefined>;

/** Looks for each quote of all documents once. Undefined if that takes too long, which decides nothing. */
function quoteFinder(file: FileNow): QuoteFinder {
  const known = new Map<string, FoundQuote | undefined>();
  const keyOf = ({ quote, startLine, isCut, fileHash }: Quote) =>
    JSON.stringify([quote, startLine, isCut, fileHash]);
  return async (quotes) => {
    const left = new Map(quotes.filter((each) => !known.has(keyOf(each))).map((each) => [keyOf(each), each]));
    const found = file.state === 'read' ? await findAsQuoted(file.source, [...left.values()]) : [];
    if (found === undefined) return undefined;
    for (const [at, key] of [...left.keys()].entries()) known.set(key, found[at]);
    return quotes.map((each) => known.get(keyOf(each)));
  };
}

/** Returns the quote as found in the file; undefined if the file lacks it. */
function asFound(
  { retracted, now }: Checked,
  quote: Quote,
  found: FoundQuote | undefined,
): Quote | undefined {
  if (found === undefined) return undefined;
  const { place, isCut } = found;
  if (!retracted) return { ...quote, ...place, isCut, broken: null };
  const { since = now, told = false } = quote.broken ?? {};
  return { ...quote, ...place, isCut, broken: { reason: 'retracted', since, told } };
}

function asBroken({ file, now }: Checked, quote: Quote, moved: Relocation[]): Quote {
  // A quote that a person copied from a viewer, and that was never found in the file's text, may never have
  // been in it.
  if (!quote.exact && quote.fileHash === null) return quote;
  const isMoved = moved.some((each) => each.quote === quote);
  const reason = isMoved ? 'moved' : file.state === 'gone' ? 'deleted' : 'changed';
  const { since = now, told = false } = quote.broken ?? {};
  return { ...quote, broken: { reason, since, told } };
}

/**
 * Returns the quotes that are in another file with the same bytes, because the file was moved. A citation has one file,
 * so its broken quotes move with the others.
 */
async function findMoved(ports: CheckPorts, checked: Checked, missing: Quote[]): Promise<Relocation[]> {
  const moved: Relocation[] = [];
  const { workspace, path } = checked;
  for (const [hash, quotes] of Map.groupBy(missing, ({ fileHash }) => fileHash)) {
    if (hash === null) continue;
    await awaitHash(ports, { workspaceId: workspace.id, path, hash });
    const gone = { path, hash, ...timeOfMove(checked, quotes) };
    moved.push(...(await findInCopy(ports, workspace, gone, quotes)));
  }
  return [...Map.groupBy(moved, ({ quote }) => quote.index).values()].flatMap((some) =>
    withOthers(some as [Relocation], missing),
  );
}

function withOthers([first, ...others]: [Relocation, ...Relocation[]], missing: Quote[]): Relocation[] {
  const { path, place, quote } = first;
  const moved = [first, ...others.filter((each) => each.path === path)];
  const left = missing.filter(
    (each) => each.index === quote.index && !moved.some((one) => one.quote === each),
  );
  const gone = left.map(({ broken, ...each }) => {
    const { startLine, endLine, part } = each;
    const here = { startLine, endLine, part, fileHash: each.fileHash ?? place.fileHash };
    return { quote: { ...each, broken }, path, place: here, broken };
  });
  return [...moved, ...gone];
}

/**
 * How long before the deletion a copy may have been created, in milliseconds, because a file may be moved by a copy and
 * a deletion.
 */
const COPIED_BEFORE_MS = 60_000;
/**
 * How long after the deletion the file may reappear, in milliseconds, because programs that synchronize folders may
 * delete a file first. A file that appears later is only suggested.
 */
const CREATED_AFTER_MS = 60 * 60_000;

/** Returns the period in which a copy must have been read to be the moved file. */
function timeOfMove({ goneSince }: Checked, quotes: Quote[]): { since: number; until: number } {
  const known = quotes.flatMap(({ broken }) =>
    broken?.reason === 'deleted' ? Date.parse(broken.since) : [],
  );
  const deleted = Math.min(goneSince, ...known);
  return { since: deleted - COPIED_BEFORE_MS, until: deleted + CREATED_AFTER_MS };
}

/** Has the quotes of this path checked by the next commit of a file with this hash. */
async function awaitHash(
  { records }: CheckPorts,
  { workspaceId, path, hash }: { workspaceId: string; path: string; hash: string },
): Promise<void> {
  const id = { workspaceId, of: 'hash' as const, value: hash };
  const known = await quoteMarkers.get(records, id);
  if (known?.paths.includes(path)) return;
  const paths = [path, ...(known?.paths ?? [])].slice(0, MAX_AWAITING);
  await quoteMarkers.put(records, { ...id, paths, stamp: newId() });
}

/** The maximum number of copies of one file, all of which were quoted and deleted. */
const MAX_AWAITING = 20;

/** Returns the missing quotes that the document no longer has: all of them if it is deleted. */
async function withoutDocument(
  { records }: CheckPorts,
  quoted: QuotedFile,
  missing: Quote[],
): Promise<Quote[]> {
  const document = await readDocument(records, quoted);
  const isGone = (quote: Quote) => document === undefined || !hasQuote(document, quoted.path, quote);
  return missing.filter(isGone);
}
