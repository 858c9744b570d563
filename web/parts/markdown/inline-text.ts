import { splitAnswer } from '../../../lib/api-contract/split-answer.ts';

/** A text with the numbers of its citations apart: only those that were given are citations. */
export type Piece = { text: string } | { cited: number; end?: string };

/** Punctuation that doesn't begin a line. */
const END = /^[.,;:!?。，、；：！？)）」』”’]{1,4}/u;

export function splitCitations(text: string, known: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  for (const piece of splitAnswer(text)) {
    const number = piece.kind === 'marker' ? /^\[(\d{1,3})\]$/.exec(piece.text)?.[1] : undefined;
    const cited = Number(number);
    if (known.has(cited)) pieces.push({ cited });
    else addText(pieces, piece.text);
  }
  return pieces;
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'text' in last) {
    last.text += text;
    return;
  }
  const [end = ''] = (last !== undefined && last.end === undefined && END.exec(text.slice(0, 4))) || [];
  if (last !== undefined && end !== '') last.end = end;
  if (end.length < text.length) pieces.push({ text: text.slice(end.length) });
}

/** Where a link leads, if it may be followed: addresses outside the web are shown as text. */
export function webAddress(href: string): { href: string; host: string } | undefined {
  if (!/^https?:\/\//i.test(href)) return undefined;
  try {
    const { href: whole, host, username } = new URL(href);
    return username === '' ? { href: whole, host } : undefined;
  } catch {
    return undefined;
  }
}
