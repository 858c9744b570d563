import { isMarkerAt, mayBecomeMarker, readMarker } from './marker-place.ts';

export interface AnswerPiece {
  kind: 'text' | 'code' | 'marker';
  text: string;
  /** True for a marker that follows a word without a space, as in `night[1].` */
  isGlued?: boolean;
}

/** Replaces text at the start of a string. */
export interface Rewriter {
  /** The possible first characters of text to replace, for a character class. */
  opens: string;
  /**
   * Returns the replacement, and how much of `rest` it replaces; undefined if nothing is replaced,
   * `undecided` if the result depends on more text.
   */
  rewrite(place: {
    before: string;
    rest: string;
    isWhole: boolean;
  }): { length: number; text: string } | 'undecided' | undefined;
}

/** The ends of code, formulas, and HTML. */
const FENCE = /```/;
const TILDES = /\n {0,3}~~~+[ \t]*(?=\n)/;
const FORMULA = /\$\$|\n[ \t]*(?=\n)/;
const LINE = /(?=\n)/;
const ELEMENTS: Record<string, RegExp> = { code: /<\/code\s*>|(?=\n)/i, pre: /<\/pre\s*>/i };
/** The maximum number of characters within which each ending is found, not counting spaces. */
const MAX_END = 40;

const ELEMENT = /^<(code|pre)\b[^<>\n]{0,200}>/i;
const MAY_BECOME_ELEMENT = /^<(?:[a-z]{0,4}|(?:code|pre)\b[^<>\n]{0,200})$/i;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** The number of characters of a line that show whether it is a list item, or empty. */
const MAX_LINE = 24;
/** The maximum indentation of a line. Without a limit, the stream would hold back spaces endlessly. */
const MAX_INDENTATION = 400;
/** The number of characters before and after a marker that decide whether it is one. */
const MAX_BEFORE = 40;
const MAX_AFTER = 2000;
/** The number of characters before the current position that a rewriter gets. */
const MAX_SHOWN = 800;
/** The maximum length of inline code in characters, because the stream holds back all of it. */
const MAX_INLINE = 4000;

/** Returns the pieces of a complete answer. */
export function splitAnswer(answer: string): AnswerPiece[] {
  const splitter = new AnswerSplitter();
  return [...splitter.add(answer), ...splitter.end()];
}

/**
 * Splits an answer into text, code, and markers such as `[1]`, even while it's streamed. Code is anything
 * that Markdown and HTML show as code, and formulas in `$$`. An unclosed fence extends to the end. An index
 * in prose, as in `args[2]`, is text.
 */
export class AnswerSplitter {
  #rest = '';
  #before = '';
  #isAfterMarker = false;
  #line = '';
  #afterBlankLine = true;
  #isInList = false;
  #isIndented = false;
  #ends: RegExp | undefined;
  /** The marker that ends the current code. */
  #code = '';
  /** True after a backtick in a line, until it's known whether another backtick follows. */
  #isInline = false;
  #sinceTick = 0;
  /** The text before the current position, for the rewriter. */
  #shown = '';
  readonly #rewriter: Rewriter | undefined;
  readonly #stops: RegExp;
  readonly #opens: RegExp;

  /** With a rewriter, pieces of prose may differ from the answer. */
  constructor(rewriter?: Rewriter) {
    this.#rewriter = rewriter;
    const opens = `[【<$${rewriter?.opens ?? ''}`;
    this.#opens = new RegExp(`[${opens}]`);
    this.#stops = new RegExp(`[\`\\n${opens}]`);
  }

  /** Adds more of the answer, and returns the decided pieces. */
  add(text: string): AnswerPiece[] {
    this.#rest += text;
    return this.#takeAll(false);
  }

  /** Returns the rest of the pieces. */
  end(): AnswerPiece[] {
    return this.#takeAll(true);
  }

  #takeAll(isWhole: boolean): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    while (this.#rest !== '') {
      const piece = this.#take(isWhole);
      if (piece === undefined) break;
      pieces.push(piece);
    }
    return pieces;
  }

  /** Returns undefined if the piece depends on more text. */
  #take(isWhole: boolean): AnswerPiece | undefined {
    if (this.#ends !== undefined) return this.#takeCode(this.#ends);
    if (this.#isInline) return this.#takeInline(isWhole);
    return this.#line === '' ? this.#takeLine(isWhole) : this.#takeProse(isWhole);
  }

  /** Takes a piece at the start of a line. */
  #takeLine(isWhole: boolean): AnswerPiece | undefined {
    const blanks = lengthBefore(this.#rest, /[^ \t]/);
    const first = this.#rest[blanks];
    if (first === undefined && !isWhole && blanks < MAX_INDENTATION) return undefined;
    if (first === '\n' || first === undefined || blanks >= MAX_INDENTATION) return this.#takeProse(isWhole);
    const mayBeCode = this.#isIndented || (this.#afterBlankLine && !this.#isInList);
    this.#isIndented = mayBeCode && INDENTED.test(this.#rest);
    if (this.#isIndented) return this.#takeCode(LINE);
    if (/^ {0,3}~~~/.test(this.#rest)) return this.#begin(TILDES, this.#rest.indexOf('~') + 3);
    return !isWhole && /^ {0,3}~{1,2}$/.test(this.#rest) ? undefined : this.#takeProse(isWhole);
  }

  #takeProse(isWhole: boolean): AnswerPiece | undefined {
    const first = this.#rest[0];
    if (first === '`') return this.#takeTicks(isWhole);
    const rewritten = this.#rewrite(isWhole);
    if (rewritten !== false) return rewritten;
    if (first === '[' || first === '【') return this.#takeBracket(isWhole);
    if (first === '<') return this.#takeElement(isWhole);
    if (first === '$') {
      if (this.#rest.startsWith('$$')) return this.#begin(FORMULA, 2);
      return this.#rest === '$' && !isWhole ? undefined : this.#pass('text', 1);
    }
    if (first === '\n') return this.#pass('text', 1);
    return this.#pass('text', Math.max(1, lengthBefore(this.#rest, this.#stops)));
  }

  /** Returns false if the rewriter changes nothing. */
  #rewrite(isWhole: boolean): AnswerPiece | undefined | false {
    if (this.#rewriter === undefined || this.#rest.search(this.#opens) !== 0) return false;
    const rest = this.#rest.slice(0, MAX_AFTER);
    const found = this.#rewriter.rewrite({ before: this.#shown, rest, isWhole });
    if (found === undefined) return false;
    if (found === 'undecided') return undefined;
    this.#rest = found.text + this.#rest.slice(found.length);
    return this.#pass('text', found.text.length);
  }

  #begin(ends: RegExp, length: number): AnswerPiece {
    this.#ends = ends;
    this.#code = '';
    return this.#pass('code', length);
  }

  #takeCode(ends: RegExp): AnswerPiece {
    const text = this.#code + this.#rest;
    const end = ends.exec(text);
    this.#ends = end === null ? ends : undefined;
    const length = end === null ? this.#rest.length : end.index + end[0].length - this.#code.length;
    this.#code = end === null ? text.slice(-MAX_END) : '';
    return this.#pass('code', Math.max(0, length));
  }

  #takeTicks(isWhole: boolean): AnswerPiece | undefined {
    const [ticks = ''] = /^`{1,3}/.exec(this.#rest) ?? [];
    if (ticks.length === 3) return this.#begin(FENCE, 3);
    if (ticks === this.#rest && !isWhole) return undefined;
    if (ticks.length === 2) return this.#pass('text', 2);
    const line = this.#rest.slice(0, MAX_INLINE);
    const length = lengthBefore(line, /(?!^)[`\n]/);
    if (line[length] === '`') return this.#pass('code', length + 1);
    if (line[length] === '\n' || line.length === MAX_INLINE || isWhole) return this.#pass('text', 1);
    this.#isInline = true;
    this.#sinceTick = 0;
    return this.#passInline(lengthBefore(line, this.#opens));
  }

  /**
   * Takes inline code, or a line with one backtick. The next backtick, or the line's end, shows which of the
   * two it is.
   */
  #takeInline(isWhole: boolean): AnswerPiece | undefined {
    const line = this.#rest.slice(0, MAX_INLINE - this.#sinceTick);
    const length = lengthBefore(line, /[`\n]/);
    const isOpen = line[length] === undefined && line.length + this.#sinceTick < MAX_INLINE && !isWhole;
    this.#isInline = isOpen;
    if (line[length] === '`') return this.#pass('code', length + 1);
    if (!isOpen) return this.#takeProse(isWhole);
    const shown = lengthBefore(line, this.#opens);
    return shown === 0 ? undefined : this.#passInline(shown);
  }

  #passInline(length: number): AnswerPiece {
    this.#sinceTick += length;
    return this.#pass('text', length);
  }

  #takeElement(isWhole: boolean): AnswerPiece | undefined {
    const [opened = '', name = ''] = ELEMENT.exec(this.#rest) ?? [];
    const ends = ELEMENTS[name.toLowerCase()];
    if (ends !== undefined) return this.#begin(ends, opened.length);
    return !isWhole && MAY_BECOME_ELEMENT.test(this.#rest) ? undefined : this.#pass('text', 1);
  }

  #takeBracket(isWhole: boolean): AnswerPiece | undefined {
    const text = this.#rest.slice(0, MAX_AFTER);
    const marker = readMarker(text);
    if (marker === undefined) return mayBecomeMarker(text) && !isWhole ? undefined : this.#pass('text', 1);
    const before = this.#isAfterMarker ? '' : this.#before;
    const found = isMarkerAt(before, marker, text.slice(marker.length), isWhole);
    if (found === 'undecided') return undefined;
    if (found === 'no') return this.#pass('text', marker.length);
    const piece = this.#pass('marker', marker.length);
    this.#isAfterMarker = true;
    return found === 'glued' ? { ...piece, isGlued: true } : piece;
  }

  #pass(kind: AnswerPiece['kind'], length: number): AnswerPiece {
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    this.#before = (this.#before + text).slice(-MAX_BEFORE);
    if (this.#rewriter) this.#shown = (this.#shown + text).slice(-MAX_SHOWN);
    this.#isAfterMarker = false;
    const end = text.lastIndexOf('\n');
    if (end >= 0) this.#endLine(this.#line + text.slice(0, end));
    this.#line = ((end >= 0 ? '' : this.#line) + text.slice(end + 1)).slice(0, MAX_LINE);
    return { kind, text };
  }

  /** Indented paragraphs of a list item aren't code. */
  #endLine(line: string): void {
    if (line.trim() === '') this.#afterBlankLine = true;
    else {
      const isList = LIST_ITEM.test(line);
      if (isList || (this.#afterBlankLine && !/^[ \t]/.test(line))) this.#isInList = isList;
      this.#afterBlankLine = false;
    }
  }
}

function lengthBefore(text: string, ends: RegExp): number {
  const at = text.search(ends);
  return at < 0 ? text.length : at;
}
