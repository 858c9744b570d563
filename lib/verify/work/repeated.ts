import { foldText } from '../../api-contract/fold-text.ts';
import { mayBeEnglish } from '../../claims/language.ts';
import { isSetAside, setsAside } from '../../claims/sets-aside.ts';
import { isTakenBackIn, takesBack } from '../../claims/takes-back.ts';
import { type SentencePlace, splitSentences } from '../../text/sentences.ts';
import { cellsOf, isRule, outerPipes } from '../draft/markdown-tables.ts';
import { isSourceEntry } from '../source-list.ts';
import { MAX_CLAIM, NUMBERS, refersBack, withoutListedReferences, withoutMarkup } from './claim-text.ts';
import { isSameOrder, tokensOf } from './same-sentence.ts';

/** A quote in its text, and the headings above. */
export interface QuoteInText {
  quote: string;
  /** The text around the quote, beyond the passage that was found. */
  text: string;
  /** Where the quote is in the text; the first place if that isn't known. */
  at?: number | undefined;
  /** Whether the file has more text before. */
  isCut?: boolean | undefined;
  context: string;
}

/** The sentence of a claim as the draft has it. */
interface Written {
  /** With its references. */
  written: string;
  /** Whether the draft's list of sources has the numbers of a reference. */
  isListed: (numbers: string) => boolean;
}

/**
 * Whether a quote repeats a claim: one of its sentences has the same words in the same order, numbers and small words
 * too, and nothing near it seems to take it back. Any other likeness is for a judge: `It is a myth that …` has all words.
 */
export function isRepeated(
  claim: string,
  place: QuoteInText,
  { written, isListed }: Written = { written: claim, isListed: () => false },
): boolean {
  const { quote, text, context } = place;
  const from = place.at ?? text.indexOf(quote);
  if (quote === '' || from === -1 || refersBack(claim)) return false;
  if (takesBack(context) || setsAside(context)) return false;
  const wanted = [tokensOf(claim), tokensOf(withoutMarkup(written))];
  return sentencesAround(text, from, from + quote.length, context).some(({ start, end }) => {
    const sentence = text.slice(start, end);
    if (sentence.length > MAX_CLAIM || !isSameSentence(wanted, sentence)) return false;
    if (hasOtherNumbers(sentence, written, isListed) || hasNote(sentence, text)) return false;
    return isSaid(claim, place, { start, end });
  });
}

/** A question has the words of its answer. */
function isSameSentence(wanted: string[][], sentence: string): boolean {
  if (/[?？]["”’）)\s]*$/u.test(sentence)) return false;
  const said = [tokensOf(withoutListedReferences(sentence)), tokensOf(withoutMarkup(sentence))];
  return wanted.some((tokens) => said.some((others) => isSameOrder(tokens, others)));
}

/** Whether a text says a sentence of it as a whole, in its own name, and nothing near it takes it back or sets it aside. */
function isSaid(claim: string, place: QuoteInText, { start, end }: SentencePlace): boolean {
  const { text, isCut = false } = place;
  if (!isWhole(place, start) || !isReadable(claim, text, start)) return false;
  if (isInQuotation(text, start) || isTakenBackIn(text, start, end)) return false;
  return !isSetAside({ before: text.slice(0, start), after: text.slice(end), isCut });
}

/**
 * Whether both have numbers in brackets at the same place, and others: `[3, 5]` next to `[4, 6]` are intervals, unless the draft's list
 * of sources has them.
 */
function hasOtherNumbers(sentence: string, written: string, isListed: Written['isListed']): boolean {
  const said = numbersByPlace(sentence);
  return [...numbersByPlace(written)].some(([at, numbers]) => {
    const other = said.get(at);
    return other !== undefined && other !== numbers && !isListed(numbers);
  });
}

/** By how many words follow: a sentence may begin with another word of transition. */
function numbersByPlace(text: string): Map<number, string> {
  return new Map(
    [...text.matchAll(NUMBERS)].map(({ 0: found, index, groups }) => {
      const after = withoutListedReferences(text.slice(index + found.length));
      return [tokensOf(`‡ ${after}`).length, (groups?.numbers ?? '').replace(/\s/g, '')];
    }),
  );
}

const NOTE = /\[\^(?<key>[\p{L}\p{N}_-]{1,40})\](?<text>:[^\n]*)?/gu;

/** Whether a sentence refers to a note of Markdown that may limit it: to any but an entry of a list of sources. */
function hasNote(sentence: string, text: string): boolean {
  const keys = [...sentence.matchAll(NOTE)].map(({ groups }) => groups?.key);
  if (keys.length === 0) return false;
  const defined = [...text.matchAll(NOTE)].filter(({ groups }) => groups?.text !== undefined);
  const notes = new Map(defined.map(({ groups }) => [groups?.key, groups?.text]));
  return keys.some((key) => !isSourceEntry((notes.get(key) ?? '').slice(1).trim()));
}

/**
 * Whether a quote repeats a row of a table: the passage has a table with the same columns and the same row, and the quote is of that
 * row. The same row below other columns says something else.
 */
export function isRepeatedRow(row: string, columns: string, place: QuoteInText): boolean {
  const { quote, text, context } = place;
  const from = place.at ?? text.indexOf(quote);
  if (quote === '' || from === -1 || columns === '' || takesBack(context)) return false;
  const isInTable = followTable(columns);
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n?/g)) {
    const isQuoted = index < from + quote.length && index + line.length > from;
    if (isInTable(line) && isQuoted && isSameRow(row, line))
      return !isTakenBackIn(text, index, index + line.length);
  }
  return false;
}

