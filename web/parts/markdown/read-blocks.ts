import { Lexer, type TokensList } from 'marked';

/** Marks in a stretch of text: the lexer's work grows with their square. */
const MAX_MARKS = 1_000;
/** Quotes and lists that a line opens within each other: the lexer goes down them by recursion. */
const MAX_OPENED = 60;
const MAX_INDENT = 200;

const OPENED = new RegExp(`^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])(?=[>\\s])){${MAX_OPENED}}`, 'm');
const INDENTED = new RegExp(`^[ \\t]{${MAX_INDENT}}[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])`, 'm');

/**
 * The blocks of a text of Markdown; undefined for one that is nested to be hard to read, which is shown as it is. So is a
 * stretch full of marks within them.
 */
export function readBlocks(text: string): TokensList | undefined {
  if (OPENED.test(text) || INDENTED.test(text)) return undefined;
  const lexer = new Lexer({ gfm: true });
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

function isFullOfMarks(text: string): boolean {
  return (text.match(/[*_~[\]`<@:]/g) ?? []).length > MAX_MARKS;
}
