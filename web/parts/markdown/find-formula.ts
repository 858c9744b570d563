import type { TokenizerExtension } from 'marked';

export interface FormulaToken {
  type: 'formula';
  raw: string;
  tex: string;
  /** True if the formula has its own lines. */
  isBlock: boolean;
  /** True if the end of the formula is missing, which may change while the text grows. */
  isOpen?: true;
}

/**
 * Maximum characters. Longer formulas stay text, because real ones are shorter, and each is rendered as a
 * whole.
 */
const MAX_INLINE = 1_000;
const MAX_BLOCK = 5_000;

const BLOCK = /^ {0,3}(?:\$\$|\\\[)/;
const LONE_OPENING = /^ {0,3}(?:\$\$|\\\[)[ \t]*\n/;
const EMPTY_LINE = /\n[ \t]*(?:\n|$)/;
/** Matches a line that starts a formula, or is one. */
const INTERRUPTING =
  /\n {0,3}(?:(?:\$\$|\\\[)[ \t]*\n(?!\$\$|\\[\][]|[ \t]*\n)|(?:\$\$.+\$\$|\\\[.+\\\])[ \t]*[.,;]?[ \t]*(?:\n|$))/;
/** Matches `\[Note\]`, with which programs write brackets that aren't a link. */
const WORDS = /^[\p{L}\d\s.,:;-]{2,}$/u;

/** The lexer's extensions for formulas between `$`, `$$`, `\(` and `\)`, or `\[` and `\]`. */
export const formulaExtensions: {
  inline: TokenizerExtension['tokenizer'][];
  startInline: NonNullable<TokenizerExtension['start']>[];
  block: TokenizerExtension['tokenizer'][];
  startBlock: NonNullable<TokenizerExtension['start']>[];
  renderers: Record<string, never>;
  childTokens: Record<string, never>;
} = {
  inline: [(src) => findInline(src)],
  startInline: [startOfInline],
  block: [(src) => findBlock(src)],
  startBlock: [startOfBlock],
  renderers: {},
  childTokens: {},
};

/** Returns only the next `$`, because the lexer stops at each backslash in any case. */
function startOfInline(src: string): number | undefined {
  const at = src.indexOf('$');
  return at === -1 ? undefined : at;
}

function findInline(src: string): FormulaToken | undefined {
  if (src.startsWith('$$')) return between(src, '$$', '$$');
  if (src.startsWith('$')) return findDollars(src);
  return src.startsWith('\\(') ? between(src, '\\(', '\\)') : undefined;
}

function between(src: string, open: string, close: string): FormulaToken | undefined {
  const end = src.slice(0, MAX_INLINE).indexOf(close, open.length);
  const tex = src.slice(open.length, end);
  if (end === -1 || tex.trim() === '' || WORDS.test(tex)) return undefined;
  return { type: 'formula', raw: src.slice(0, end + close.length), tex, isBlock: false };
}

/**
 * Finds a formula by Pandoc's rule, by which `$5 and $10` is money: the first `$` precedes a character that isn't a
 * space; the next `$` follows such a character and doesn't precede a digit.
 */
function findDollars(src: string): FormulaToken | undefined {
  if (/^\$\s/.test(src)) return undefined;
  for (let at = 1; at < Math.min(src.length, MAX_INLINE); at += 1) {
    if (src[at] === '\\') at += 1;
    else if (src[at] === '$') {
      if (at === 1 || /\s/.test(src[at - 1] ?? '') || /\d/.test(src[at + 1] ?? '')) return undefined;
      return { type: 'formula', raw: src.slice(0, at + 1), tex: src.slice(1, at), isBlock: false };
    }
  }
  return undefined;
}

/**
 * Returns where a formula may interrupt a paragraph. That is only within a paragraph, so that many paragraphs
 * aren't searched repeatedly.
 */
function startOfBlock(src: string): number | undefined {
  const end = src.slice(0, MAX_BLOCK).search(EMPTY_LINE);
  const at = src.slice(0, end === -1 ? MAX_BLOCK : end).search(INTERRUPTING);
  return at === -1 || findBlock(src.slice(at + 1)) === undefined ? undefined : at + 1;
}

/**
 * Finds a formula on lines of its own. An incomplete one is kept together, because its lines would otherwise
 * become lists and headings.
 */
function findBlock(src: string): FormulaToken | undefined {
  const [opening] = BLOCK.exec(src) ?? [];
  if (opening === undefined) return undefined;
  const near = src.slice(0, MAX_BLOCK);
  const end = near.search(EMPTY_LINE);
  const part = end === -1 ? near : near.slice(0, end);
  const close = opening.endsWith('$$') ? '$$' : '\\]';
  const at = part.indexOf(close, opening.length);
  if (at !== -1) return whole(src, opening.length, at);
  const isGrowing = end === -1 && near.length === src.length && LONE_OPENING.test(src);
  return isGrowing
    ? { type: 'formula', raw: src, tex: src.slice(opening.length), isBlock: true, isOpen: true }
    : undefined;
}

function whole(src: string, from: number, at: number): FormulaToken | undefined {
  const tex = src.slice(from, at);
  const [rest] = /^[ \t]*[.,;]?[ \t]*(?:\n+|$)/.exec(src.slice(at + 2, at + 2 + MAX_BLOCK)) ?? [];
  if (rest === undefined || tex.trim() === '' || WORDS.test(tex)) return undefined;
  return { type: 'formula', raw: src.slice(0, at + 2 + rest.length), tex, isBlock: true };
}
