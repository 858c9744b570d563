/** Returns the start and the end of a long text, with a note in between about how much is missing. */
export function cutMiddle(text: string, maxCharacters: number, note = ''): string {
  if (text.length <= maxCharacters) return text;
  const head = Math.ceil((maxCharacters * 2) / 3);
  const start = beginning(text, head);
  const end = text.slice(characterEnd(text, text.length - (maxCharacters - head)));
  const gone = text.length - start.length - end.length;
  return `${start}\n[… ${gone} characters cut${note} …]\n${end}`;
}

/**
 * Returns the start of a text: at most this many UTF-16 units, without an incomplete character as readers see
 * it, such as a flag or a family of emoji. A first character that is too long alone is split between
 * surrogate pairs.
 */
export function beginning(text: string, maxUnits: number): string {
  const start = text.slice(0, characterStart(text, maxUnits)) || text.slice(0, maxUnits);
  return start.replace(/[\ud800-\udbff]$/, '');
}

const characters = new Intl.Segmenter();
/** Number of units around a cut to check, because longer characters don't occur in practice. */
const NEAR = 256;
/** Matches two characters between which a text can be cut without a check. */
const PLAIN = /^[ -~]{2}$/;

/**
 * Returns the position of a cut, or the start of the character that the cut would split; 0 if that is the
 * first character.
 */
export function characterStart(text: string, cut: number): number {
  return around(text, cut)?.start ?? cut;
}

function characterEnd(text: string, cut: number): number {
  const divided = around(text, cut);
  return divided === undefined || divided.start === cut ? cut : divided.end;
}

/** Returns the character that a cut splits, or that starts at the cut. */
function around(text: string, cut: number): { start: number; end: number } | undefined {
  if (cut <= 0 || cut >= text.length || PLAIN.test(text.slice(cut - 1, cut + 1))) return undefined;
  const from = Math.max(0, cut - NEAR);
  let first = cut - 1;
  // Flags are pairs of characters, so it matters where they start.
  while (first > from && !PLAIN.test(`${text[first]} `)) first -= 1;
  const found = characters.segment(text.slice(first, cut + NEAR)).containing(cut - first);
  if (found === undefined) return undefined;
  const start = first + found.index;
  return { start, end: start + found.segment.length };
}
