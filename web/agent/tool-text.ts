import type { Call } from './run-steps.ts';

/** Maximum characters shown of a tool's output: the run's stream has the whole. */
const MAX_SHOWN = 60_000;
const TITLES = ['command', 'query', 'pattern', 'path', 'name', 'url'];

/** Text as it is, all else as JSON. */
export function showOutput(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/**
 * Characters that turn the letters around them, or are invisible; not the joiners that scripts and emoji need, nor line ends.
 */
const UNSEEN = /(?![\t\n\u200c\u200d]|\r(?:\n|$))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Prepares a text for approval: characters that could make it look like another text are shown by their number. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The argument that says most of a call, on one line. */
export function titleOf({ input }: Call): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const value = TITLES.map((name) => fields[name]).find((each) => typeof each === 'string');
  return String(value ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
