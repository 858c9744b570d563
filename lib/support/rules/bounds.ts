/**
 * Words and signs next to a number that make it a limit or state its tolerance: `at most 5`, `p > .05`, `±5`,
 * `5 or more`.
 */
export type Bound = '<' | '>' | '=' | '±';

const NO_MORE =
  'no (?:more|greater|higher|longer|later|larger) than|(?:not?|never) (?:\\w+ )?(?:more than|exceed\\w*)|at (?:the )?most|up to|';
const NO_LESS = 'no (?:less|fewer|lower|shorter|smaller|earlier) than|not (?:less|fewer) than|at least|';
/** A pattern that negates another one comes before it. */
const BEFORE: [Bound, RegExp][] = [
  ['±', /(?:±|\+\/?[-−]|\bplus or minus|正负)\s?\p{Sc}?$/u],
  [
    '<',
    new RegExp(
      `(?:[<≤⩽]=?|\\b(?:${NO_MORE}maximum of)|不超过|不多于|不高于|不大于|至多|最多)\\s*(?:a |the )?\\p{Sc}?$`,
      'iu',
    ),
  ],
  [
    '>',
    new RegExp(
      `(?:[>≥⩾]=?|\\b(?:${NO_LESS}minimum of)|不少于|不低于|不小于|至少|最少)\\s*(?:a |the )?\\p{Sc}?$`,
      'iu',
    ),
  ],
  [
    '<',
    /(?:\b(?:(?:less|fewer|lower|smaller|shorter|younger|earlier) than|under|below)|不到|不足|少于|小于|低于|未达)\s*\p{Sc}?$/iu,
  ],
  [
    '>',
    /(?:\b(?:(?:more|greater|higher|larger|longer|older|later) than|over|above|exceed\w*)|超过|多于|大于|高于)\s*\p{Sc}?$/iu,
  ],
  ['=', /[=＝]\s*$/],
];
const AFTER: [Bound, RegExp][] = [
  ['>', /^\s?(?:or (?:more|greater|higher|above|over|older)\b|人?以上)/i],
  ['<', /^\s?(?:or (?:less|fewer|lower|below|under|younger)\b|人?以下)/i],
];
const REACH = 25;

/** Returns the bound of the number from `start` to `end`. */
export function boundOf(text: string, start: number, end: number): Bound | undefined {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  return (BEFORE.find(([, form]) => form.test(before)) ?? AFTER.find(([, form]) => form.test(after)))?.[0];
}

/**
 * Returns whether bounds may be the same. If only the sentence or only the quote has one, a judge decides,
 * except that `±5` is never `5`.
 */
export function isSameBound(wanted: Bound | undefined, had: Bound | undefined): boolean {
  if (wanted === '±') return had === '±';
  return wanted === undefined || had === undefined || had === '±' || wanted === had;
}
