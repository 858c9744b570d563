/** A character of two bytes. */
type Pair = [lead: number, trail: number];

/** At least this share of a Japanese text is kana. */
const KANA_SHARE = 0.25;
/** A text with this many characters from the first half of the Chinese rows, and no others, is hardly Chinese. */
const MIN_KOREAN = 4;
const MAX_PAIRS = 200;

const between = (byte: number, from: number, to: number) => byte >= from && byte <= to;

/**
 * The encoding of a few East Asian characters, too few for a detector that counts how often each comes: by whether all of
 * them are among the common characters of the encoding. Undefined if that is true of none; accents in Latin letters are
 * isolated, and those of other scripts are in other ranges.
 */
export function guessEastAsian(
  bytes: Uint8Array,
): 'gb18030' | 'big5' | 'shift_jis' | 'euc-jp' | 'euc-kr' | undefined {
  const pairs = pairsOf(bytes);
  if (pairs === undefined || pairs.length < 2) return undefined;
  const every = (test: (lead: number, trail: number) => boolean) => pairs.every(([a, b]) => test(a, b));
  const share = (test: (lead: number, trail: number) => boolean) =>
    pairs.filter(([a, b]) => test(a, b)).length / pairs.length;
  const isHigh = every((_, trail) => trail >= 0xa1);
  if (isHigh && share((lead) => between(lead, 0xa4, 0xa5)) >= KANA_SHARE) return 'euc-jp';
  if (every(isShiftJis) && share(isShiftJisKana) >= KANA_SHARE) return 'shift_jis';
  if (!isHigh) return every(isBig5) ? 'big5' : undefined;
  const inRows = (last: number) => every((lead) => between(lead, 0xa1, 0xa3) || between(lead, 0xb0, last));
  if (pairs.length >= MIN_KOREAN && inRows(0xc8)) return 'euc-kr';
  return inRows(0xd7) ? 'gb18030' : undefined;
}

/** Each byte over ASCII with the next one; undefined if one has none. */
function pairsOf(bytes: Uint8Array): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (let at = 0; at < bytes.length && pairs.length < MAX_PAIRS; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[++at] ?? 0;
    if (trail < 0x40) return undefined;
    pairs.push([lead, trail]);
  }
  return pairs;
}

function isShiftJis(lead: number, trail: number): boolean {
  const isLead = between(lead, 0x81, 0x83) || between(lead, 0x88, 0x9f) || between(lead, 0xe0, 0xea);
  return isLead && trail !== 0x7f && trail <= 0xfc;
}

function isShiftJisKana(lead: number, trail: number): boolean {
  return (lead === 0x82 && between(trail, 0x9f, 0xf1)) || (lead === 0x83 && trail <= 0x96);
}

function isBig5(lead: number, trail: number): boolean {
  return between(lead, 0xa1, 0xc6) && (trail <= 0x7e || trail >= 0xa1);
}
