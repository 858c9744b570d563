import { numbersOf } from '../../api-contract/marker-place.ts';
import { writeMarkers } from '../../api-contract/markers.ts';
import { type AnswerPiece, AnswerSplitter } from '../../api-contract/split-answer.ts';
import type { OfferedPassages } from '../cite/offered-passages.ts';
import { NormalMarkers } from './normal-markers.ts';

export interface NumberedText {
  /** Takes more of an answer, and returns the text that is decided: all of it, unless it may end within a marker. */
  add(delta: string): string;
  /** Returns the rest. */
  end(): string;
  /** The passages in the order of their citation numbers: the first one is cited as 1. */
  readonly passages: readonly number[];
  /** Numbers of markers that name no passage, each once. */
  readonly unknown: readonly number[];
}

/** What the markers of an answer named so far. */
export interface UsedNumbers {
  /** As `passages` of the text. */
  passages: number[];
  unknown: number[];
}

/**
 * Renumbers the markers of an answer, in whatever form (`NormalMarkers`), while it is streamed: passages are cited as 1, 2, 3 in the order of their first use. A number
 * without a passage is removed, and with its last number the marker. Code and links stay as they are, as in `citedNumbers()`, and so
 * does a list without any passage: `[12, 20]` may be an interval. Adds to `used`, so that a further text of the answer numbers on.
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
  const renumber = ({ text, isGlued }: AnswerPiece) => {
    const numbers = numbersOf(text);
    const known = numbers.filter((number) => number >= 1 && number <= offered.all.length);
    noteUnknown(numbers.filter((number) => !known.includes(number)));
    if (known.length > 0) return (isGlued ? ' ' : '') + writeMarkers(known.map(rename));
    return isGlued || numbers.length > 1 ? text : '';
  };
  const markers = new NormalMarkers(offered);
  const splitter = new AnswerSplitter();
  const shown = new ShownText(renumber);
  return {
    add: (delta) => shown.show(splitter.add(markers.add(delta))),
    end: () => shown.show([...splitter.add(markers.end()), ...splitter.end()]) + shown.end(),
    passages,
    unknown,
  };
}

/** Passes an answer on with its markers replaced. A removed marker takes the blanks before it along. */
class ShownText {
  /** Blanks before what may be a marker. */
  #blanks = '';
  /** Blanks before a removed marker: a marker right after it needs them. */
  #removed: string | undefined;
  /** After an unknown number that sticks to a word, and stays: with it, a marker would look like one of the indexes of `x[9][1]`. */
  #isAfterIndex = false;
  #last = '';
  readonly #replace: (marker: AnswerPiece) => string;

  constructor(replace: (marker: AnswerPiece) => string) {
    this.#replace = replace;
  }

  show(pieces: AnswerPiece[]): string {
    let shown = '';
    for (const piece of pieces) {
      const text = piece.kind === 'marker' ? this.#withMarker(piece) : this.#withText(piece.text);
      this.#last = text.at(-1) ?? this.#last;
      shown += text;
    }
    return shown;
  }

  end(): string {
    return this.#takeBlanks();
  }

  #withMarker(marker: AnswerPiece): string {
    const kept = this.#replace(marker);
    if (kept === '') {
      this.#removed = (this.#removed ?? '') + this.#takeBlanks();
      return '';
    }
    const blanks = this.#removed || this.#takeBlanks() || (this.#isAfterIndex ? ' ' : '');
    this.#blanks = '';
    this.#removed = undefined;
    this.#isAfterIndex = marker.isGlued === true && kept === marker.text;
    return blanks + kept;
  }

  /** What is around a removed marker must not make code, or another marker. */
  #withText(text: string): string {
    const isJoined = this.#removed !== undefined && this.#blanks === '' && /[`[【]/.test(this.#last);
    this.#removed = undefined;
    this.#isAfterIndex = false;
    const all = this.#takeBlanks() + (isJoined ? ' ' : '') + text;
    const shown = /^ *$/.test(text) ? '' : all.replace(/ +$/, '');
    this.#blanks = all.slice(shown.length);
    return shown;
  }

  #takeBlanks(): string {
    const blanks = this.#blanks;
    this.#blanks = '';
    return blanks;
  }
}
