import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';
import { freeEmphasis } from '../../../lib/api-contract/free-emphasis.ts';
import { formulaExtensions } from './find-formula.ts';
import { joinList, openList } from './grow-list.ts';

/** A noncharacter, which no text contains, and which the lexer treats as a letter. */
const SIGN = '\ufdd0';
/** Maximum marks in a run of text, because the lexer's time grows with the square of their number. */
const MAX_MARKS = 1_000;
/**
 * Maximum product of marks and characters, summed over all runs, because at each mark the lexer may scan the rest of
 * its run.
 */
const MAX_LOOKED_THROUGH = 30_000_000;
/** Maximum nested quotes and lists in a line, because the lexer handles them by recursion. */
const MAX_OPENED = 60;
const MAX_INDENT = 200;
/** Maximum characters that the lexer searches, per line of a list item, for a line below that makes it a heading. */
const MAX_UNDERLINED = 500;

/** Maximum lines of a list item, because at each line the lexer copies the item so far. */
const MAX_ITEM_LINES = 1_000;
/**
 * Maximum tokens (quotes, items, cells, bold words), each of which becomes an element. A book has fewer; a
 * page with more doesn't respond.
 */
const MAX_TOKENS = 40_000;
/** Maximum characters of a URL, because at each character, the lexer scans the rest of it. */
const MAX_ADDRESS = 1_000;
const MAIL_NAME = /^[\w.!#$%&'*+/=?`{|}~-]+$/;
/**
 * Maximum lines at which the lexer rereads the rest of a paragraph: in a quote after a line without its mark, and below
 * a header row.
 */
const MAX_READ_AGAIN = 300;
const UNDER_HEAD = /^[|: \t-]+$/;

const ITEM = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const QUOTING = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[>\s])))*/;
const OPENED = new RegExp(`^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])(?=[>\\s])){${MAX_OPENED}}`, 'm');
const INDENTED = new RegExp(`^[ \\t]{${MAX_INDENT}}[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])`, 'm');

class Bounded extends Tokenizer {
  /**
   * Checks the header row first, because the lexer reads all lines below it before it checks that the header
   * makes a table. Missing cells are added to a row, so a few kilobytes could become millions of cells. A
   * table with more cells than characters stays text.
   */
  override table(src: string): Tokens.Table | undefined {
    const head = /^.*\n.*/.exec(src)?.[0];
    if (head === undefined || super.table(head) === undefined) return undefined;
    const [whole = '', header = '', , rows = ''] = this.rules.block.table.exec(src) ?? [];
    const cells = header.split('|').length * rows.split('\n').length;
    return cells > whole.length ? undefined : super.table(src);
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const isNear = src.length <= MAX_UNDERLINED;
    return super.lheading(isNear ? src : src.slice(0, src.lastIndexOf('\n', MAX_UNDERLINED) + 1));
  }

  override url(src: string): Tokens.Link | undefined {
    const [address = ''] = /^[^\s<]*/.exec(src.slice(0, MAX_ADDRESS + 1)) ?? [];
    return address.length > MAX_ADDRESS ? undefined : super.url(src);
  }
}

/**
 * Returns the blocks of a Markdown text. Undefined for a text that is designed to be expensive, which is then
 * shown unformatted. Runs full of marks within blocks are shown unformatted too.
 */
export function readBlocks(source: string, links: TokensList['links'] = {}): TokensList | undefined {
  const text = source.replace(/\r\n|\r/g, '\n');
  if (OPENED.test(text) || INDENTED.test(text) || hasEndlessItem(text) || isReadAgain(text)) return undefined;
  const blocks = lex(text, links);
  return blocks === undefined || countTokens(blocks) > MAX_TOKENS ? undefined : blocks;
}

function lex(text: string, links: TokensList['links']): TokensList | undefined {
  const lexer = new Lexer({ gfm: true, tokenizer: new Bounded(), extensions: formulaExtensions });
  Object.assign(lexer.tokens.links, links);
  try {
    lexer.blockTokens(text, lexer.tokens);
    let lookedThrough = 0;
    for (const { src, tokens } of lexer.inlineQueue) {
      const marks = countMarks(src);
      lookedThrough += marks * src.length;
      if (marks > MAX_MARKS || lookedThrough > MAX_LOOKED_THROUGH || hasEndlessMailName(src))
        tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      else readInline(lexer, src, tokens);
    }
    return lexer.tokens;
  } catch {
    return undefined; // deeper than the stack allows
  }
}

/** Reads a run of text, with signs next to emphasis that needs them, and removes the signs again. */
function readInline(lexer: Lexer, src: string, tokens: Token[]): void {
  const freed = freeEmphasis(src, SIGN);
  lexer.inlineTokens(freed, tokens);
  if (freed !== src) withoutSigns(tokens);
}

function withoutSigns(tokens: Token[]): void {
  for (const token of tokens as Tokens.Generic[]) {
    for (const name of ['raw', 'text', 'href', 'title', 'tex'])
      if (typeof token[name] === 'string') token[name] = token[name].replaceAll(SIGN, '');
    if (token.tokens) withoutSigns(token.tokens);
  }
}

