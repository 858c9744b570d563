import type { Call } from './run-steps.ts';

/** Maximum characters to show of a tool's output; the run's stream has all of it. */
const MAX_SHOWN = 60_000;
const TITLES = ['command', 'query', 'pattern', 'path', 'name', 'url'];

/** Returns text unchanged, anything else as JSON. */
export function showOutput(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/**
 * Matches characters that reorder nearby letters, are invisible, or look like a space, except for the joiners and
 * selectors that scripts and emoji need, and line ends.
 */
const UNSEEN =
  /(?![\t\n \u200c\u3000]|\u200d|\r(?:\n|$)|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|\ufe0f\u20e3)[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Matches stacked marks. No script needs more than four, and they cover nearby text. */
const STACKED = /(?<=\p{M}{4})\p{M}+/gu;
const RUN = /(.)\1*/gs;
const WORD = /[\p{L}\p{M}]+/gu;
/**
 * Matches letters that look like Latin ones. Other Greek letters are omitted, because formulas mix them with
 * Latin ones.
 */
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/gu;

/** Returns a changed line, with trailing spaces and carriage returns as their code points. */
export function showChangedLine(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r'.includes(text[end - 1] ?? '')) end--;
  const unseen = text.slice(end).replace(RUN, (run) => {
    const number = numbersOf(run[0] ?? '');
    return run.length === 1 ? number : `${number}×${run.length}`;
  });
  return showUnseen(text.slice(0, end)) + unseen;
}

/** Returns a text for approval, with each deceptive character replaced by its code point. */
export function showUnseen(text: string): string {
  return text.replace(WORD, showLookalikes).replace(STACKED, numbersOf).replace(UNSEEN, numbersOf);
}

/**
 * Marks lookalikes only in a word that also has Latin letters. A word entirely in another script stays
 * unchanged.
 */
function showLookalikes(word: string): string {
  return /\p{Script=Latin}/u.test(word) ? word.replace(LOOKALIKE, numbersOf) : word;
}

function numbersOf(text: string): string {
  return Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('');
}

/** Returns the most informative argument of a call, on one line. */
export function titleOf({ input }: Call): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const value = TITLES.map((name) => fields[name]).find((each) => typeof each === 'string');
  return String(value ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
