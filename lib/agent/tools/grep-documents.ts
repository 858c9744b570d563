import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import type { Location } from '../../datasets/links/mounts.ts';
import { NotFound, noneIfRefused } from '../../errors.ts';
import { encodedFormats, formatOf, isPicture, readingFormat } from '../../formats/all-formats.ts';
import type { Decoded } from '../../formats/format.ts';
import { lineStarts } from '../../formats/lines.ts';
import { partOf } from '../../formats/part-of.ts';
import { readStoredText } from '../../formats/stored-source.ts';
import { type IndexedFile, readKnownFiles, stateOf } from '../../indexing/schema.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import type { FilePart } from '../../ports/file-part.ts';
import type { Objects } from '../../ports/objects.ts';
import type { HeldMatch, TextMatch, TextPattern, TextSearch } from '../../ports/text-search.ts';
import { shownPath } from './path.ts';
import { readBytes, readFileText } from './read-text.ts';
import type { ToolContext } from './tool.ts';

export interface GrepPorts {
  textSearch: TextSearch;
  objects: Objects;
}

/**
 * Limits of one call: the number of documents, their total characters, and the number of documents to decode.
 */
const MAX_DOCUMENTS = 500;
const MAX_CHARACTERS = 48 * 1024 * 1024;
const MAX_DECODED = 20;
const AT_ONCE = 8;

export const encodedExtensions = encodedFormats.flatMap(({ extensions }) => extensions);

export function isEncoded(path: string): boolean {
  return formatOf(path)?.content === 'encoded';
}

interface Wanted {
  request: Pick<TextPattern, 'pattern' | 'ignoreCase' | 'context'> & { include?: string[] | undefined };
  limit: number;
  /** Milliseconds since the epoch. */
  deadline: number;
}

type DocumentMatch = Omit<TextMatch, 'line'> & FilePart & { line?: number };

export interface DocumentResult {
  matches: DocumentMatch[];
  truncated: boolean;
  note?: string;
}

/**
 * Searches the text that a search of the bytes misses: that of documents, and text that isn't UTF-8. ripgrep
 * lists the files, so that the same ignore rules apply, and searches their text as its input. The text is the
 * stored extract if a stat shows that the file is unchanged since it was indexed; otherwise, the isolated
 * process decodes the file.
 */
export async function searchDocuments(
  ports: GrepPorts,
  context: ToolContext,
  places: Location[],
  wanted: Wanted,
): Promise<DocumentResult> {
  const { request, limit, deadline } = wanted;
  const found = await Promise.all(places.map((place) => listDocuments(ports, context, place, wanted)));
  const listed = await withoutBlankPictures(context, found.flat());
  const { documents, left } = await readDocuments(ports, context, listed.slice(0, MAX_DOCUMENTS), deadline);
  const unsearched = left + Math.max(listed.length - MAX_DOCUMENTS, 0);
  const note =
    unsearched === 0
      ? {}
      : { note: `${unsearched} documents were not searched. Name them with path or include.` };
  if (documents.length === 0) return { matches: [], truncated: false, ...note };
  const { matches, truncated } = await ports.textSearch.searchTexts(
    documents.map(({ text }) => text),
    { ...request, maxMatches: Math.max(limit, 1), timeoutMs: timeLeft(deadline), signal: context.signal },
  );
  const startsOf = lineReader();
  const shown = matches.slice(0, limit).flatMap((match) => {
    const document = documents[match.index];
    return document === undefined ? [] : [toShown(context, document, match, startsOf)];
  });
  return { matches: shown, truncated: truncated || matches.length > limit, ...note };
}

/** Returns the remaining time. A call that is late still gets a moment, to report that. */
function timeLeft(deadline: number): number {
  return Math.max(deadline - Date.now(), 1000);
}

interface Listed {
  place: Location;
  /** The path in the workspace's notation. */
  path: string;
}

async function listDocuments(
  { textSearch }: GrepPorts,
  { signal }: ToolContext,
  place: Location,
  { request: { pattern, include }, deadline }: Wanted,
): Promise<Listed[]> {
  const request = { root: place.root, path: place.path, timeoutMs: timeLeft(deadline), signal };
  const list = async (written?: 'not-utf-8') => {
    const { paths } = await textSearch
      .files({ ...request, ...(include && { include }), ...(written && { written }) })
      .catch(noneIfMissing);
    return paths.filter((path) => isEncoded(path) === (written === undefined));
  };
  // ASCII text has the same bytes in all encodings.
  const found = [await list(), ...(/[^\0-\x7f]/.test(pattern) ? [await list('not-utf-8')] : [])].flat();
  return found.map((path) => ({ place: { ...place, path }, path: place.prefix + path }));
}

