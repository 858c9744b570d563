import { asCode } from '../../api-contract/inline-code.ts';
import { ENDS_PART, isMarkerAt, numbersOf, readMarker } from '../../api-contract/marker-place.ts';
import { writeMarkers } from '../../api-contract/markers.ts';
import { AnswerSplitter, type Rewriter } from '../../api-contract/split-answer.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { OfferedPassages } from '../cite/offered-passages.ts';
import {
  type Expression,
  type LabeledNumber,
  MARKER_OPENS,
  readExpression,
  readLabeledNumbers,
} from './marker-forms.ts';
import { type FoundNames, PassageNames } from './passage-names.ts';
import { readListLine } from './source-lines.ts';

type Place = Parameters<Rewriter['rewrite']>[0];
type Rewritten = ReturnType<Rewriter['rewrite']>;

/**
 * The minimum match between a passage and the sentence if the notation of its marker is ambiguous. It must
 * also be at least half that of the best match.
 */
const LEAST_SCORE = 0.2;
const LEAST_SHARE = 0.5;
/** The minimum number of letters in a claim that can be compared. */
const MIN_CLAIM = 6;
/** Maximum characters to wait for the end of a sentence. */
const MAX_HELD = 400;
/** The number of characters before a bracket that show whether it was copied together with them. */
const COPIED = 24;

/** The element's name in the prompt with its code, or the attribute with its number. */
const OWN_ELEMENT = /^\/?passage-[\p{L}\p{N}…]+/iu;
const OWN_NUMBER = /\bnumber\s*=\D{0,2}(\d{1,3})(?!\d)/i;
const OWN_LABEL = /^(?:passages?|number)$/;

