/** A text with the numbers of its citations apart: only those that were given are citations. */
export type Piece = { text: string } | { cited: number; end?: string };

/** Punctuation that doesn't begin a line. */
const END = /^[.,;:!?。，、；：！？)）」』”’]{1,4}/u;

export function splitCitations(text: string, known: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const match of text.matchAll(/\[(\d{1,3})\]/g)) {
    const cited = Number(match[1]);
    if (!known.has(cited)) continue;
    if (match.index > start) pieces.push({ text: text.slice(start, match.index) });
    start = match.index + match[0].length;
    const [end] = END.exec(text.slice(start, start + 4)) ?? [];
    pieces.push(end === undefined ? { cited } : { cited, end });
    start += end?.length ?? 0;
  }
  if (start < text.length) pieces.push({ text: text.slice(start) });
  return pieces;
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
