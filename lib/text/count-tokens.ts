import { beginning, cutMiddle } from './cut-text.ts';

/**
 * Estimates tokens for any script without a tokenizer, because each model has its own. The costs were fitted on
 * 2026-11-29 to nine tokenizers (SmolLM2, Llama 2, Llama 3, Qwen 3, Gemma 3, DeepSeek V3, gpt-oss, cl100k, p50k) with
 * texts in 18 languages, code, tables, and base64: docs/architecture/benchmarks.md has the figures.
 */

/**
 * Matches a word or an abbreviation, digits, white space, repeated signs, and (tried first) long strings of
 * mixed characters, such as base64. The lookaheads are limited, because they run at each position of a long
 * word.
 */
const PIECES =
  /(?=[\w+/-]{0,64}\d)(?=[\w+/-]{0,64}[a-z])(?=[\w+/-]{0,64}[A-Z])(?<mixed>[\w+/-]{24,})|(?<word>[A-Z]?[a-z\u00c0-\u024f\u1e00-\u1eff]+)|(?<capitals>[A-Z]+)|(?<digits>\d+)|(?<blanks>[ \t]+)|(?<breaks>[\r\n]+)|(?<sign>[!-~])\k<sign>*|(?<wide>.)\k<wide>*/gsu;

/**
 * Tokens per character of other scripts, for code points up to `end`. Roughly the maximum of any tokenizer.
 */
const WIDE: [end: number, tokens: number][] = [
  [0x900, 1.3],
  [0xe00, 1.5],
  [0x1000, 2],
  [0x2000, 3.1], // scripts that hardly any vocabulary contains, such as Burmese, Georgian, and Amharic
  [0xac00, 2.15],
  [0xd7b0, 2.7],
  [0x10000, 2.15],
  [Number.POSITIVE_INFINITY, 4],
];

interface Weight {
  /** Tokens of the ASCII part. */
  plain: number;
  wide: number;
}

/**
 * Returns roughly the maximum tokens of a text. A tokenizer that knows its language well needs half or a third of that.
 */
export function mostTokens(text: string): number {
  const { plain, wide } = weigh(text);
  return Math.ceil(1.05 * (plain + wide));
}

/** Maximum tokens per byte, by the costs above. */
export const MOST_PER_BYTE = 1.1;

/**
 * Returns an upper bound of mostTokens() from the number of bytes alone. Nearly every text certainly fits
 * into a large window, so a count is rarely needed.
 */
export function boundTokens(text: string): number {
  return Math.ceil(MOST_PER_BYTE * Buffer.byteLength(text)) + 1;
}

/** Returns roughly the minimum tokens of a text. The estimate is weak for text without ASCII. */
export function leastTokens(text: string): number {
  const { plain, wide } = weigh(text);
  return Math.floor(0.5 * plain + 0.1 * wide);
}

function weigh(text: string): Weight {
  const weight = { plain: 0, wide: 0 };
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    const { wide, word } = groups;
    if (wide !== undefined) weight.wide += wideTokens(wide, piece.length / wide.length);
    else if (word !== undefined) addWord(weight, word);
    else weight.plain += plainTokens(piece, groups);
  }
  return weight;
}

function wideTokens(character: string, times: number): number {
  const code = character.codePointAt(0) ?? 0;
  const [, tokens] = WIDE.find(([end]) => code < end) ?? [0, 4];
  return tokens + (times - 1) * Math.min(tokens, 0.75);
}

/** Adds a word, split at its accented characters. */
function addWord(weight: Weight, word: string): void {
  const { length } = word;
  const accents = Buffer.byteLength(word) - length;
  if (accents > 0) weight.wide += 0.6 * length + 0.9 * accents;
  else weight.plain += length < 4 ? 1 : length < 9 ? 0.7 + length / 10 : 0.27 * length;
}

function plainTokens(
  piece: string,
  { mixed, capitals, digits, blanks, breaks }: Record<string, string | undefined>,
): number {
  const { length } = piece;
  if (mixed !== undefined) return 0.86 * length;
  if (capitals !== undefined) return length < 3 ? 1 : 0.5 * length;
  if (digits !== undefined) return length;
  if (blanks !== undefined) return length === 1 ? 0 : 0.5 + length / 16;
  if (breaks !== undefined) return 0.5 + length / 2;
  return length === 1 ? 1 : 1 + length / 6;
}

/**
 * Returns the start of a text that certainly has at most this many tokens, without an incomplete character.
 */
export function cutToTokens(text: string, maxTokens: number): string {
  if (boundTokens(text) <= maxTokens || mostTokens(text) <= maxTokens) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (mostTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : beginning(text, low);
}

/** Returns the start and the end of a text that is too long, with a note in between. */
export function cutMiddleToTokens(text: string, maxTokens: number, note = ''): string {
  if (boundTokens(text) <= maxTokens) return text;
  const tokens = mostTokens(text);
  if (tokens <= maxTokens) return text;
  let length = Math.floor((text.length * maxTokens) / tokens) - note.length;
  let shorter = cutMiddle(text, Math.max(0, length), note);
  while (length > 0 && mostTokens(shorter) > maxTokens) {
    length = Math.floor(length * 0.8);
    shorter = cutMiddle(text, length, note);
  }
  return length > 0 ? shorter : cutToTokens(text, maxTokens);
}