const SENTENCE_END = /[.!?]["'”’)\]*_]*(?=\s)|[。！？\n]/gu;
const SENTENCE_ENDED = /[.!?。！？]["'”’)\]]*$/u;
/** Matches `f(1)`, and the URL of a link. */
const CALLS = /(?:[\p{Script=Latin}\p{N}_"'}]|(?<!\[\d{1,3})\])$/u;
/** Matches markers in normal form, and numbers that may become markers. */
const BRACKETS = /\[\d{1,3}\]|[(（]\s*\d{1,3}(?:\s*[,，、;–-]\s*\d{1,3})*\s*[)）]/gu;
/** Matches `10¹²`, `x⁷`, `m²`, and `(a + b)³`: bases of powers, with their highest likely exponent. */
const POWERS: [highest: number, of: RegExp][] = [
  [Number.POSITIVE_INFINITY, /(?:[=^/*]|(?<!\p{N})10)$/u],
  [9, /(?:(?<![\p{L}\p{N}°])\p{Script=Latin}|(?<![\p{N}.,])\p{N}{1,2})$/u],
  [3, /(?:\)|(?<![\p{L}°])\p{Script=Latin}{1,3})$/u],
];
/** Matches text after which a marker needs no space. */
const NEEDS_NO_BLANK =
  /(?:^|[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}([{（「『“。！？，、；：\]])$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * Converts the markers of a streamed answer to their normal form, `[1]`, whatever brackets, labels, or file names the
 * model writes. Text that names no offered passage stays unchanged, as do code, formulas, and brackets copied from a
 * passage. Source lists lose their markers, because models give them other numbers.
 */
export class NormalMarkers {
  readonly #splitter: AnswerSplitter;

  constructor(offered: OfferedPassages) {
    const forms = new Forms(offered);
    this.#splitter = new AnswerSplitter({ opens: MARKER_OPENS, rewrite: (place) => forms.rewrite(place) });
  }

  add(delta: string): string {
    return textOf(this.#splitter.add(delta));
  }

  end(): string {
    return textOf(this.#splitter.end());
  }
}

/** Does the same for a complete text. */
export function withNormalMarkers(text: string, offered: OfferedPassages): string {
  const markers = new NormalMarkers(offered);
  return markers.add(text) + markers.end();
}

function textOf(pieces: { text: string }[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** An expression with its position in the text. */
interface Found extends Expression {
  before: string;
  after: string;
  isWhole: boolean;
}

class Forms {
  readonly #offered: OfferedPassages;
  readonly #names: PassageNames;
  /** The text before a marker whose line isn't complete yet. */
  #open: string | undefined;
  #claimed: { before: string; claim: string } | undefined;

  constructor(offered: OfferedPassages) {
    this.#offered = offered;
    this.#names = new PassageNames(offered.all);
  }

  rewrite({ before, rest, isWhole }: Place): Rewritten {
    const expression = readExpression(rest, {
      ...{ before, isWhole },
      mayName: (beginning) => this.#names.mayBegin(beginning),
    });
    if (expression === undefined) return undefined;
    if (expression === 'open') return 'undecided';
    const found: Found = { ...expression, before, after: rest.slice(expression.whole.length), isWhole };
    return this.#isLineOpen(found) ? 'undecided' : this.#rewriteFound(found);
  }

  #rewriteFound(found: Found): Rewritten {
    const { whole, look } = found;
    const isPlain = look === 'square' && readMarker(whole) === whole;
    const named = isPlain ? numbersOf(whole) : this.#read(found);
    if (named === undefined || named === 'undecided') return named;
    if (this.#isCopied(found, named))
      return isPlain ? { length: whole.length, text: `\\${whole}` } : undefined;
    const listed = this.#listed(found, named);
    return listed === undefined && !isPlain ? inPlace(found, named) : listed;
  }

  /** Returns the numbers that an expression cites; none if it isn't a citation. */
  #read(found: Found): number[] | 'undecided' | undefined {
    if (found.whole.startsWith('(') && CALLS.test(found.before)) return undefined;
    if (found.content.split('`').length % 2 === 0) return undefined; // code starts inside it
    const content = found.content.replace(/[`*"“”]/g, '');
    const own = OWN_ELEMENT.test(content) ? OWN_NUMBER.exec(content)?.[1] : undefined;
    if (own !== undefined) return [Number(own)];
    const names = this.#names.find(content.replace(OWN_ELEMENT, 'passage'));
    if (names.names.length > 0) return this.#readNamed(names, found);
    const numbers = readLabeledNumbers(content.replace(OWN_ELEMENT, 'passage'));
    if (numbers === undefined || found.look === 'element') return undefined;
    if (found.look === 'round' && numbers.some(({ label }) => !OWN_LABEL.test(label)))
      return this.#readRound(numbers, found);
    const isCiting = numbers.some((each) => this.#isNamed(each, found));
    const named = numbers.filter((each, at) => (at > 0 && each.label === '') || this.#isNamed(each, found));
    return isCiting ? named.map(({ number }) => number) : undefined;
  }

  #isNamed({ number, label, sign }: LabeledNumber, { look, before }: Found): boolean {
    const name = label || sign;
    if (OWN_LABEL.test(label) || (look === 'square' && ['', '^'].includes(name))) return true;
    const isOffered = number >= 1 && number <= this.#offered.all.length;
    if (look === 'raised') return isOffered && this.#isRaised(number, before);
    const isTheirs = name !== '' && ['', ' '].some((gap) => this.#offered.say(`${name}${gap}${number}`));
    return isOffered && !isTheirs && this.#fits(number, this.#claimOf(before));
  }

  #isRaised(number: number, before: string): boolean {
    if (POWERS.some(([highest, of]) => number <= highest && of.test(before))) return false;
    return SENTENCE_ENDED.test(before) || this.#fits(number, this.#claimOf(before));
  }

  /**
   * Numbers in round brackets may also count things or list items. Within a sentence, either all of them are
   * citations, or none is.
   */
  #readRound(numbers: LabeledNumber[], found: Found): number[] | 'undecided' | undefined {
    const rest = restOfSentence(found);
    if (rest === undefined) return 'undecided';
    const sentence = `${lastSentence(found.before)}${found.whole}${rest}`;
    const others = numbers.every(({ label }) => label === '') ? sentence.matchAll(BRACKETS) : [];
    const named = numbers.every((each) => this.#isNamed(each, found));
    const isCiting = [...others].every(({ 0: whole, index }) => {
      const before = sentence.slice(0, index);
      const each = readLabeledNumbers(whole.slice(1, -1)) ?? [];
      const follows = sentence.slice(index + whole.length);
      return (
        (/^[[(（]/.test(follows) || ENDS_PART.test(`${follows}\n`)) &&
        each.every(({ number }) => whole.startsWith('[') || this.#fits(number, this.#claimOf(before)))
      );
    });
    return named && isCiting ? numbers.map(({ number }) => number) : undefined;
  }

  /**
   * Returns the passage of a file that has several: the one at the named location, otherwise the one that
   * best matches the sentence.
   */
  #readNamed({ names, rest }: FoundNames, found: Found): number[] | 'undecided' | undefined {
    if ((rest.match(/\p{L}+/gu)?.length ?? 0) > 3) return undefined;
    const before = claimBefore(found.before);
    const claim = before === '' ? restOfSentence(found) : before;
    if (claim === undefined) return 'undecided';
    const scores = this.#offered.scoresOf(claim);
    const scoreOf = (number: number) => scores.get(number - 1) ?? 0;
    const chosen = names.flatMap(({ numbers, isWhole }) => {
      const placed = numbers.filter((number) => isAt(this.#offered.all[number - 1], number, rest));
      const [best = 0] = (placed.length > 0 ? placed : numbers).toSorted((a, b) => scoreOf(b) - scoreOf(a));
      const isCertain = isWhole && found.look !== 'round';
      return isCertain || scoreOf(best) >= LEAST_SCORE ? [best] : [];
    });
    return chosen.length === 0 ? undefined : chosen;
  }

  /** All numbers of an expression are compared with the same words. */
  #claimOf(before: string): string {
    if (this.#claimed?.before !== before) this.#claimed = { before, claim: claimBefore(before) };
    return this.#claimed.claim;
  }

  /** If the answer is in another script, words can't be compared. */
  #fits(number: number, claim: string): boolean {
    const passage = this.#offered.all[number - 1];
    if (passage === undefined || claim === '') return false;
    if (isUnspaced(claim) !== isUnspaced(passage.text)) return true;
    const scores = this.#offered.scoresOf(claim);
    const own = scores.get(number - 1) ?? 0;
    return own >= LEAST_SCORE && own >= LEAST_SHARE * Math.max(...scores.values());
  }

  /** A bracket was copied if a passage contains it after the same words. */
  #isCopied({ before, whole }: Found, numbers: number[]): boolean {
    const words = before.slice(-COPIED);
    if (lettersIn(words) < MIN_CLAIM || !this.#offered.say(words + whole)) return false;
    return !numbers.some((number) => this.#offered.says(number, words));
  }

  /** Text after a marker that may start a line of a list is read when the line is complete. */
  #isLineOpen({ before, after, isWhole }: Found): boolean {
    return before === this.#open && !isWhole && after.length < MAX_HELD && !after.includes('\n');
  }

  #listed(found: Found, numbers: number[]): Rewritten {
    const { whole, look, before, after, isWhole } = found;
    if (look === 'round' || look === 'raised') return undefined;
    const line = readListLine({ before, whole, after, isWhole }, (text) => this.#names.find(text));
    this.#open = line === 'undecided' ? before : undefined;
    if (line === undefined || line === 'undecided') return line;
    if (line.isAnswer && numbers.every((number) => line.named.includes(number))) return undefined;
    if (this.#names.find(found.content).names.length > 0)
      return { length: whole.length, text: found.content };
    const paths = numbers.flatMap((number) => this.#offered.all[number - 1]?.path ?? []);
    if (line.isBare) return { length: whole.length, text: [...new Set(paths)].map(asCode).join(', ') };
    const blanks = /^[^\S\n]*[:：]?[^\S\n]*/.exec(after)?.[0].length ?? 0;
    return { length: whole.length + blanks, text: '' };
  }
}

/** A superscript number, or one in round brackets, must end a part of its sentence. */
function inPlace({ before, after, isWhole, whole, look }: Found, numbers: number[]): Rewritten {
  const next = withoutExpressions(after, isWhole);
  if (next === undefined) return 'undecided';
  const mayBeIndex = whole.startsWith('[') && !/[\^†]/.test(whole);
  const words = mayBeIndex && !/\[\d{1,3}\]$/.test(before) ? before.slice(-40) : '';
  const at = isMarkerAt(words, `[${numbers.join(', ')}]`, next, isWhole);
  if (at === 'undecided') return at;
  if (at === 'no' || (look === 'raised' && !/^(?:$|[\s\p{P}])/u.test(next))) return undefined;
  const isApart = at === 'glued' || (!mayBeIndex && !NEEDS_NO_BLANK.test(before));
  return { length: whole.length, text: (isApart ? ' ' : '') + writeMarkers(numbers) };
}

/** Removes the markers at the start of a text; undefined if it depends on more text. */
function withoutExpressions(text: string, isWhole: boolean): string | undefined {
  const next = readExpression(text, { before: '', isWhole, mayName: () => false });
  if (next === undefined) return text;
  if (next === 'open') return undefined;
  return readLabeledNumbers(next.content) ? withoutExpressions(text.slice(next.whole.length), isWhole) : text;
}

/** `passage 2` and `lines 3-5` after a name. */
const PLACES = /(\p{L}*)\.?\s*(\d{1,7})(?:\s*[–-]\s*(\d{1,7}))?/gu;

function isAt(passage: Passage | undefined, number: number, where: string): boolean {
  if (passage === undefined) return false;
  const { startLine, endLine, part } = passage;
  return [...where.matchAll(PLACES)].some(([, label = '', first, last = first]) => {
    const [from, to] = [Number(first), Number(last)];
    if (OWN_LABEL.test(label)) return from === number;
    const places = Object.values(part).filter((value) => typeof value === 'number');
    return places.some((place) => from <= place && place <= to) || (from <= endLine && startLine <= to);
  });
}

function lastSentence(before: string): string {
  const end = [...before.matchAll(SENTENCE_END)].at(-1);
  return end === undefined ? before : before.slice(end.index + end[0].length);
}

/**
 * Returns the words to which a marker after a text belongs: those since the last marker or sentence,
 * otherwise the previous sentence.
 */
function claimBefore(before: string): string {
  const text = before.trimEnd();
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const own = lastSentence(line);
  const bare = line.replace(/[\s.!?。！？"'”’)\]*_]+$/u, '');
  const sentence = lettersIn(own) >= MIN_CLAIM ? own : lastSentence(bare);
  const part = sentence.split(BRACKETS).at(-1) ?? '';
  const claim = lettersIn(part) >= MIN_CLAIM ? part : sentence;
  return lettersIn(claim) >= MIN_CLAIM ? claim.trim() : '';
}

/** Undefined if it depends on more text. */
function restOfSentence({ after, isWhole }: Found): string | undefined {
  const [end] = after.matchAll(SENTENCE_END);
  if (end === undefined && !isWhole && after.length < MAX_HELD) return undefined;
  return after.slice(0, Math.min(end === undefined ? after.length : end.index + end[0].length, MAX_HELD));
}

/** A Han character counts as two letters. */
function lettersIn(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
}

function isUnspaced(text: string): boolean {
  return 2 * (text.match(UNSPACED)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0);
}