/** Returns whether each further line is in a table with these columns. */
function followTable(columns: string): (line: string) => boolean {
  let inTable = false;
  let before = '';
  return (line) => {
    if (!line.includes('|')) inTable = false;
    else if (isRule(line)) inTable = isSameRow(columns, before);
    else inTable = isSameRow(columns, line) || (inTable && !renamesColumns(columns, line));
    before = line;
    return inTable;
  };
}

function isSameRow(row: string, line: string): boolean {
  const [wanted = [], said = []] = [row, line].map(plainCells);
  return (
    wanted.length === said.length && wanted.join('') !== '' && wanted.every((cell, at) => cell === said[at])
  );
}

/** Whether a line in a table names its columns again, in another way. */
function renamesColumns(columns: string, line: string): boolean {
  const [names = [], said = []] = [columns, line].map(plainCells);
  return names[0] === said[0] && !isSameRow(columns, line);
}

/** What the cells of a row say: unlike in a sentence, any sign in a cell may be its value, such as `> 5` or `2.`. */
function plainCells(row: string): string[] {
  const { before, after } = outerPipes(row.trim());
  return cellsOf(row.trim().slice(before, row.trim().length - after)).map((cell) =>
    foldText(cell).text.replace(EMPHASIZED, '$2'),
  );
}

/** A whole cell. */
const EMPHASIZED = /^(\*\*|__|[*_`])(.*[^*_`].*)\1$/u;

