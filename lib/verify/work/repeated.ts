import { type SentencePlace, splitSentences } from '../../text/sentences.ts';
import { cellsOf, outerPipes } from '../draft/markdown-tables.ts';
import { MAX_CLAIM, refersBack, withoutReferences } from './claim-text.ts';

/** A quote with the passage that it is from, and the headings above. */
export interface QuoteInPassage {
  quote: string;
  text: string;
  context: string;
}

/** Words that a sentence may have more without saying anything else. */
const NEUTRAL = new Set(['also', 'indeed', '也']);
const OPENING =
  /^(?:(?:however|moreover|furthermore|in addition|additionally|also|thus|therefore|hence|consequently|in fact|indeed|for (?:example|instance)|finally|likewise|and|but|so)\b,?\s*|(?:此外|因此|然而|同时|另外|首先|其次|而且|例如|所以)，?)/iu;
/** Near a sentence, these may say that it isn't so. */
const TAKES_BACK =
  /(?<!\p{L})(?:myths?|mistakes?|mistaken(?:ly)?|misconceptions?|misbeliefs?|misunderst\p{L}+|misinform\p{L}+|superstitions?|hoax(?:es)?|rumou?rs?|fictions?|fictional|satir\p{L}+|false(?:ly|hoods?)?|untrue|incorrect(?:ly)?|wrong(?:ly)?|fake[ds]?|fabricat\p{L}+|debunk\p{L}*|refut\p{L}+|retract\p{L}+|disprov\p{L}+|rebut\p{L}*|reject(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disput\p{L}+|doubt\p{L}*|alleg\p{L}+|erroneous(?:ly)?|contrary to|no longer|hypothes[ei]s|hypothetical\p{L}*|imagine|suppose|assum\p{L}+|whether|unproven|unfounded|unsubstantiated|obsolete|outdated|superseded|nonsense|lies?)(?!\p{L})|不实|谣言|辟谣|谣传|误解|误区|误传|误认|错误|虚假|并非|不对|假设|假如|迷信|撤稿|否认|驳斥|质疑|不再|过时|是否/iu;
/** How far it is looked for them. */
const BEFORE = 400;
const AFTER = 250;
const QUOTATION = /["“”„«»「」『』]/u;
const OPENS = /[“„«「『]/gu;
const CLOSES = /[”»」』]/gu;
const TOKEN =
  /\p{Script=Han}|(?<![\p{L}\p{N}])-\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:'[\p{L}\p{M}]+)*|[%‰&/@§]|[^\s\p{P}]/gu;

/**
 * Whether a quote repeats a claim: one of its sentences has the same words in the same order, numbers and small words
 * too, and nothing near it seems to take it back. Any other likeness is for a judge: `It is a myth that …` has all words.
 */
export function isRepeated(claim: string, { quote, text, context }: QuoteInPassage): boolean {
  const from = text.indexOf(quote);
  if (quote === '' || from === -1 || refersBack(claim) || TAKES_BACK.test(context)) return false;
  const wanted = tokensOf(claim);
  return sentencesAround(text, from, from + quote.length).some(({ start, end }) => {
    const sentence = text.slice(start, end);
    if (
      sentence.length > MAX_CLAIM ||
      /[?？]["”’）)\s]*$/u.test(sentence) ||
      isQuoted(claim, sentence, text.slice(0, start))
    )
      return false;
    const around = `${text.slice(Math.max(0, start - BEFORE), start)} ${text.slice(end, end + AFTER)}`;
    return isSameOrder(wanted, tokensOf(withoutReferences(sentence))) && !TAKES_BACK.test(around);
  });
}

/**
 * Whether a quote repeats a row of a table: the passage has a table with the same columns and the same row, and the quote is of that
 * row. The same row below other columns says something else.
 */
export function isRepeatedRow(
  row: string,
  columns: string,
  { quote, text, context }: QuoteInPassage,
): boolean {
  const from = text.indexOf(quote);
  if (quote === '' || from === -1 || columns === '' || TAKES_BACK.test(context)) return false;
  let inTable = false;
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n?/g)) {
    inTable = line.includes('|') && (inTable || isSameRow(columns, line));
    const isQuoted = index < from + quote.length && index + line.length > from;
    if (inTable && isQuoted && isSameRow(row, line)) {
      const around = `${text.slice(Math.max(0, index - BEFORE), index)} ${text.slice(index, index + AFTER)}`;
      return !TAKES_BACK.test(around);
    }
  }
  return false;
}

function isSameRow(row: string, line: string): boolean {
  const [wanted, said] = [row, line].map((each) => withoutOuterPipes(each));
  return wanted === said && wanted !== '';
}

function withoutOuterPipes(row: string): string {
  const { before, after } = outerPipes(row.trim());
  const cells = cellsOf(row.trim().slice(before, row.trim().length - after));
  return cells.map((cell) => tokensOf(withoutReferences(cell)).join(' ')).join('|');
}

/** An empty line, or a line that begins a heading, an item, or a row of a table. */
const BLOCK = /\n\s*\n|\n(?=\s{0,8}(?:[-*+•|#>]|\d{1,3}[.)]\s))/g;

/** The sentences of a text that a stretch touches. A quote may begin within one: `… that owls are blind`. */
function sentencesAround(text: string, from: number, to: number): { start: number; end: number }[] {
  const edges = [...text.matchAll(BLOCK)].map(({ index }) => index);
  const blocks = [0, ...edges].map((start, at) => ({ start, end: edges[at] ?? text.length }));
  return blocks
    .filter(({ start, end }) => start < to && end > from)
    .flatMap((block) =>
      splitSentences(text.slice(block.start, block.end)).flatMap(({ start, end }) =>
        withoutHeadings(text, { start: block.start + start, end: block.start + end }),
      ),
    )
    .filter(({ start, end }) => start < to && end > from);
}

/** What ends no heading: the sentence continues in the next line. */
const CONTINUES =
  /(?:[,;:–—-]|(?<!\p{L})(?:\p{Ll}{1,3}|that|than|with|from|into|when|were|have|been|does|which|whether|because|says|said|claims|claimed|believes?|believed|reports?|reported|argues?|argued|thinks?|thought))\s*$/u;
const LONGEST_HEADING = 100;
const LINES = /[^\n]+/gu;

/**
 * A sentence; and where it begins with lines that end before their width is used up, as headings and names of authors in a PDF do,
 * what follows them, too.
 */
function withoutHeadings(text: string, { start, end }: SentencePlace): SentencePlace[] {
  const lines = [...text.slice(start, end).matchAll(LINES)];
  const width = Math.max(...lines.map(([line]) => line.trim().length));
  const places = [{ start, end }];
  for (const [at, { 0: line, index }] of lines.entries()) {
    const { 0: next = '', index: from = 0 } = lines[at + 1] ?? {};
    if (!isHeading(line.trim(), next.trim(), width)) break;
    places.push({ start: start + from, end });
    if (index > MAX_CLAIM) break;
  }
  return places;
}

function isHeading(line: string, next: string, width: number): boolean {
  const [word = ''] = next.split(/\s/u);
  const isShort = line.length <= LONGEST_HEADING && line.length + 1 + word.length <= width;
  return isShort && /^["“„«]?[\p{Lu}\d]/u.test(next) && /^[\p{Lu}\d]/u.test(line) && !CONTINUES.test(line);
}

/** Whether a sentence quotes a speech, and the claim doesn't have that in quotation marks. */
function isQuoted(claim: string, sentence: string, before: string): boolean {
  if (QUOTATION.test(sentence)) return !QUOTATION.test(claim);
  const paragraph = before.slice(before.lastIndexOf('\n\n') + 1);
  const straight = paragraph.split('"').length - 1;
  const open = (paragraph.match(OPENS)?.length ?? 0) - (paragraph.match(CLOSES)?.length ?? 0);
  return open > 0 || straight % 2 === 1;
}

function tokensOf(text: string): string[] {
  const plain = text
    .replace(/[⁺⁻]?[⁰¹²³⁴-⁹]+/g, ' $& ') // 12⁴ isn't 124
    .normalize('NFKC')
    .replace(/[’‘]/g, "'")
    .replace(/[−–](?=\d)/g, '-')
    .trim();
  const shown = plain
    .replace(/^(?:#{1,6}|[-*+•>]|\d{1,3}[.)])\s+/, '')
    .replace(/[*_`|]/g, ' ')
    .trim();
  return shown.replace(OPENING, '').toLowerCase().match(TOKEN) ?? [];
}

function isSameOrder(wanted: string[], said: string[]): boolean {
  let next = 0;
  for (const word of said) {
    if (word === wanted[next]) next++;
    else if (!NEUTRAL.has(word)) return false;
  }
  return next > 0 && next === wanted.length;
}
