import type { TextRun } from '../../formats/format.ts';

/**
 * Matches characters of scripts with spaces between words. In other scripts, a quote may start at any
 * character.
 */
const WORD = /[\p{L}\p{M}\p{N}_]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const DIGIT = /\p{Nd}/u;
const CHINESE_DIGIT = /[〇零一二三四五六七八九十百千万亿两]/;

/** Returns whether a stretch starts or ends within a word, a number (with its sign and decimals), or a character. */
export function cutsSomething(text: string, { start, end }: TextRun): boolean {
  return cutsStart(text, start) || cutsEnd(text, end);
}

export function cutsStart(text: string, start: number): boolean {
  return cutsAt(text, start) || cutsSign(text, start);
}

export function cutsEnd(text: string, end: number): boolean {
  return cutsAt(text, end);
}

function cutsAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at, at + 2);
  if (before === '' || after === '') return false;
  if (/[\uD800-\uDBFF]$/.test(before) && /^[\uDC00-\uDFFF]/.test(after)) return true;
  const last = [...before].at(-1) ?? '';
  const [first = ''] = after;
  return joins(last, first) || cutsDecimals(before, after);
}

function joins(last: string, first: string): boolean {
  if (CHINESE_DIGIT.test(last) && CHINESE_DIGIT.test(first)) return true;
  return isWord(last) && isWord(first);
}

function isWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

/** Matches `1|.5` and `1.|5`, also with a comma, or with a period between groups of digits. */
function cutsDecimals(before: string, after: string): boolean {
  const [digitBefore, markBefore] = [before.at(-2) ?? '', before.at(-1) ?? ''];
  const [first = '', second = ''] = after;
  if (DIGIT.test(markBefore) && /[.,]/.test(first) && DIGIT.test(second)) return true;
  return DIGIT.test(digitBefore) && /[.,]/.test(markBefore) && DIGIT.test(first);
}

/** Matches `-|5`, if the dash is neither a hyphen nor part of a range. */
function cutsSign(text: string, start: number): boolean {
  return (
    DIGIT.test(text.charAt(start)) && /(?:^|[\s(（])[-−]$/.test(text.slice(Math.max(0, start - 2), start))
  );
}
