import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentencesOf } from '../../api-contract/cited-sentences.ts';
import { type FactKind, readFacts } from '../../support/rules/facts.ts';

/** A sentence of an answer that states numbers or dates and cites nothing. */
export interface UncitedSentence {
  /** Its start in the text of the answer, in UTF-16 units. */
  start: number;
  end: number;
  text: string;
}

const MAX_LISTED = 50;
/** The maximum number of sentences to parse. Each takes about a millisecond. */
const MAX_READ = 300;
const MAX_TEXT = 300;
/** The maximum number of characters to read from the lines after the start of a sentence. */
const MAX_LINES = 2000;
const FACTS: FactKind[] = ['number', 'unit', 'date'];

/** Lists the sentences that state facts and cite nothing. */
export async function listUncited(answer: string): Promise<UncitedSentence[]> {
  const uncited: UncitedSentence[] = [];
  for (const { start, end, text } of openSentences(answer).slice(0, MAX_READ)) {
    if (uncited.length >= MAX_LISTED) break;
    await nextTurn();
    const { kinds } = readFacts(text);
    if (FACTS.some((kind) => kinds.has(kind))) uncited.push(listed({ start, end, text }));
  }
  return uncited;
}

/** Returns the sentences that cite nothing, except headings and lead-ins of lists. */
export function openSentences(answer: string): UncitedSentence[] {
  return sentencesOf(answer).filter(
    ({ start, text, isCited }) =>
      !isCited && !isHeading(answer, start) && !/[:：]$/.test(text) && /\p{L}/u.test(text),
  );
}

/** Returns a sentence as it is stored in the answer's metadata. */
export function listed({ start, end, text }: UncitedSentence): UncitedSentence {
  return { start, end, text: text.slice(0, MAX_TEXT).toWellFormed() };
}

/** A heading, including one in a list item or a blockquote on a slide. */
const HEADING = /^[ \t>]{0,20}(?:(?:[-+*]|\d{1,3}[.)])[ \t]{1,4}){0,3}#{1,6}[ \t]/;
/**
 * Makes the line above it a heading. If that line ends a sentence or is in a list, this line ends a slide.
 */
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const UNDERLINED = /^ {0,3}(?![-+*>|]|\d{1,3}[.)]).*[^\s.!?。！？…][ \t]*$/u;
/** A bold line that doesn't end a sentence. */
const BOLD = /^\s{0,3}(\*\*|__)(?:\d{1,3}[.)] )?(?<title>[^*_]{1,200}[^*_.!?。！？…])\1:?\s*$/u;
const YEARS = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

function isHeading(answer: string, start: number): boolean {
  const from = answer.lastIndexOf('\n', start - 1) + 1;
  const [line = '', next = '', ...rest] = answer.slice(from, from + MAX_LINES).split('\n');
  if (HEADING.test(line) || (UNDERLINE.test(next) && UNDERLINED.test(line))) return true;
  // A bold number may be the answer itself.
  const title = BOLD.exec(line)?.groups?.title;
  const isFollowed = [next, ...rest].some((each) => each.trim() !== '');
  return title !== undefined && isFollowed && !/\d/.test(title.replace(YEARS, ''));
}