/** Returns whether an item is too long. An empty line ends an item, unless the next line is indented or quoted. */
function hasEndlessItem(text: string): boolean {
  let lines: number | undefined;
  let isAfterEmpty = false;
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === '';
    if (ITEM.test(line)) lines = 0;
    else if (isAfterEmpty && /^[^\s>]/.test(line)) lines = undefined;
    else if (lines !== undefined && !isEmpty && ++lines > MAX_ITEM_LINES) return true;
    isAfterEmpty = isEmpty;
  }
  return false;
}

function isReadAgain(text: string): boolean {
  for (const block of text.split(/\n[ \t]*\n/)) {
    let times = 0;
    let depth = 0;
    for (const line of block.split('\n')) {
      const [marks = ''] = QUOTING.exec(line) ?? [];
      const before = depth;
      depth = marks.split('>').length - 1;
      if (depth > before || isUnderHead(line.slice(marks.length))) times += 1;
      if (times > MAX_READ_AGAIN) return true;
    }
  }
  return false;
}

/** Returns whether a line could make the previous line a header row; a line of only `-` makes it a heading. */
function isUnderHead(line: string): boolean {
  return UNDER_HEAD.test(line) && line.includes('-') && /[|:]/.test(line);
}

/** Counts tokens, including nested ones, until there are more than can be shown. */
function countTokens(blocks: Token[]): number {
  const rest: Token[][] = [blocks];
  let count = 0;
  for (let tokens = rest.pop(); tokens !== undefined && count <= MAX_TOKENS; tokens = rest.pop()) {
    count += tokens.length;
    for (const token of tokens) for (const children of childrenOf(token)) rest.push(children);
  }
  return count;
}

function childrenOf(token: Token): Token[][] {
  if (token.type === 'list') return [(token as Tokens.List).items];
  if (token.type !== 'table') return 'tokens' in token && token.tokens ? [token.tokens] : [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flatMap((cells) => cells.map(({ tokens }) => tokens));
}

/** A text with its blocks, from which a longer text is read, starting at the last block. */
export interface Grown {
  text: string;
  blocks: TokensList | undefined;
}

/**
 * Returns the blocks of a text that has grown. An addition changes only the last two blocks (of a list, its
 * last item), so the others stay the same objects and aren't read again. A definition at the end affects
 * earlier links only when the whole text is read.
 */
export function growBlocks(before: Grown | undefined, text: string): Grown {
  const settled = before && settledOf(before, text);
  if (settled === undefined) return { text, blocks: readBlocks(text) };
  const { blocks, open, length, links } = settled;
  const tail = readTail(open[0], text.slice(length), links);
  if (tail === undefined) return { text, blocks: tail };
  return { text, blocks: Object.assign([...blocks, ...withSame(open, tail)], { links: tail.links }) };
}

function readTail(first: Token | undefined, text: string, links: TokensList['links']) {
  const open = openList(first, text);
  const rest = open && readBlocks(text.slice(open.raw.length), links);
  const list = rest && joinList(first as Tokens.List, open, rest[0]);
  return list ? Object.assign([list, ...rest.slice(1)], { links: rest.links }) : readBlocks(text, links);
}

/**
 * Reads a whole text, so that a later reading produces the same blocks. Grown blocks with the same result
 * stay, unless there are definitions, because earlier text may refer to these.
 */
export function endBlocks(before: Grown | undefined, text: string): Grown {
  const blocks = readBlocks(text);
  const hasDefinitions = Object.keys(blocks?.links ?? {}).length > 0;
  if (before?.blocks === undefined || blocks === undefined || hasDefinitions) return { text, blocks };
  return { text, blocks: withSame(before.blocks, blocks) };
}

/** Returns the new blocks; unchanged blocks in the same position keep their objects. */
function withSame(before: Token[], blocks: TokensList): TokensList {
  const same = blocks.map((block, place) => {
    const old = before[place];
    return old?.type === block.type && old.raw === block.raw ? old : block;
  });
  return Object.assign(same, { links: blocks.links });
}

function settledOf({ text: before, blocks }: Grown, text: string) {
  if (blocks === undefined || before === '' || text.includes('\r') || !text.startsWith(before))
    return undefined;
  const start = startOfOpen(blocks);
  const kept = blocks.slice(0, start);
  const raw = kept.map((block) => block.raw).join('');
  if (!text.startsWith(raw)) return undefined;
  return { blocks: kept, open: blocks.slice(start), length: raw.length, links: blocks.links };
}

/**
 * Returns where the open blocks start. Half of a mark ends the previous block until the other half makes it
 * part of that block, so two blocks are open.
 */
function startOfOpen(blocks: Token[]): number {
  const places = blocks.flatMap(({ type }, place) => (type === 'space' ? [] : [place]));
  const last = places.at(-1) ?? 0;
  const isLongList = blocks[last]?.type === 'list' && (blocks[last] as Tokens.List).items.length > 1;
  return isLongList ? last : (places.at(-2) ?? last);
}

function countMarks(text: string): number {
  return (text.match(/[*_~[\]`<@:!$]|\\[([]/g) ?? []).length;
}

function hasEndlessMailName(text: string): boolean {
  const names = text.split('@').slice(0, -1);
  return names.some((name) => name.length > MAX_ADDRESS && MAIL_NAME.test(name.slice(-MAX_ADDRESS)));
}