/**
 * Keeps only images that have recognized text. There may be thousands of others, and images aren't decoded
 * here.
 */
async function withoutBlankPictures(
  { records, workspace }: ToolContext,
  listed: Listed[],
): Promise<Listed[]> {
  const pictures = listed.map(({ path }) => path).filter(isPicture);
  if (pictures.length === 0) return listed;
  const known = await readKnownFiles(records, workspace.id, pictures);
  return listed.filter(({ path }) => {
    const file = known.get(path);
    return !isPicture(path) || (file !== undefined && stateOf(file) === 'indexed');
  });
}

function noneIfMissing(error: unknown) {
  if (error instanceof NotFound) return { paths: [] };
  throw error;
}

interface Document extends Decoded {
  path: string;
}

/** Reads the readable documents in order. Also reports how many didn't fit into the limits. */
async function readDocuments(
  { objects }: GrepPorts,
  context: ToolContext,
  listed: Listed[],
  deadline: number,
): Promise<{ documents: Document[]; left: number }> {
  const known = await readKnownFiles(
    context.records,
    context.workspace.id,
    listed.map(({ path }) => path),
  );
  const budget = { characters: MAX_CHARACTERS, decoded: MAX_DECODED };
  const documents: (Document | undefined)[] = new Array(listed.length);
  await forEachConcurrent(listed.entries(), AT_ONCE, async ([index, { place, path }]) => {
    context.signal.throwIfAborted();
    const stored = await readStored(objects, context, place, known.get(path));
    const read = stored ?? (Date.now() < deadline ? await readNow(place, budget) : undefined);
    budget.characters -= read?.text.length ?? 0;
    if (read !== undefined && budget.characters >= 0) documents[index] = { ...read, path };
  });
  const there = documents.filter((document) => document !== undefined);
  return { documents: there, left: listed.length - there.length };
}

/** Reads the index's text of exactly this version of the file. */
async function readStored(
  objects: Objects,
  { workspace }: ToolContext,
  place: Location,
  known: IndexedFile | undefined,
): Promise<Decoded | undefined> {
  if (known === undefined || !isEncoded(place.path)) return undefined;
  await using handle = await openInside(place.root, place.path).catch(noneIfRefused);
  if (handle === undefined) return undefined;
  const { size, mtimeMs, ctimeMs } = await handle.stat();
  const isSame = size === known.size && mtimeMs === known.mtimeMs && ctimeMs === known.ctimeMs;
  if (!isSame) return undefined;
  if (known.hash === '') return NOTHING; // it couldn't be read when it was indexed
  return await readStoredText(objects, { workspaceId: workspace.id, hash: known.hash });
}

/** An unreadable or binary file has no text to search. */
const NOTHING: Decoded = { text: '', partStarts: [] };

async function readNow(place: Location, budget: { decoded: number }): Promise<Decoded | undefined> {
  if (isEncoded(place.path) && budget.decoded-- <= 0) return undefined;
  const bytes = await readBytes(place).catch(noneIfRefused);
  if (bytes === undefined) return NOTHING;
  const version = { hash: await sha256(bytes), whose: place.root };
  return (await readFileText(readingFormat(place.path), bytes, version).catch(noneIfRefused)) ?? NOTHING;
}

/**
 * Returns a function that finds the line starts of a document. It finds them once, because a long document
 * may have many matches.
 */
function lineReader(): (document: Document) => number[] {
  const known = new Map<Document, number[]>();
  return (document) => {
    const starts = known.get(document) ?? lineStarts(document.text);
    known.set(document, starts);
    return starts;
  };
}

/**
 * Converts a match for display. readFile counts a document's parts, not its lines, so this shows the part.
 */
function toShown(
  context: ToolContext,
  document: Document,
  { index: _, line, ...match }: HeldMatch,
  startsOf: (document: Document) => number[],
): DocumentMatch {
  const path = shownPath(context, document.path);
  const { unit } = readingFormat(document.path);
  if (unit === 'line') return { path, line, ...match };
  const start = startsOf(document)[line - 1] ?? 0;
  return { path, ...partOf(document, unit, { start, end: start + 1 }), ...match };
}
