import { foldText } from '../../api-contract/fold-text.ts';
import { nextPlace } from '../../text/next-place.ts';
import { disownedIn } from './disowned.ts';
import { mayBeEnglish } from './language.ts';
import { isTakenBackIn, takesBack } from './takes-back.ts';

/** The maximum distance between a quote and the start or end of its sentence, in characters. */
const REACH = 2500;
/**
 * The number of characters to read around the sentence, because they may attribute it to someone or retract
 * it.
 */
const NEAR = 300;

/**
 * Matches the end of the previous sentence, the start of the file, or the mark of a heading or an item, which
 * may be on a line of its own above.
 */
const BEGINS =
  /(?:^|[.!?。！？…]["”’」』）)]*\s+|[。！？]|(?:^|\n)\s*(?:[-*+•]|#{1,6}|\d{1,3}[.)])\s+|(?:^|\n)#{1,6} [^\n]*\n\s*)$/u;
/**
 * Matches the period of the sentence, or the end of its block. A note, a unit, or another mark may limit the
 * sentence.
 */
const ENDS = /^(?:[.!](?=\s|$)|[。！](?!["”’」』）)])|\s*$|\n\s*\n|\n\s*(?:[-*+•#]|\d{1,3}[.)])\s)/u;
const STOP = /[.!。！]$/u;
const MARKS = /[“„«「『”»」』"]/gu;
const OPENS = /[“„«「『]/u;

/**
 * Returns whether a file contains a sentence at a place: verbatim, as a whole, with the same punctuation, in
 * the file's own name, and without words around it that may retract it. In doubt, returns false. The same
 * applies to any text in a language whose words of doubt code doesn't know. `at` is the place of a quote in
 * the file, `headings` are those above it.
 */
export function isSameSentence(sentence: string, file: string, at: number, headings = ''): boolean {
  const from = Math.max(0, at - REACH);
  const text = file.slice(from, at + REACH);
  const wanted = foldText(sentence).text.trim().replace(STOP, '');
  const folded = foldText(text);
  if (wanted === '' || takesBack(headings)) return false;
  const places = placesOf(wanted, folded.text).map((place) => folded.placeOf(place, place + wanted.length));
  return places.length > 0 && places.every((place) => place !== undefined && isSaid(text, place, from > 0));
}

interface Place {
  start: number;
  end: number;
}

function isSaid(text: string, { start, end }: Place, isCut: boolean): boolean {
  const before = text.slice(0, start);
  const around = text.slice(Math.max(0, start - NEAR), end + NEAR);
  const isWhole = (start > 0 || !isCut) && BEGINS.test(before) && ENDS.test(text.slice(end));
  const isCode = (before.match(/^```/gmu) ?? []).length % 2 === 1;
  if (!isWhole || isCode || !isReadable(text.slice(start, end), around) || isInQuotation(before))
    return false;
  return !isTakenBackIn(text, start, end + 1) && disownedIn(text.slice(start, end), [around]) === undefined;
}

function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = nextPlace(text, wanted); at !== -1; at = nextPlace(text, wanted, at)) places.push(at);
  return places;
}

/** Returns whether code knows the language's words of doubt, which is the case for English and Chinese. */
function isReadable(sentence: string, around: string): boolean {
  if (!/^[\P{L}\p{Script=Latin}\p{Script=Han}]*$/u.test(sentence)) return false;
  return mayBeEnglish(sentence) || mayBeEnglish(around);
}

/** Returns whether a quotation that started earlier in the paragraph is still open. */
function isInQuotation(before: string): boolean {
  const marks = before.slice(before.lastIndexOf('\n\n') + 1).match(MARKS) ?? [];
  const isStraightOpen = marks.filter((mark) => mark === '"').length % 2 === 1;
  return isStraightOpen || OPENS.test(marks.filter((mark) => mark !== '"').at(-1) ?? '');
}
