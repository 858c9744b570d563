import { flat } from '../../api-contract/flat.ts';
import type { TextRun } from '../../formats/format.ts';
import { readFacts } from '../../support/rules/facts.ts';
import { isHeaderLine } from '../../support/rules/table-rows.ts';
import { type Comparison, type Coverage, likenessTo, type Rarity, rarityIn } from './likeness.ts';
import { markedIn } from './quoted-words.ts';
import { MAX_QUOTE_LENGTH, sentencesWithin } from './sentences-within.ts';
import { withTableHeader } from './table-header.ts';
import { type Term, weightedTerms } from './terms.ts';

const MAX_SENTENCES = 4;
const PARAGRAPH = /\n\s*\n/;

/**
 * The minimum likeness of a quote, in any document. docs/architecture/benchmarks.md has the shares of true and of
 * unrelated pairs that it rejects.
 */
const LEAST_LIKENESS = 0.15;
/** A further sentence must improve the score by at least this factor. */
const PER_SENTENCE = 0.88;
/** The weight of a heading, which only announces the text below it. */
const OF_HEADING = 0.6;
/**
 * The weight of the row that a claim names. It covers more of the claim than a row that has only its number.
 */
const OF_NAMED_ROW = 1.5;
const LABEL_WORD = /[\p{L}\p{M}\p{N}]+/gu;
const HEADING = /^#{1,6} .{1,80}$/u;

/**
 * Returns the sentence, or the few adjacent sentences, that cover most of a claim. Of those about as similar
 * as the best, prefers one with all facts. Looks for texts in quotation marks first. Undefined if nothing is
 * similar. A quote is within one run and has no white space at its ends, so `text.slice(start, end)` occurs
 * in the text unchanged. `readable` may contain the header of a table whose rows are in a run.
 */
export function findQuote(
  text: string,
  runs: TextRun[],
  claim: string,
  readable: TextRun[] = runs,
): TextRun | undefined {
  const pieces = readSentences(text, runs);
  const alike = likestPlaces(text, pieces, { claim, rarity: rarityIn(pieces.flat()) }).slice(0, MAX_COMPARED);
  const best = withFacts({ text, runs: readable }, alike, claim) ?? alike[0];
  return best && toSentenceEnd(text, runs, best);
}

/** Returns the sentences of each run with their terms. */
export function readSentences(text: string, runs: TextRun[]): SentenceRun[][] {
  return runs.map((run) =>
    sentencesWithin(text, run, MAX_QUOTE_LENGTH).map(({ start, end }) => ({
      ...{ start, end },
      terms: weightedTerms(text.slice(start, end)),
    })),
  );
}

/**
 * Returns the places in a text that are similar to a claim, the most similar first. Scores are comparable
 * between texts that share `rarity`.
 */
export function likestPlaces(
  text: string,
  pieces: SentenceRun[][],
  { claim, rarity }: { claim: string; rarity: Rarity },
): Candidate[] {
  const wanted = {
    likeness: likenessTo(weightedTerms(claim), rarity),
    literal: markedIn(claim)
      .map(({ text: words }) => flat(words).toLowerCase())
      .filter((words) => IS_LONG.test(words)),
    named: rowNamer(claim),
  };
  return pieces
    .flatMap((sentences) => [...candidates(text, sentences, wanted)])
    .toSorted((a, b) => b.score - a.score);
}

