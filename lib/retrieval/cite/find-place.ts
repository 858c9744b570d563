import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TextRun } from '../../formats/format.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { cutsSomething } from './cut-ends.ts';
import { nearestPlace, runsWithin } from './nearest.ts';
import { findQuote } from './quote.ts';
import { type FoundWords, findQuotedWords, quotationsIn } from './quoted-words.ts';
import { joinPlaces, widenToSentence } from './sentences-within.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from './sources.ts';

/**
 * The place in a file that says what a sentence states, if any passage contains it. `source` is undefined for
 * a deleted file.
 */
export interface ClaimPlace {
  /** The headings of the passage. */
  headings: string;
  source: QuotableFile | undefined;
  run: TextRun | undefined;
  /** The passage, if it is unchanged since it was indexed. */
  passage: TextRun | undefined;
  /** The quotations of the sentence that the file contains. */
  found: Set<string>;
}

/** The workspace of all passages, or the list of workspaces that passages name. */
export type SourceWorkspaces = Workspace | readonly Workspace[];

function workspaceOf(workspaces: SourceWorkspaces, { workspaceId }: Passage): Workspace | undefined {
  return 'id' in workspaces ? workspaces : workspaces.find(({ id }) => id === workspaceId);
}

export type FindPlace = (passage: Passage, claim: string) => Promise<ClaimPlace>;
type FindWords = (source: QuotableFile, words: string, near: number) => Promise<FoundWords>;

/**
 * Searches each passage for each sentence only once, because the places of a sentence are compared with each
 * of its citations. Also searches each file for the same words only once.
 */
export function placeFinder(ports: SourcePorts, workspaces: SourceWorkspaces): FindPlace {
  const findWords = once(findQuotedWords);
  return once(async (passage: Passage, claim: string): Promise<ClaimPlace> => {
    const workspace = workspaceOf(workspaces, passage);
    const source = workspace && (await readQuotable(ports, workspace, passage.path));
    await nextTurn();
    if (source === undefined)
      return { headings: '', source, run: undefined, passage: undefined, found: new Set() };
    return withQuotedWords(source, { passage, claim, run: placeOf(source, passage, claim) }, findWords);
  });
}

function once<Of, More extends unknown[], Result>(
  find: (of: Of, text: string, ...more: More) => Result,
): typeof find {
  const known = new Map<Of, Map<string, Result>>();
  return (of, text, ...more) => {
    const results = known.get(of) ?? new Map<string, Result>();
    known.set(of, results);
    const result = results.get(text) ?? find(of, text, ...more);
    results.set(text, result);
    return result;
  };
}

/** The citation quotes words that are in quotation marks, if they are anywhere in the file. */
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
    passage: source.hash === passage.fileHash ? passageRun(passage) : undefined,
    run: quoted === undefined ? run : withPlace(source, run, quoted),
    found,
  };
}

/** If other text that was found is near, keeps it too, because it may have facts of the sentence. */
function withPlace(source: QuotableFile, run: TextRun | undefined, quoted: TextRun): TextRun {
  const sentence = widenToSentence(source, quoted);
  if (run === undefined) return sentence;
  const isInside = run.start <= quoted.start && quoted.end <= run.end;
  return joinPlaces(source, run, sentence) ?? (isInside ? run : sentence);
}

function placeOf(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  if (source.hash !== passage.fileHash) return findAgain(source, passage, claim);
  return findQuote(source.text, runsWithin(source.runs, passageRun(passage)), claim, source.runs);
}

function passageRun({ startChar: start, endChar: end }: Passage): TextRun {
  return { start, end };
}

/**
 * Searches the current text for the text that would have been quoted. `12 owls` isn't found in `112 owls`.
 */
function findAgain(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  const isWhole = !cutsSomething(old, place);
  const fits = (found: TextRun) => !isWhole || !cutsSomething(source.text, found);
  return nearestPlace(source, quote, passage.startChar + place.start, fits);
}
