import { InvalidInput } from '../../errors.ts';
import { lineStarts } from '../../formats/lines.ts';

/** The maximum number of characters, counted as JSON, so that an output is never truncated a second time. */
const MAX_CHARACTERS = 24_000;

export interface WindowRequest {
  /** The first line (or page) to return, from 1. */
  offset?: number;
  limit?: number;
  /** Where to start within that line, from 1. */
  column?: number;
}

export interface Window {
  content: string;
  /** The start of the window in the text, in characters from 0. */
  begin: number;
  first: number;
  last: number;
  total: number;
  /** The start of the next window, if there is more. */
  next?: { offset: number; column?: number };
}

/** Returns where lines start. No line starts after the final line feed. */
export function lineUnits(text: string): number[] {
  return lineStarts(text).filter((start) => start < text.length);
}

/**
 * Returns a window of a text: as many whole units (lines or pages) as were requested and fit, or a part of a
 * unit that doesn't fit. The content is exact: all windows together are the text.
 */
export function cutWindow(
  text: string,
  starts: number[],
  { offset = 1, limit = Number.POSITIVE_INFINITY, column = 1 }: WindowRequest,
  { unit = 'lines', maxCharacters }: { unit?: string; maxCharacters?: number | undefined } = {},
): Window {
  const total = starts.length;
  if (offset > Math.max(total, 1))
    throw new InvalidInput(
      'invalid_value',
      `offset must be at most ${total}: there are only ${total} ${unit}.`,
      { field: 'offset' },
    );
  const startOf = (index: number) => starts[index] ?? text.length;
  const begin = Math.min(startOf(offset - 1) + column - 1, startOf(offset));
  const wanted = text.slice(begin, startOf(Math.min(offset - 1 + limit, total)));
  const fitting = begin + fittingLength(wanted, maxCharacters);
  const isWhole = fitting === begin + wanted.length;
  // Goes back to the start of a unit, unless that leaves nothing.
  const lastStart = starts.findLast((start) => start <= fitting) ?? 0;
  const end = isWhole || lastStart <= begin ? fitting : lastStart;
  const window = {
    content: text.slice(begin, end),
    begin,
    first: offset,
    last: unitAt(starts, Math.max(end - 1, begin)),
    total,
  };
  return end === text.length ? window : { ...window, next: placeOf(starts, end) };
}

function placeOf(starts: number[], at: number): { offset: number; column?: number } {
  const offset = unitAt(starts, at);
  const column = at - (starts[offset - 1] ?? 0) + 1;
  return column === 1 ? { offset } : { offset, column };
}

function unitAt(starts: number[], at: number): number {
  return (
    Math.max(
      starts.findLastIndex((start) => start <= at),
      0,
    ) + 1
  );
}

/** Returns how many characters of a text fit as JSON. Never splits a character. */
function fittingLength(text: string, maxCharacters = Number.POSITIVE_INFINITY): number {
  // The rest is for the other fields of a result.
  const most = Math.min(MAX_CHARACTERS, Math.floor(maxCharacters * 0.8));
  let length = Math.min(text.length, most);
  while (JSON.stringify(text.slice(0, length)).length > most) length = Math.floor(length * 0.9);
  const splits = length < text.length && /[\ud800-\udbff]$/.test(text.slice(0, length));
  return splits ? length - 1 : length;
}
