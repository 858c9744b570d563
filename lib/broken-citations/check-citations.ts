import { flat } from '../api-contract/flat.ts';
import { isRecordable, readKnownFiles } from '../indexing/schema.ts';
import { quotesOfNote } from '../notes/note-quotes.ts';
import { notes } from '../notes/schema.ts';
import { keptQuote } from '../quotations/keep-quotes.ts';
import { isRetracted } from '../quotations/retractions.ts';
import type { NewQuote, Quote } from '../quotations/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { readFileNow } from './file-now.ts';
import { findInCopy } from './find-in-copy.ts';
import { findAsQuoted } from './find-quote.ts';
import { MAX_SUGGESTIONS, SUGGEST_MS, toSuggestion } from './list.ts';
import type { Relocation } from './relocate.ts';
import type { CheckCitations, CheckedCitation, CitationNow } from './schema.ts';
import { type SuggestPorts, suggestPlaces } from './suggest.ts';

/**
 * Says of each citation of a text whether it holds now, and else where its quote is. For texts that stay as they were written:
 * reports, checks of drafts, and runs. Chats and notes follow their files on their own.
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
    until: performance.now() + SUGGEST_MS,
  };
  const found: CitationNow[] = [];
  for (const each of citations)
    found.push(performance.now() > look.until ? { state: 'unknown' } : await checkOne(look, each));
  return found;
}

interface Look {
  ports: SuggestPorts;
  workspace: Workspace;
  /** Of the note that was made of the text. */
  sources: NewQuote[];
  /** Searches that are left. */
  searches: number;
  until: number;
}

async function sourcesOf({ records }: SuggestPorts, { id }: Workspace, noteId: string): Promise<NewQuote[]> {
  const note = await notes.get(records, { workspaceId: id, id: noteId });
  return note === undefined ? [] : quotesOfNote(note);
}

async function checkOne(look: Look, citation: CheckedCitation): Promise<CitationNow> {
  const { ports, workspace } = look;
  const { path, fileHash } = citation;
  const quote = toQuote(citation);
  const retracted = isRecordable(path) && (await isRetracted(ports.records, workspace.id, path));
  const held = { state: retracted ? 'retracted' : 'holds' } as const;
  const known = (await readKnownFiles(ports.records, workspace.id, [path])).get(path);
  if (known !== undefined && known.hash === fileHash) return held; // most files: they needn't be read
  const file = await readFileNow(ports, workspace, path);
  if (file.state === 'unknown' || file.state === 'unreadable') return { state: 'unknown' };
  if (file.state === 'read' && findAsQuoted(file.source, quote) !== undefined) return held;
  return findOutside(look, path, quote, file.state === 'gone');
}

/** Where the quote is, if its file lacks it: by the bytes of the file, by the note, or in another file. */
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

/** The note followed its file, or was repaired. */
async function findInNote(look: Look, path: string, quote: Quote): Promise<Relocation | undefined> {
  const { ports, workspace, sources } = look;
  const source = sources.find(
    (each) => each.index === quote.index && each.path !== path && isBeginning(each.quote, quote.quote),
  );
  if (source === undefined) return undefined;
  const file = await readFileNow(ports, workspace, source.path);
  if (file.state !== 'read') return undefined;
  const found = findAsQuoted(file.source, { ...quote, startLine: source.startLine });
  if (found === undefined) return undefined;
  return { quote, path: source.path, place: { ...found.place, fileHash: file.source.hash } };
}

/** A note has the beginning of a long quote, and its line breaks may differ. */
function isBeginning(kept: string, quote: string): boolean {
  return flat(quote).startsWith(flat(kept)) || flat(kept).startsWith(flat(quote));
}

async function findMoved(
  { ports, workspace }: Look,
  path: string,
  quote: Quote,
): Promise<Relocation | undefined> {
  const { fileHash: hash } = quote;
  if (hash === null) return undefined;
  const [found] = await findInCopy(ports, workspace, { path, hash, since: 0 }, [quote]);
  return found;
}

async function findElsewhere(look: Look, path: string, quote: Quote): Promise<Relocation | undefined> {
  if (look.searches === 0) return undefined;
  look.searches -= 1;
  const [found] = (await suggestPlaces(look.ports, look.workspace, { path, quotes: [] }, quote)) ?? [];
  return found;
}
