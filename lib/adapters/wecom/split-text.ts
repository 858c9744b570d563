import { characterStart } from '../../text/cut-text.ts';

/** Maximum bytes of one text message in UTF-8. WeCom silently truncates longer ones. */
export const MAX_TEXT_BYTES = 2048;

/**
 * Splits a text into pieces of at most this many UTF-8 bytes; joined, they are the text again. Splits after a
 * line or a word if that leaves at least half a piece. Never splits a Unicode character, nor a grapheme that
 * fits into a piece.
 */
export function splitText(text: string, maxBytes = MAX_TEXT_BYTES): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const reach = reachFrom(text, from, maxBytes);
    const end = reach === text.length ? reach : findCut(text, from, reach);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

/** Returns how far a piece reaches. A lone surrogate counts as three bytes, because it's sent as U+FFFD. */
function reachFrom(text: string, from: number, maxBytes: number): number {
  let bytes = 0;
  let at = from;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += utf8Bytes(point);
    if (bytes > maxBytes) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function utf8Bytes(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

function findCut(text: string, from: number, reach: number): number {
  const half = from + (reach - from) / 2;
  const cuts = ['\n', ' '].map((gap) => text.lastIndexOf(gap, reach - 1) + 1);
  const cut = cuts.find((place) => place > half) ?? reach;
  const whole = characterStart(text, cut);
  return whole > from ? whole : cut;
}