/** Matches a line of a PDF whose sentence continues on the next line. */
const GOES_ON = /^[^\S\n]*\n[^\S\n]*(?=[\p{Ll}\d(])/u;
const SENTENCE_END = /[.!?](?=["'”’)\]]*(?:\s|$))|[。！？]/u;
const REST = 200;

/** Extends a quote to the end of its sentence, because the last line may share no word with the claim. */
function toSentenceEnd(text: string, runs: TextRun[], { start, end }: TextRun): TextRun {
  const run = runs.find((each) => each.start <= start && end <= each.end);
  const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
  const after = text.slice(end, Math.min(run?.end ?? end, end + REST, start + MAX_QUOTE_LENGTH));
  if (!GOES_ON.test(after) || /[.!?;:。！？；：|]["'”’)\]]*$/u.test(line) || line.includes('|'))
    return { start, end };
  const stop = SENTENCE_END.exec(after);
  const rest = stop === null ? '' : after.slice(0, stop.index + stop[0].length);
  return /\n\s*\n/.test(rest) ? { start, end } : { start, end: end + rest.length };
}

/**
 * The maximum number of candidates whose facts are compared. Each takes about a millisecond, or up to three
 * in a malicious text.
 */
const MAX_COMPARED = 12;
/** The minimum score of the candidate with all facts, relative to the best one. */
const AS_ALIKE = 0.8;

interface Candidate extends TextRun {
  score: number;
}

function withFacts(
  source: { text: string; runs: TextRun[] },
  alike: Candidate[],
  claim: string,
): Candidate | undefined {
  const least = AS_ALIKE * (alike[0]?.score ?? 0);
  const facts = readFacts(claim);
  return alike.find((place) => place.score >= least && facts.isIn(withTableHeader(source, place)));
}

export interface SentenceRun extends TextRun {
  terms: Term[];
}

interface Wanted {
  likeness: Comparison;
  /** The words of the claim in quotation marks. */
  literal: string[];
  /** Returns whether the claim names a row of a table. */
  named(row: string): boolean;
}

/** Matches quoted text that is long enough to look up. Shorter text may be anywhere. */
const IS_LONG = /^.{8}|^\p{Script=Han}{4}/u;

function countLiteral(place: string, { literal }: Wanted): number {
  if (literal.length === 0) return 0;
  const said = flat(place).toLowerCase();
  return literal.filter((quoted) => said.includes(quoted)).length;
}

/**
 * Returns whether any stretch of these sentences may be similar enough, judging by what each of them shares
 * with the claim.
 */
function mayBeAlike(shared: number[], { likeness, literal }: Wanted): boolean {
  const most = shared.reduce((sum, each) => sum + each, 0);
  return literal.length > 0 || !(likeness.mostLike(most) < LEAST_LIKENESS);
}

/** Yields every sentence of a run, alone and with the sentences that follow it in its paragraph. */
function* candidates(text: string, sentences: SentenceRun[], wanted: Wanted): Iterable<Candidate> {
  const shared = sentences.map(({ terms }) => wanted.likeness.sharedBy(terms));
  for (const [first, { start }] of sentences.entries()) {
    if (!mayBeAlike(shared.slice(first, first + MAX_SENTENCES), wanted)) continue;
    const sum = wanted.likeness.start();
    for (const [more, { end, terms }] of sentences.slice(first, first + MAX_SENTENCES).entries()) {
      if (!isOneParagraph(text, start, end)) break;
      sum.add(terms);
      const score = scoreOf(text.slice(start, end), sum, more) + countLiteral(text.slice(start, end), wanted);
      if (score > 0) yield { start, end, score };
    }
  }
  yield* rowsWithHeader(text, sentences, wanted);
}

/**
 * Yields the stretch from the header row of a table to each later row, because perhaps only the header
 * contains `2022`.
 */
function* rowsWithHeader(text: string, sentences: SentenceRun[], wanted: Wanted): Iterable<Candidate> {
  for (const [row, header] of headersOf(text, sentences)) {
    const { start, end } = { start: header.start, end: row.end };
    if (!isOneParagraph(text, start, end)) continue;
    const sum = wanted.likeness.start();
    for (const { terms } of [header, row]) sum.add(terms);
    const ofHeader = wanted.likeness.start();
    ofHeader.add(header.terms);
    const isNamed =
      ofHeader.likeness() > 0 &&
      wanted.named(text.slice(row.start, row.end)) &&
      isHeaderOf(text, header, row);
    const score = scoreOf(text.slice(start, end), sum, 0) * (isNamed ? OF_NAMED_ROW : 1);
    if (score > 0) yield { start, end, score };
  }
}

/**
 * Returns whether a row is the header of another. If a passage starts within a table, its first row is an
 * ordinary one.
 */
function isHeaderOf(text: string, header: TextRun, row: TextRun): boolean {
  const [second = ''] = text.slice(header.end, row.start).trimStart().split('\n');
  const said = text.slice(row.start, row.end);
  return isHeaderLine({ first: text.slice(header.start, header.end), second, row: said });
}

/**
 * Returns a function that reports whether a claim contains all words of a row's first cell. If so, the claim
 * is about that row, whatever the other rows contain.
 */
function rowNamer(claim: string): (row: string) => boolean {
  const said = new Set(claim.toLowerCase().match(LABEL_WORD) ?? []);
  return (row) => {
    const label = row.split('|').find((cell) => cell.trim() !== '') ?? '';
    const words = label.toLowerCase().match(LABEL_WORD) ?? [];
    return words.some((word) => /\p{L}{2}/u.test(word)) && words.every((word) => said.has(word));
  };
}

/** Returns each row of a table with the table's first row. */
function headersOf(text: string, sentences: SentenceRun[]): Map<SentenceRun, SentenceRun> {
  const headers = new Map<SentenceRun, SentenceRun>();
  let last: SentenceRun | undefined;
  for (const sentence of sentences) {
    const isRow = text.slice(sentence.start, sentence.end).includes('|');
    const above = last !== undefined && ROW_END.test(text.slice(last.end, sentence.start)) ? last : undefined;
    if (isRow && above !== undefined) headers.set(sentence, headers.get(above) ?? above);
    last = isRow ? sentence : undefined;
  }
  return headers;
}

const ROW_END = /^[^\S\n]*\n[^\S\n]*$/u;

function scoreOf(place: string, { likeness, score }: Coverage, more: number): number {
  if (likeness() < LEAST_LIKENESS) return 0;
  return score() * (more === 0 && HEADING.test(place) ? OF_HEADING : PER_SENTENCE ** more);
}

function isOneParagraph(text: string, start: number, end: number): boolean {
  return end - start <= MAX_QUOTE_LENGTH && !PARAGRAPH.test(text.slice(start, end));
}
