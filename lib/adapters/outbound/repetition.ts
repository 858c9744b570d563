/** Characters of the tail that are looked at: four rounds of a long paragraph. */
const TAIL = 8000;
/** The tail is looked at after so many new characters, so that the work per character stays the same. */
const STEP = 500;
/** Rounds of the same words, and the characters that they take together, from which on a model no longer stops by itself. */
const ROUNDS = 8;
const MIN_CHARACTERS = 400;
/** Rules, rows of empty cells, and figures without a word repeat in good texts too. */
const MIN_WORDLESS_CHARACTERS = 1000;
/** Of so many lines or sentences in a row, no good text has only `DISTINCT` different ones. */
const SEGMENTS = 40;
const DISTINCT = 4;

/**
 * Returns a function that takes a text piece by piece, and returns true once its end is the same few words again and again:
 * models, small ones above all, may fall into that, and then write until their limit. Takes time linear in the text.
 */
export function watchRepetition(): (piece: string) => boolean {
  let tail = '';
  let fresh = 0;
  return (piece) => {
    tail += piece;
    fresh += piece.length;
    if (fresh < STEP) return false;
    fresh = 0;
    tail = tail.slice(-TAIL);
    return endsInRounds(withoutListNumbers(tail)) || hasFewSegments(tail);
  };
}

/** A list that says the same under each number repeats, although its numbers differ. */
function withoutListNumbers(text: string): string {
  return text.replace(/^([ \t]*(?:[-*#>]+[ \t]*)?)\d+(?=[.)、．])/gm, '$10');
}

/** Whether the text ends in rounds of one unit, of any length. */
function endsInRounds(text: string): boolean {
  const borders = bordersFromEnd(text);
  for (let length = MIN_CHARACTERS; length <= text.length; length++) {
    const period = length - (borders[length] ?? 0);
    if (length < ROUNDS * period) continue;
    if (length >= MIN_WORDLESS_CHARACTERS || hasWords(text.slice(-period))) return true;
  }
  return false;
}

/** Letters next to each other, or of a script without spaces: not a rule, a row of empty cells, or a column of figures. */
function hasWords(unit: string): boolean {
  return /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(unit + unit);
}

/** The failure function of Knuth, Morris, and Pratt for the text read from its end: the longest border of each suffix. */
function bordersFromEnd(text: string): Uint16Array {
  const borders = new Uint16Array(text.length + 1);
  const at = (place: number) => text.charCodeAt(text.length - 1 - place);
  for (let length = 2, border = 0; length <= text.length; length++) {
    while (border > 0 && at(border) !== at(length - 1)) border = borders[border] ?? 0;
    if (at(border) === at(length - 1)) border += 1;
    borders[length] = border;
  }
  return borders;
}

function hasFewSegments(text: string): boolean {
  const segments = text.split(/\n|(?<=[.!?])\s|(?<=[。！？])/u).slice(0, -1);
  const said = segments.map((each) => each.trim()).filter((each) => /\p{L}.*\p{L}.*\p{L}/u.test(each));
  return said.length >= SEGMENTS && new Set(said.slice(-SEGMENTS)).size <= DISTINCT;
}
