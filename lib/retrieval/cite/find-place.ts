import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TextRun } from '../../formats/format.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { cutsSomething } from './cut-ends.ts';
import { nearestPlace } from './nearest.ts';
import { findQuote } from './quote.ts';
import {
  type FoundWords,
  findQuotedWords,
  joinPlaces,
  quotationsIn,
  widenToSentence,
} from './quoted-words.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from './sources.ts';

/** Where a file says what a sentence does, if anywhere in a passage; `source` is undefined for a file that is gone. */
export interface ClaimPlace {
  /** Of the passage. */
  headings: string;
  source: QuotableFile | undefined;
  run: TextRun | undefined;
  /** The passage, if it is as it was indexed. */
  passage: TextRun | undefined;
  /** The quotations of the sentence that are in the file. */
  found: Set<string>;
}

export type FindPlace = (passage: Passage, claim: string) => Promise<ClaimPlace>;

/** Looks once for each sentence in each passage: those that a sentence cites are compared with each of its citations. */
export function placeFinder(ports: SourcePorts, workspace: Workspace): FindPlace {
  const known = new Map<Passage, Map<string, ClaimPlace>>();
  const findWords = wordFinder();
  return async (passage, claim) => {
    const places = known.get(passage) ?? new Map<string, ClaimPlace>();
    known.set(passage, places);
    const there = places.get(claim);
    if (there !== undefined) return there;
    const source = await readQuotable(ports, workspace, passage.path);
    await nextTurn();
    const run = source && placeOf(source, passage, claim);
    const place =
      source === undefined
        ? { headings: '', source, run, passage: undefined, found: new Set<string>() }
        : await withQuotedWords(source, { passage, claim, run }, findWords);
    places.set(claim, place);
    return place;
  };
}

type FindWords = (source: QuotableFile, words: string, near: number) => Promise<FoundWords>;

/** Looks once for the same words in the same file. */
function wordFinder(): FindWords {
  const known = new Map<QuotableFile, Map<string, Promise<FoundWords>>>();
  return (source, words, near) => {
    const found = known.get(source) ?? new Map<string, Promise<FoundWords>>();
    known.set(source, found);
    const there = found.get(words) ?? findQuotedWords(source, words, near);
    found.set(words, there);
    return there;
  };
}

/** Words in quotation marks that are in the file are what the citation quotes, wherever they are in it. */
async function withQuotedWords(
  source: QuotableFile,
  { passage, claim, run }: { passage: Passage; claim: string; run: TextRun | undefined },
  findWords: FindWords,
): Promise<ClaimPlace> {
  const found = new Set<string>();
  let quoted: TextRun | undefined;
  for (const words of quotationsIn(claim)) {
    const place = await findWords(source, words, passage.startChar);
    if (place !== false) found.add(words);
    if (typeof place === 'object') quoted ??= place;
  }
  return {
    headings: passage.context,
    source,
    passage:
      source.hash === passage.fileHash ? { start: passage.startChar, end: passage.endChar } : undefined,
    run: quoted === undefined ? run : withPlace(source, run, quoted),
    found,
  };
}

/** What was found otherwise stays with it if it is near: it may have the facts of the sentence. */
function withPlace(source: QuotableFile, run: TextRun | undefined, quoted: TextRun): TextRun {
  const sentence = widenToSentence(source, quoted);
  if (run === undefined) return sentence;
  const isInside = run.start <= quoted.start && quoted.end <= run.end;
  return joinPlaces(source, run, sentence) ?? (isInside ? run : sentence);
}

function placeOf(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  return source.hash === passage.fileHash
    ? findInPassage(source, passage, claim)
    : findAgain(source, passage, claim);
}

/** Returns the parts of the readable runs that are within the passage. */
function findInPassage({ text, runs }: QuotableFile, { startChar, endChar }: Passage, claim: string) {
  const inside = runs
    .filter(({ start, end }) => start < endChar && end > startChar)
    .map(({ start, end }) => ({ start: Math.max(start, startChar), end: Math.min(end, endChar) }));
  return findQuote(text, inside, claim, runs);
}

/** Searches the current text for what would have been quoted; `12 owls` isn't in `112 owls`. */
function findAgain(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  const isWhole = !cutsSomething(old, place);
  const fits = (found: TextRun) => !isWhole || !cutsSomething(source.text, found);
  return nearestPlace(source, quote, passage.startChar + place.start, fits);
}
