import type { Token, Tokens } from 'marked';

/** A range of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

/** Signs that answers rarely contain. Markdown treats them as punctuation, so emphasis next to them stays emphasis. */
const OPEN = '⸢';
const CLOSE = '⸣';
const SIGNS = /[⸢⸣]/;
/** Matches the start of a line before its text. */
const PREFIX = /^(?:\s|>|#{1,6}\s|[-+*]\s|\d{1,3}[.)]\s|\|)+/;
/** Matches text that would absorb a sign after a word. */
const ADDRESS = /\/\/|www\.|@/i;

/**
 * Puts signs around ranges of a text, so that `readUncited()` finds them in its blocks. If the text already
 * has such signs, returns it unchanged.
 */
export function signUncited(text: string, stretches: readonly Stretch[]): string {
  if (SIGNS.test(text)) return text;
  let signed = '';
  let from = 0;
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const whole = text.slice(start, end);
    const sentence = whole.replace(PREFIX, '').replace(/(?<![\s|])[\s|]+$/, '');
    const first = start + (PREFIX.exec(whole)?.[0].length ?? 0);
    if (first < from || end > text.length || sentence === '' || /\n\s*\n/.test(sentence)) continue;
    signed += `${text.slice(from, first)}${OPEN}${sentence}${ADDRESS.test(sentence.split(/\s/).at(-1) ?? '') ? ' ' : ''}${CLOSE}`;
    from = first + sentence.length;
  }
  return signed + text.slice(from);
}

/** Token kinds that only `readUncited()` creates: text between the signs, and the end of such text. */
export const UNCITED = 'uncited';
export const UNCITED_END = 'uncited-end';

/**
 * Returns the blocks of a text with signs, which are replaced by tokens. Undefined if the signs change
 * anything else, or if one is where no token can be, such as in code. `plain` has the blocks of the text
 * without signs.
 */
export function readUncited(blocks: readonly Token[], plain: readonly Token[]): Token[] | undefined {
  const reader = new Reader();
  const read = blocks.map((block) => (reader.isOpen || SIGNS.test(block.raw) ? reader.read(block) : block));
  return reader.isLost || outline(read) !== outline(plain) ? undefined : read;
}

/** Returns the kinds of all tokens except text, and the URLs of links. */
function outline(tokens: readonly Token[]): string {
  return tokens.map((token) => outlineOf(token as Tokens.Generic)).join('');
}

function outlineOf({ type, href, tokens, items, header, rows }: Tokens.Generic): string {
  if (type === UNCITED || type === UNCITED_END || (type === 'text' && !tokens)) return '';
  const within = tokens ?? items ?? (header ? [header, ...rows].flat() : []);
  return `<${[type, href].join(' ')}${outline(within)}>`;
}

class Reader {
  isOpen = false;
  isLost = false;

  read(token: Token): Token {
    if (token.type === 'list')
      return { ...token, items: (token as Tokens.List).items.map((item) => this.read(item)) } as Token;
    if (token.type === 'table') return this.#readTable(token as Tokens.Table);
    const { tokens } = token as { tokens?: Token[] };
    if ('href' in token && SIGNS.test(String(token.href))) this.isLost = true;
    if (tokens) return { ...token, tokens: tokens.flatMap((each) => this.#readLeaf(each)) } as Token;
    if (SIGNS.test(token.raw)) this.isLost = true;
    return token;
  }

  #readTable(table: Tokens.Table): Token {
    const readCell = (cell: Tokens.TableCell) => ({
      ...cell,
      tokens: cell.tokens.flatMap((each) => this.#readLeaf(each)),
    });
    const header = table.header.map(readCell);
    return { ...table, header, rows: table.rows.map((row) => row.map(readCell)) };
  }

  #readLeaf(token: Token): Token[] {
    if (token.type !== 'text' || (token as Tokens.Text).tokens) return [this.read(token)];
    const { text } = token as Tokens.Text;
    return text.split(/(⸢| ?⸣)/).flatMap((piece): Token[] => {
      if (piece === OPEN) this.isOpen = true;
      if (piece === OPEN || piece === '') return [];
      if (!piece.endsWith(CLOSE))
        return [{ ...token, type: this.isOpen ? UNCITED : 'text', raw: piece, text: piece }];
      this.isOpen = false;
      return [{ type: UNCITED_END, raw: '' }];
    });
  }
}
