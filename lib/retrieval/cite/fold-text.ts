/** A text with equivalent spellings unified, and the mapping back to the original characters. */
export interface FoldedText {
  text: string;
  /** Returns the original of a stretch of `text`; undefined if it starts or ends within one original character. */
  original(start: number, end: number): string | undefined;
}

const INVISIBLE = '[\\u00AD\\u200B-\\u200D\\u2060\\uFEFF]';
const PIECES = new RegExp(
  [
    `(?<divided>(?<=\\p{L})[-\\u00AD\\u2010]\\r?\\n[^\\S\\n]*(?=\\p{Ll}))`,
    `(?<unspaced>(?<=[\\p{Script=Han}，。、；：])\\s+(?=[\\p{Script=Han}，。、；：]))`,
    `(?<invisible>${INVISIBLE}+)`,
    `(?<dash>\\s*(?:[—―]+|--+)\\s*|\\s+[-‐‑–−]\\s+)`,
    `(?<space>\\s+)`,
    `(?<hyphen>[‐‑‒–−])`,
    `(?<quotes>["“”„‟‘’‚‛«»‹›「」『』＂＇])`,
    `(?<ligature>[ﬀ-ﬄ])`,
    `(?<ellipsis>…)`,
  ].join('|'),
  'gu',
);
const LIGATURES: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl' };

/** `joined`: removes the hyphen of a word that is divided at the end of a line. */
export function foldText(source: string, { joined }: { joined: boolean }): FoldedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  const put = (piece: string, start: number, end: number, own: boolean) => {
    for (let at = 0; at < piece.length; at++) {
      starts.push(own ? start + at : start);
      ends.push(own ? start + at + 1 : end);
    }
    text += piece;
  };
  let from = 0;
  for (const match of source.matchAll(PIECES)) {
    const end = match.index + match[0].length;
    put(source.slice(from, match.index), from, match.index, true);
    put(foldPiece(match, joined), match.index, end, false);
    from = end;
  }
  put(source.slice(from), from, source.length, true);
  const isWhole = (start: number, end: number) =>
    starts[start] !== starts[start - 1] && ends[end - 1] !== ends[end];
  return {
    text,
    original: (start, end) => (isWhole(start, end) ? source.slice(starts[start], ends[end - 1]) : undefined),
  };
}

function foldPiece({ 0: piece, groups = {} }: RegExpMatchArray, joined: boolean): string {
  if (groups.divided !== undefined) return joined ? '' : '-';
  if (groups.unspaced !== undefined || groups.invisible !== undefined) return '';
  if (groups.dash !== undefined) return ' - ';
  if (groups.space !== undefined) return ' ';
  if (groups.hyphen !== undefined) return '-';
  if (groups.quotes !== undefined) return "'";
  return groups.ellipsis === undefined ? (LIGATURES[piece] ?? piece) : '...';
}