/** An empty line, or a line that begins a heading, an item, or a row of a table. */
const BLOCK = /\n\s*\n|\n(?=\s{0,8}(?:[-*+•|#>]|\d{1,3}[.)]\s))/g;

/** The sentences of a text that a stretch touches. A quote may begin within one: `… that owls are blind`. */
function sentencesAround(text: string, from: number, to: number, context: string): SentencePlace[] {
  const edges = [...text.matchAll(BLOCK)].map(({ index }) => index);
  const blocks = [0, ...edges].map((start, at) => ({ start, end: edges[at] ?? text.length }));
  return blocks
    .filter(({ start, end }) => start < to && end > from)
    .flatMap((block) =>
      splitSentences(text.slice(block.start, block.end)).flatMap(({ start, end }) =>
        withoutHeadings(text, { start: block.start + start, end: block.start + end }, context),
      ),
    )
    .filter(({ start, end }) => start < to && end > from);
}

const LINES = /[^\n]+/gu;
/** Lines that head a text, and say nothing. */
const SECTION =
  /^(?:\d+(?:\.\d+)*\.?\s+)?(?:abstract|summary|introduction|background|objectives?|aims?|(?:materials? and )?methods?|results?|findings|discussion|conclusions?|limitations|appendix|results and discussion|摘要|引言|前言|背景|方法|结果|讨论|结论)$/iu;
const PERSON = String.raw`(?:\p{Lu}\.[\s-]?){1,3}\p{Lu}[\p{L}'’-]+`;
const AUTHORS = new RegExp(`^${PERSON}(?:(?:,|,? and| &) ${PERSON}){0,20}$`, 'u');

/** A sentence; and where it begins with headings and a line of authors, as a page of a PDF does, what follows them, too. */
function withoutHeadings(text: string, { start, end }: SentencePlace, context: string): SentencePlace[] {
  const lines = [...text.slice(start, end).matchAll(LINES)];
  const last = lines.findLastIndex(({ 0: line }) => isHeading(line.trim(), context));
  const next = lines[last + 1];
  if (last === -1 || next === undefined) return [{ start, end }];
  return [
    { start, end },
    { start: start + next.index, end },
  ];
}

function isHeading(line: string, context: string): boolean {
  return SECTION.test(line) || AUTHORS.test(line) || context.split('\n').some((each) => each.trim() === line);
}

/** A line that the next may continue, or that says how far the next is so. */
const CONTINUES =
  /(?:[,;:：，；–—-]|(?<!\p{L})(?:\p{Ll}{1,3}|that|than|with|from|into|when|were|have|been|does|which|whether|because|says|said|claims|claimed|believes?|believed|reports?|reported|argues?|argued|thinks?|thought))$/u;
const LIMITS =
  /(?<!\p{L})(?:not?|never|none|nobody|nothing|neither|without|hardly|most|least|than|only|if|unless|except|says?|said|claims?|claimed|believes?|thinks?|writes?|wrote)(?!\p{L})|不|没|无|非|未|说|称|认为/iu;
const ENDED = /[.!?。！？…|]["”’)）\]*_]*$/u;
const LONGEST_HEADING = 100;
const BEGINS = /^["“‘«([*_]*(?:\p{Lu}|\p{Lo}|\d)/u;

/** Whether a sentence begins where its text says: a page, a passage, or a column may begin within a sentence. */
function isWhole({ text, context, isCut = false }: QuoteInText, start: number): boolean {
  const own = text.slice(start).replace(/^\s*(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s+/, '');
  if (!BEGINS.test(own)) return false;
  const before = text.slice(0, start).trimEnd();
  if (before === '') return !isCut;
  const lines = before.split('\n');
  const line = (lines.at(-1) ?? '').trim();
  if (ENDED.test(line) || /^#{1,6}\s/.test(line) || isHeading(line, context)) return true;
  const isAlone = (lines.at(-2) ?? '').trim() === '' || /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line);
  return isAlone && line.length <= LONGEST_HEADING && !CONTINUES.test(line) && !LIMITS.test(line);
}

/** Scripts of languages whose words of doubt code doesn't know. */
const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}]/u;
const NEAR = 300;

/** Whether code can tell what is said near a claim: in English and Chinese. */
function isReadable(claim: string, text: string, start: number): boolean {
  if (OTHER_SCRIPT.test(claim)) return false;
  return mayBeEnglish(claim) || mayBeEnglish(text.slice(Math.max(0, start - NEAR), start + NEAR));
}

const QUOTATION_MARK =
  /(?<opens>[“„«「『]|(?<![\p{L}\p{N}])[‘'‚‹](?=\S))|[”»」』]|(?<=\S)['’›](?![\p{L}\p{N}])/gu;
const MAX_SPEECH = 2000;

/** Whether a quotation that began before a sentence hasn't ended. Its own marks are compared as its words. */
function isInQuotation(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_SPEECH), start);
  const paragraph = before.slice(before.lastIndexOf('\n\n') + 1);
  if ((paragraph.split('"').length - 1) % 2 === 1) return true;
  return [...before.matchAll(QUOTATION_MARK)].at(-1)?.groups?.opens !== undefined;
}
