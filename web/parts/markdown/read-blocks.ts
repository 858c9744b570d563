import { Lexer, Tokenizer, type Tokens, type TokensList } from 'marked';

/** Marks in a stretch of text: the lexer's work grows with their square. */
const MAX_MARKS = 1_000;
/** Quotes and lists that a line opens within each other: the lexer goes down them by recursion. */
const MAX_OPENED = 60;
const MAX_INDENT = 200;

const OPENED = new RegExp(`^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])(?=[>\\s])){${MAX_OPENED}}`, 'm');
const INDENTED = new RegExp(`^[ \\t]{${MAX_INDENT}}[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])`, 'm');

/** A row that lacks cells is filled up: a few kilobytes could make millions. A table of more cells than characters stays text. */
class TablesAsWritten extends Tokenizer {
  override table(src: string): Tokens.Table | undefined {
    const [whole = '', header = '', , rows = ''] = this.rules.block.table.exec(src) ?? [];
    const cells = header.split('|').length * rows.split('\n').length;
    return cells > whole.length ? undefined : super.table(src);
  }
}

/**
 * The blocks of a text of Markdown; undefined for one that is nested to be hard to read, which is shown as it is. So is a
 * stretch full of marks within them.
 */
export function readBlocks(text: string, links: TokensList['links'] = {}): TokensList | undefined {
  if (OPENED.test(text) || INDENTED.test(text)) return undefined;
  const lexer = new Lexer({ gfm: true, tokenizer: new TablesAsWritten() });
  Object.assign(lexer.tokens.links, links);
  try {
    lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue)
      if (isFullOfMarks(src)) tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      else lexer.inlineTokens(src, tokens);
    return lexer.tokens;
  } catch {
    return undefined; // it goes deeper than the stack
  }
}

/** A text with its blocks: the one after it is read from its last block on. */
export interface Grown {
  text: string;
  blocks: TokensList | undefined;
}

/**
 * The blocks of a text that grew: what was added changes the last block alone, so that the others stay the same objects and are
 * not read again. What a definition at the end gives to links before it shows when the whole is read.
 */
export function growBlocks(before: Grown | undefined, text: string): Grown {
  const settled = before && settledOf(before, text);
  if (settled === undefined) return { text, blocks: readBlocks(text) };
  const tail = readBlocks(text.slice(settled.length), settled.links);
  return { text, blocks: tail && Object.assign([...settled.blocks, ...tail], { links: tail.links }) };
}

/** Of a text that is whole: read anew only where it has definitions, which what stands before them may name. */
export function endBlocks(before: Grown | undefined, text: string): Grown {
  const grown = growBlocks(before, text);
  const hasDefinitions = Object.keys(grown.blocks?.links ?? {}).length > 0;
  return before !== undefined && hasDefinitions ? growBlocks(undefined, text) : grown;
}

function settledOf({ text: before, blocks }: Grown, text: string) {
  if (blocks === undefined || before === '' || text.includes('\r') || !text.startsWith(before))
    return undefined;
  const last = blocks.findLastIndex(({ type }) => type !== 'space');
  const kept = blocks.slice(0, Math.max(0, last));
  const length = kept.reduce((sum, { raw }) => sum + raw.length, 0);
  const isWhole = kept.map(({ raw }) => raw).join('') === text.slice(0, length);
  return isWhole ? { blocks: kept, length, links: blocks.links } : undefined;
}

function isFullOfMarks(text: string): boolean {
  return (text.match(/[*_~[\]`<@:]/g) ?? []).length > MAX_MARKS;
}
