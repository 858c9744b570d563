import { numbersOf } from '../../api-contract/marker-place.ts';
import { writeMarkers } from '../../api-contract/markers.ts';
import { type AnswerPiece, AnswerSplitter } from '../../api-contract/split-answer.ts';
import type { OfferedPassages } from '../cite/offered-passages.ts';
import { NormalMarkers } from './normal-markers.ts';

export interface NumberedText {
  /**
   * Adds more of an answer. Returns the text that is decided: all of it, unless it may end within a marker.
   */
  add(delta: string): string;
  /** Returns the rest of the answer. */
  end(): string;
  /** The passages in the order of their citation numbers, starting with 1. */
  readonly passages: readonly number[];
  /** Numbers of markers that name no passage, each once. */
  readonly unknown: readonly number[];
}

/** The markers of an answer so far. */
export interface UsedNumbers {
  /** The passages in order of first use, as in `passages` of the text. */
  passages: number[];
  unknown: number[];
}

/**
 * Renumbers the markers of a streamed answer, in any notation (`NormalMarkers`): passages are cited as 1, 2,
 * 3 in the order of first use. A marker without a passage stays as text after a backslash, because `The
 * answer is [42]` may mean the number; right after a known marker, it's removed. Code and links stay, as in
 * `citedNumbers()`. A list in which no number is a passage stays too, because `[12, 20]` may be an interval.
 * Adds to `used`, so that the numbers continue in a later text of the answer.
 */
export function numberByFirstUse(
  offered: OfferedPassages,
  used: UsedNumbers = { passages: [], unknown: [] },
): NumberedText {
  const { passages, unknown } = used;
  const rename = (number: number) => {
    if (!passages.includes(number)) passages.push(number);
    return passages.indexOf(number) + 1;
  };
  const noteUnknown = (numbers: number[]) => {
    for (const number of numbers) if (!unknown.includes(number)) unknown.push(number);
  };
  const markers = new NormalMarkers(offered);
  const splitter = new AnswerSplitter();
  let last: 'text' | 'known' | 'kept' = 'text';
  const renumber = ({ text, isGlued }: AnswerPiece) => {
    const numbers = numbersOf(text);
    const known = numbers.filter((number) => number >= 1 && number <= offered.all.length);
    noteUnknown(numbers.filter((number) => !known.includes(number)));
    const before = last;
    // A known marker right after unchanged brackets would look like an index, as in `x[9][1]`.
    if (known.length > 0) {
      last = 'known';
      return (isGlued || before === 'kept' ? ' ' : '') + writeMarkers(known.map(rename));
    }
    if (before === 'known') return ''; // next to a marker, it can only be another one
    last = 'kept';
    return isGlued || numbers.length > 1 ? text : `\\${writeMarkers(numbers)}`;
  };
  const show = (piece: AnswerPiece) => {
    if (piece.kind === 'marker') return renumber(piece);
    last = 'text';
    return piece.text;
  };
  const showAll = (pieces: AnswerPiece[]) => pieces.map(show).join('');
  return {
    add: (delta) => showAll(splitter.add(markers.add(delta))),
    end: () => showAll([...splitter.add(markers.end()), ...splitter.end()]),
    passages,
    unknown,
  };
}
