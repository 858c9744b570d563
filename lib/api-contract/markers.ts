import { numbersOf } from './marker-place.ts';
import { type AnswerPiece, splitAnswer } from './split-answer.ts';

/**
 * Returns the numbers of the passages that an answer cites, each once, in order of first use. Ignores markers
 * inside code.
 */
export function citedNumbers(answer: string): number[] {
  return [...new Set(placesOf(splitAnswer(answer)).flatMap(({ numbers }) => numbers))];
}

export interface PlacedMarker {
  start: number;
  end: number;
  numbers: number[];
}

/** Splits an answer into its markers and its prose. In the prose, spaces replace code and markers. */
export function splitMarkers(answer: string): { prose: string; markers: PlacedMarker[] } {
  const pieces = splitAnswer(answer);
  const prose = pieces.map(({ kind, text }) => (kind === 'text' ? text : blank(text))).join('');
  return { prose, markers: placesOf(pieces) };
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}

function placesOf(pieces: AnswerPiece[]): PlacedMarker[] {
  let end = 0;
  return pieces.flatMap(({ kind, text }) => {
    const start = end;
    end += text.length;
    return kind === 'marker' ? [{ start, end, numbers: numbersOf(text) }] : [];
  });
}

/** Returns markers in the form that clients show as citations. */
export function writeMarkers(numbers: number[]): string {
  return [...new Set(numbers)].map((number) => `[${number}]`).join('');
}

/** Removes the markers of an answer, because in a later turn the numbers would mean other passages. */
export function withoutMarkers(answer: string): string {
  return splitAnswer(answer)
    .map(({ kind, text }) => (kind === 'marker' ? '' : text))
    .join('');
}

/**
 * Puts a backslash before each marker without a known number, because `The answer is [42]` may mean the
 * number itself. Right after a known marker, it can only be another marker, and is removed.
 */
export function escapeUnknown(answer: string, isKnown: (number: number) => boolean): string {
  let isAfterKnown = false;
  return splitAnswer(answer)
    .map(({ kind, text }) => {
      const isUnknown = kind === 'marker' && !numbersOf(text).some(isKnown);
      const shown = isUnknown ? (isAfterKnown ? '' : `\\${text}`) : text;
      isAfterKnown = kind === 'marker' && (isAfterKnown || !isUnknown);
      return shown;
    })
    .join('');
}

/**
 * Renumbers the markers of an answer. Removes numbers that have no new number, and markers that are left
 * without numbers.
 */
export function renumberMarkers(answer: string, rename: (number: number) => number | undefined): string {
  let renamed = '';
  for (const { kind, text, isGlued } of splitAnswer(answer)) {
    const known = kind === 'marker' ? numbersOf(text).flatMap((number) => rename(number) ?? []) : [];
    if (kind !== 'marker') renamed += text;
    else if (known.length === 0) renamed = renamed.trimEnd();
    else renamed += (isGlued ? ' ' : '') + writeMarkers(known);
  }
  return renamed;
}
