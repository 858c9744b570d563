import { flat } from '../../api-contract/flat.ts';
import { withTimeout } from '../../async/with-timeout.ts';
import { isRecordable, readKnownFiles } from '../../indexing/schema.ts';
import { quotesOfNote } from '../../notes/note-quotes.ts';
import { notes } from '../../notes/schema.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { keptQuote } from '../records/keep-quotes.ts';
import { isRetracted } from '../records/retractions.ts';
import type { NewQuote, Quote } from '../records/schema.ts';
import { readWithin, type SearchBudget, startBudget } from './budget.ts';
import type { FileNow } from './file-now.ts';
import { findInCopy } from './find-in-copy.ts';
import { findAsQuoted } from './find-quote.ts';
import { MAX_SUGGESTIONS, toSuggestion } from './list.ts';
import type { Relocation } from './relocate.ts';
import type { CheckCitations, CheckedCitation, CitationNow } from './schema.ts';
import { type SuggestPorts, suggestPlaces } from './suggest.ts';

/**
 * Returns for each citation of a text whether it is still valid and, if it isn't, where its quote is. For
 * texts that never change: reports, checks of drafts, and runs. Chats and notes follow their files by
 * themselves. Each file is read and searched once.
 */
export async function checkCitations(
  ports: SuggestPorts,
  workspace: Workspace,
  { citations, noteId }: CheckCitations,
): Promise<CitationNow[]> {
  const sources = noteId === undefined ? [] : await sourcesOf(ports, workspace, noteId);
  const look = {
    ports,
    workspace,
    sources,
    searches: MAX_SUGGESTIONS,
    budget: startBudget(workspace.id),
  };
  const found = new Map<CheckedCitation, CitationNow>();
  for (const [path, some] of Map.groupBy(citations, (each) => each.path)) {
    const states = look.budget.isLeft() ? await checkFile(look, path, some) : [];
    for (const [at, each] of some.entries()) found.set(each, states[at] ?? { state: 'unknown' });
  }
  return citations.map((each) => found.get(each) ?? { state: 'unknown' });
}

interface Look {
  ports: SuggestPorts;
  workspace: Workspace;
  /** The sources of the note that was created from the text. */
  sources: NewQuote[];
  /** The number of remaining searches. */
  searches: number;
  budget: SearchBudget;
}

async function sourcesOf({ records }: SuggestPorts, { id }: Workspace, noteId: string): Promise<NewQuote[]> {
  const note = await notes.get(records, { workspaceId: id, id: noteId });
  return note === undefined ? [] : quotesOfNote(note);
}

async function checkFile(look: Look, path: string, citations: CheckedCitation[]): Promise<CitationNow[]> {
  const { ports, workspace, budget } = look;
  const retracted = isRecordable(path) && (await isRetracted(ports.records, workspace.id, path));
  const held = { state: retracted ? 'retracted' : 'holds' } as const;
  const known = (await readKnownFiles(ports.records, workspace.id, [path])).get(path);
  const isSame = ({ fileHash }: CheckedCitation) => known !== undefined && known.hash === fileHash;
  // Most files are unchanged and needn't be read.
  if (citations.every(isSame)) return citations.map(() => held);
  const file = await readWithin(budget, ports, workspace, path);
  if (file.state === 'unknown' || file.state === 'unreadable') return [];
  const quotes = citations.map(toQuote);
  const places = await findIn(look, file, quotes);
  if (places === undefined) return [];
  const states: CitationNow[] = [];
  for (const [at, quote] of quotes.entries()) {
    if (places[at] !== undefined) states.push(held);
    else states.push(await findOutside(look, path, quote, file.state === 'gone'));
  }
  return states;
}

/** Undefined if the search takes too long. */
async function findIn({ budget }: Look, file: FileNow, quotes: Quote[]) {
  return file.state === 'read' ? findAsQuoted(file.source, quotes, budget.find()) : [];
}

/**
 * Returns where the quote is if its file lacks it: in a file with the same bytes, in the file that the note names, or
 * in another file.
 */
async function findOutside(look: Look, path: string, quote: Quote, isGone: boolean): Promise<CitationNow> {
  const moved = isGone ? await findMoved(look, path, quote) : undefined;
  if (moved !== undefined) return { state: 'moved', place: toSuggestion(moved) };
  const updated = await findInNote(look, path, quote);
  if (updated !== undefined) return { state: 'updated', place: toSuggestion(updated) };
  const state = isGone ? 'deleted' : 'changed';
  const elsewhere = await findElsewhere(look, path, quote);
  return elsewhere === undefined ? { state } : { state, place: toSuggestion(elsewhere) };
}

function toQuote({ index, startLine, quote, fileHash }: CheckedCitation): Quote {
  const place = { startLine, endLine: startLine, part: {}, fileHash: fileHash ?? null };
  return { index, ...place, quote: keptQuote(quote), exact: true, isCut: false, broken: null };
}

/** Returns the place in the note, which followed its file or was repaired. */
async function findInNote(look: Look, path: string, quote: Quote): Promise<Relocation | undefined> {
  const { ports, workspace, sources, budget } = look;
  const source = sources.find(
    (each) => each.index === quote.index && each.path !== path && isBeginning(each.quote, quote.quote),
  );
  if (source === undefined) return undefined;
  const file = await readWithin(budget, ports, workspace, source.path);
  const [found] = (await findIn(look, file, [{ ...quote, startLine: source.startLine }])) ?? [];
  return found && { quote, path: source.path, place: found.place };
}

/**
 * Returns whether a stored quote is the start of another. A note stores only the start of a long quote,
 * possibly with other line breaks.
 */
function isBeginning(kept: string, quote: string): boolean {
  return flat(quote).startsWith(flat(kept)) || flat(kept).startsWith(flat(quote));
}

async function findMoved(
  { ports, workspace, budget }: Look,
  path: string,
  quote: Quote,
): Promise<Relocation | undefined> {
  const { fileHash: hash } = quote;
  if (hash === null) return undefined;
  const gone = { path, hash, since: 0 };
  const find = () => findInCopy(ports, workspace, gone, [quote], budget.find());
  return (await withTimeout(budget.msLeft(), find))?.[0];
}

async function findElsewhere(look: Look, path: string, quote: Quote): Promise<Relocation | undefined> {
  const { ports, workspace, budget } = look;
  if (look.searches === 0 || !budget.isLeft()) return undefined;
  look.searches -= 1;
  const [found] = (await suggestPlaces(ports, workspace, { path, quotes: [] }, quote, budget)) ?? [];
  return found;
}
