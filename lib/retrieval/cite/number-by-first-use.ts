import { mayBecomeMarker, numbersOf, writeMarkers } from '../../api-contract/markers.ts';

const OPENS = /[[【]/;

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
 * Renumbers the markers of an answer while it is streamed: passages are cited as 1, 2, 3 in the order of their first use. A number
 * without a passage is removed, and with its last number the marker. Code and links stay as they are, as in `findMarkers()`, and so
 * does a list without any passage: `[12, 20]` may be an interval. Adds to `used`, so that a further text of the answer numbers on.
 */
export function numberByFirstUse(
  offered: number,
  used: UsedNumbers = { passages: [], unknown: [] },
): NumberedText {
  const { passages, unknown } = used;
  const rename = (number: number) => {
    if (!passages.includes(number)) passages.push(number);
    return passages.indexOf(number) + 1;
  };
  const renumber = (marker: string) => {
    const numbers = numbersOf(marker);
    const known = numbers.filter((number) => number >= 1 && number <= offered);
    for (const number of numbers)
      if (!known.includes(number) && !unknown.includes(number)) unknown.push(number);
    return known.length > 0 || numbers.length === 1 ? writeMarkers(known.map(rename)) : marker;
  };
  const text = new MarkedText(renumber);
  return { add: (delta) => text.add(delta), end: () => text.end(), passages, unknown };
}

/** The place in the text: `tick` and `ticks` are one and two backticks, which may begin code. */
type Place = 'prose' | 'tick' | 'ticks' | 'inline' | 'fence';

/** Passes a text on character by character, with its markers replaced. */
class MarkedText {
  #place: Place = 'prose';
  /** What may be a marker; in a line after a single backtick, all from the first bracket. */
  #held = '';
  /** Blanks before what may be a marker: they go with it. */
  #blanks = '';
  #decided = '';
  #lastSent = '';
  #fenceTicks = 0;
  readonly #replace: (marker: string) => string;

  constructor(replace: (marker: string) => string) {
    this.#replace = replace;
  }

  add(delta: string): string {
    for (const char of delta) this.#take(char);
    return this.#flush();
  }

  end(): string {
    if (this.#place === 'inline') this.#takeAsProse(this.#release());
    this.#decideMarker(isWhole(this.#held));
    this.#decided += this.#takeBlanks();
    return this.#flush();
  }

  #take(char: string): void {
    if (this.#place === 'prose') this.#takeProse(char);
    else if (this.#place === 'inline') this.#takeInline(char);
    else if (this.#place === 'fence') this.#takeFence(char);
    else this.#takeTick(char);
  }

  #takeProse(char: string): void {
    const held = this.#held;
    if (held !== '' && !isWhole(held) && mayBecomeMarker(held + char)) {
      this.#held += char;
      return;
    }
    this.#decideMarker(isWhole(held) && char !== '(');
    if (OPENS.test(char)) {
      this.#held = char;
      return;
    }
    if (char === ' ') {
      this.#blanks += char;
      return;
    }
    this.#decided += this.#takeBlanks() + char;
    if (char === '`') this.#place = 'tick';
  }

  /**
   * Decides on what was held back in prose. A removed marker takes the blanks before it along, unless what is around it would
   * make code, or another marker.
   */
  #decideMarker(isMarker: boolean): void {
    const held = this.#release();
    if (held === '') return;
    const kept = isMarker ? this.#replace(held) : held;
    const blanks = this.#takeBlanks();
    const before = this.#decided.at(-1) ?? this.#lastSent;
    if (kept !== '') this.#decided += blanks + kept;
    else if (/[`[【]/.test(before)) this.#decided += ' ';
  }

  #takeBlanks(): string {
    const blanks = this.#blanks;
    this.#blanks = '';
    return blanks;
  }

  /** Code within a line, or a line with one backtick: its markers are decided at the next backtick or at the line's end. */
  #takeInline(char: string): void {
    if (char === '\n') this.#takeAsProse(this.#release() + char);
    else if (char === '`') {
      this.#place = 'prose';
      this.#decided += this.#release() + char;
    } else if (this.#held !== '' || OPENS.test(char)) this.#held += char;
    else this.#decided += char;
  }

  #takeAsProse(text: string): void {
    this.#place = 'prose';
    for (const char of text) this.#takeProse(char);
  }

  #takeFence(char: string): void {
    this.#decided += char;
    this.#fenceTicks = char === '`' ? this.#fenceTicks + 1 : 0;
    if (this.#fenceTicks === 3) this.#place = 'prose';
  }

  #takeTick(char: string): void {
    const isSecond = this.#place === 'tick';
    if (char !== '`') {
      this.#place = isSecond ? 'inline' : 'prose';
      this.#take(char);
      return;
    }
    this.#place = isSecond ? 'ticks' : 'fence';
    this.#fenceTicks = 0;
    this.#decided += char;
  }

  #release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #flush(): string {
    const decided = this.#decided;
    this.#decided = '';
    this.#lastSent = decided.at(-1) ?? this.#lastSent;
    return decided;
  }
}

function isWhole(marker: string): boolean {
  return /[\]】]$/.test(marker);
}
