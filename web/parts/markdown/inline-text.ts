import { splitAnswer } from '../../../lib/api-contract/split-answer.ts';

/** Text, or a citation number. Only the given numbers are citations. */
export type Piece = { text: string } | { cited: number };

export function splitCitations(text: string, known: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  for (const piece of splitAnswer(text)) {
    const number = piece.kind === 'marker' ? /^\[(\d{1,3})\]$/.exec(piece.text)?.[1] : undefined;
    const cited = Number(number);
    const last = pieces.at(-1);
    if (known.has(cited)) pieces.push({ cited });
    else if (last !== undefined && 'text' in last) last.text += piece.text;
    else pieces.push({ text: piece.text });
  }
  return pieces;
}

/** Returns a link's target if the link may be followed. Other links, outside the web, are shown as text. */
export function webAddress(href: string): { href: string; host: string } | undefined {
  if (!/^https?:\/\//i.test(href)) return undefined;
  try {
    const { href: whole, host, username } = new URL(href);
    return username === '' ? { href: whole, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Matches punctuation that may not start a line. */
const END = /^[.,;:!?。，、；：！？)）」』”’]{1,4}/u;

type EndedPiece = Piece | { cited: number; end: string };

/** Returns the pieces with the punctuation after a citation attached to it, because no line may start with it. */
export function withEnds(pieces: readonly Piece[]): EndedPiece[] {
  const endAfter = (piece: Piece | undefined) =>
    piece !== undefined && 'text' in piece ? END.exec(piece.text)?.[0] : undefined;
  return pieces.flatMap((piece, place): EndedPiece[] => {
    if ('cited' in piece) {
      const end = endAfter(pieces[place + 1]);
      return [end === undefined ? piece : { ...piece, end }];
    }
    const before = pieces[place - 1];
    const isAfter = before !== undefined && 'cited' in before;
    const text = isAfter ? piece.text.replace(END, '') : piece.text;
    return text === '' ? [] : [{ text }];
  });
}
