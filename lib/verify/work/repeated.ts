import { isTakenBack, takesBack } from '../../claims/takes-back.ts';
import { type SentencePlace, splitSentences } from '../../text/sentences.ts';
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
/** How far words that take it back are looked for. */
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
  if (quote === '' || from === -1 || refersBack(claim) || takesBack(context)) return false;
  const wanted = tokensOf(claim);
  return sentencesAround(text, from, from + quote.length).some(({ start, end }) => {
    const sentence = text.slice(start, end);
    if (
      sentence.length > MAX_CLAIM ||
      /[?？]["”’）)\s]*$/u.test(sentence) ||
      isQuoted(claim, sentence, text.slice(0, start))
    )
      return false;
    const before = text.slice(Math.max(0, start - BEFORE), start);
    const after = text.slice(end, end + AFTER);
    const isDenied = takesBack(before) || takesBack(after) || isTakenBack({ before, after });
    return isSameOrder(wanted, tokensOf(withoutReferences(sentence))) && !isDenied;
  });
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
