/** Number of characters at the end to check: four repetitions of a long paragraph. */
const TAIL = 8000;
/** Number of characters between two checks, so that the work per character is constant. */
const STEP = 500;
/**
 * A model stops on its own below this many repetitions of the same words, or below this many characters in
 * them.
 */
const ROUNDS = 8;
const MIN_CHARACTERS = 2000;
/**
 * For sentences, fewer characters are enough. Labels, cells, and lines of code repeat in good texts; in a
 * song, a line repeats 12 times.
 */
const SENTENCE_ROUNDS = 16;
const MIN_SENTENCE_CHARACTERS = 1000;
/** Minimum characters. A numbered list may well say the same about 100 files. */
const MIN_COUNTED_CHARACTERS = 4000;
/** Number of consecutive sentences. In any good text, more than `DISTINCT` of them differ. */
const SEGMENTS = 40;
const DISTINCT = 4;
/** Matches four words, or as much text in a script without spaces. */
const SENTENCE =
  /(?:[\p{L}\p{N}'’-]{1,40}[,;:]? ){3}\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{8}/u;

/**
 * Returns a function that takes a text chunk by chunk, and returns true once the text ends in endless
 * repetitions of a few words. Models, especially small ones, may write these until their limit. Takes linear
 * time.
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
    if (tail.length < MIN_SENTENCE_CHARACTERS) return false;
    return endsInRounds(tail) || hasFewSentences(tail) || counts(tail);
  };
}

/** Returns whether the text ends in repetitions of one unit of any length. */
function endsInRounds(text: string): boolean {
  const borders = bordersFromEnd(text);
  let other = 0; // a repeated unit without sentences
  for (let length = MIN_SENTENCE_CHARACTERS; length <= text.length; length++) {
    const period = length - (borders[length] ?? 0);
    const isLong = length >= MIN_CHARACTERS;
    if (length < (isLong ? ROUNDS : SENTENCE_ROUNDS) * period) continue;
    const hasSentence = () => period !== other && SENTENCE.test(text.slice(-Math.max(period, 100)));
    if (isLong || hasSentence()) return true;
    other = period;
  }
  return false;
}

/** Returns whether a numbered list says the same thing under too many numbers. */
function counts(text: string): boolean {
  const same = text
    .replace(/^([ \t]*(?:[-*#>]+[ \t]*)?)\d+(?=[.)、．])/gm, '$10')
    .slice(-MIN_COUNTED_CHARACTERS);
  const period = same.length - (bordersFromEnd(same)[same.length] ?? 0);
  return same.length === MIN_COUNTED_CHARACTERS && same.length >= ROUNDS * period;
}

/**
 * Returns the Knuth–Morris–Pratt failure function for the text read backward: the longest border of each
 * suffix.
 */
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

/**
 * Returns whether most of the sentences are the same. A sentence includes the number before it, so the items
 * of a numbered list differ.
 */
function hasFewSentences(text: string): boolean {
  const segments = text.split(/\n|(?<=[^\d][.!?])\s|(?<=[。！？])/u).slice(0, -1);
  const said = segments.map((each) => each.trim()).filter((each) => each !== '');
  const last = said.slice(-SEGMENTS);
  const isLong = last.join('').length >= MIN_SENTENCE_CHARACTERS;
  return isLong && new Set(last).size <= DISTINCT && last.every((each) => SENTENCE.test(each));
}
