import { numbersBetween } from '../../api-contract/marker-place.ts';

/** The notation of an expression that may cite something. */
type Look = 'square' | 'round' | 'raised' | 'element';

/** A possible citation at the start of a text, such as `[Passage 1, 3]`. */
export interface Expression {
  whole: string;
  /** The expression without its brackets. */
  content: string;
  look: Look;
}

const RAISED = '⁰¹²³⁴-⁹①-⑳';
/** Other possible starts of an expression, in addition to `[` and `【`. */
export const MARKER_OPENS = `[［〔(（<${RAISED}`;

const FORMS: [Look, RegExp][] = [
  ['square', /^[[［【〔]([^[\]［］【】〔〕\n]{1,200})[\]］】〕]/],
  ['round', /^[(（]([^()（）\n]{1,200})[)）]/],
  ['raised', /^<sup\b[^<>\n]{0,40}>[\s[(]{0,3}([^<>\n]{1,60}?)[\s\])]{0,3}<\/sup>/i],
  ['element', /^<(passage-[^<>\n]{1,200})>/i],
  ['raised', new RegExp(`^([${RAISED}]{1,20}(?:[⁻˒,，][${RAISED}]{1,20}){0,20})`)],
];
const MORE_RAISED = new RegExp(`^[${RAISED}⁻˒,，]{1,60}$`);
/** Matches the start of a superscript number. Digits after it belong to it, or make it invalid. */
const STARTS_RAISED = new RegExp(`^[${RAISED}]`);
const AFTER_RAISED = new RegExp(`[${RAISED}][⁻˒,，]?$`);
const OPEN_BRACKET = /^(?:[[［【〔][^[\]［］【】〔〕\n]{0,200}|[(（][^()（）\n]{0,200})$/;
const OPEN_ELEMENT = /^<(?:s?|su|sup[^\n]{0,110}|p[a-z]{0,6}|passage-[^<>\n]{0,200})$/i;
/** The number of characters of an expression that show whether it may be a citation. */
const MAX_LABEL = 24;

export interface ExpressionPlace {
  /** The text before the expression. */
  before: string;
  isWhole: boolean;
  /** Returns whether a passage's name starts like this. */
  mayName: (beginning: string) => boolean;
}

/** Returns the expression at the start of a text; `open` if it depends on more text. */
export function readExpression(text: string, reading: ExpressionPlace): Expression | 'open' | undefined {
  const { before, isWhole } = reading;
  if (STARTS_RAISED.test(text) && AFTER_RAISED.test(before)) return undefined;
  for (const [look, form] of FORMS) {
    const [whole, content = ''] = form.exec(text) ?? [];
    if (whole === undefined) continue;
    // Another digit may follow.
    if (look === 'raised' && !isWhole && MORE_RAISED.test(text)) return 'open';
    const plain = content
      .replaceAll('⁻', '-')
      .replaceAll('˒', ',')
      .replace(/[①-⑳](?=[①-⑳])/g, '$&,');
    return { whole, content: plain, look };
  }
  return !isWhole && mayBeExpression(text, reading) ? 'open' : undefined;
}

function mayBeExpression(text: string, { mayName }: ExpressionPlace): boolean {
  if (OPEN_ELEMENT.test(text)) return true;
  const inside = text.slice(1);
  const mayCite = inside.length <= MAX_LABEL || /\p{N}/u.test(inside.slice(0, MAX_LABEL)) || mayName(inside);
  return OPEN_BRACKET.test(text) && mayCite;
}

/** A number in an expression, with the words before it. */
export interface LabeledNumber {
  number: number;
  /** The words before it, in lower case, without signs. */
  label: string;
  /** The sign before it, such as `^` or `#`. */
  sign: string;
}

const NUMBERS = /((?<![\p{N}.])\p{N}{1,3}(?!\p{N})(?:\s*[–—-]\s*\p{N}{1,3}(?!\p{N}))?)/u;
/**
 * Matches what may precede a number: signs, and at most two words, or as much text in a script without
 * spaces.
 */
const BETWEEN = /^[\s,，、;；:：=&+|^#№§.\p{L}\p{M}-]*$/u;
const NO_LIST = /^\s*[.:：/=^-]\s*$/u;
const WORDS = /\p{L}[\p{L}\p{M}]*/gu;
const MAX_WORD = 16;
/**
 * Matches what may follow the last number: nothing, or a Chinese counter (`第1段`). OpenAI writes the location
 * after a dagger (`1†source`).
 */
const AFTER_LAST = /^(?:[.:,，]?|\p{Script=Han}{1,4})$/u;
/** Returns the numbers of an expression; undefined if it contains anything else. */
export function readLabeledNumbers(content: string): LabeledNumber[] | undefined {
  const [head = ''] = content.split('†');
  const pieces = head.split(NUMBERS);
  const last = pieces.pop() ?? '';
  if (pieces.length === 0 || !AFTER_LAST.test(last)) return undefined;
  const numbers: LabeledNumber[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const [between = '', range = ''] = pieces.slice(at, at + 2);
    const words = between.match(WORDS) ?? [];
    const isLabel = words.length <= 2 && words.every(({ length }) => length <= MAX_WORD);
    if (!BETWEEN.test(between) || !isLabel || (at > 0 && NO_LIST.test(between))) return undefined;
    const sign = between.replace(/[\p{L}\p{M}\s,，、;；:：.]/gu, '');
    const label = (words.at(-1) ?? '').toLowerCase();
    numbers.push(...numbersIn(range).map((number) => ({ number, label, sign })));
  }
  return numbers.some(({ number }) => Number.isNaN(number)) ? undefined : numbers;
}

function numbersIn(range: string): number[] {
  const [first = 0, last = first] = range.split(/[–—-]/).map(readDigits);
  return numbersBetween(first, last);
}

/** Returns the value of digits in any script, including superscript and circled digits. */
function readDigits(digits: string): number {
  return Number(
    digits
      .normalize('NFKC')
      .trim()
      .replace(/(?![0-9])\p{Nd}/gu, (digit) => {
        const code = digit.codePointAt(0) ?? 0;
        let value = 0;
        while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
        return String(value);
      }),
  );
}
