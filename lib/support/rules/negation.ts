import { isAlike, isFiller, stemOf, WORD } from './content-words.ts';
import { withoutSameLimits } from './limits.ts';

/**
 * Words that a text denies: the ones after a word of denial, up to the first that means something. `not only`, `no more than`
 * deny nothing.
 */
const DENIES =
  /(?:(?<!\p{L})(?<denial>not|never|cannot|without|neither|nor|unable|no(?! (?:more|less|fewer|later|longer than|one|doubt)\b)|none of|fail(?:s|ed|ing)? to|refus(?:es?|ed|ing) to|declin(?:es?|ed|ing) to|lack(?:s|ed)|не|ни|нет|без|никогда|δεν|δε|μην|όχι)(?!\p{L})|n['’]t\b)(?! (?:only|just|merely|simply|necessarily|yet another)\b)/giu;
/** How many words after the denial its word may follow. */
const REACH = 6;

type Polarities = Map<string, { word: string; denied: boolean; plain: boolean }>;

/** Whether each word of a text, by its stem, is denied everywhere in it, or nowhere. */
function polarities(text: string): Polarities {
  const plainText = text.replace(/\bcan['’]t\b|\bcannot\b/giu, 'can not').replace(/[’]/g, "'");
  const denials = [...plainText.matchAll(DENIES)];
  const denied = new Set(denials.flatMap((match) => deniedBy(plainText, match)));
  const clauses = denials.map((match) => clauseOf(plainText, match));
  const found: Polarities = new Map();
  for (const { 0: word, index } of plainText.matchAll(WORD)) {
    if (word.length < 3 || isFiller(word)) continue;
    const stem = stemOf(word);
    const known = found.get(stem) ?? { word, denied: false, plain: false };
    const isDenied = denied.has(index);
    const isOpen = clauses.some(
      ({ start, end, isContrast }) => index >= start && index < end && (isContrast || !isDenied),
    );
    found.set(stem, {
      word,
      denied: known.denied || isDenied || isOpen,
      plain: known.plain || !isDenied || isOpen,
    });
  }
  return found;
}

export function isDenied(text: string): boolean {
  return text.search(DENIES) !== -1;
}

const CONTRAST = /\b(?:but|while|whereas|unlike|although|though|however|only)\b/iu;
/** How far the clause of a denial is looked for. */
const CLAUSE_REACH = 80;

/**
 * The clause of a denial, in which any other word may be denied, too: `did not find an effect`. Where a contrast follows, even the
 * denied one may be so of something else.
 */
function clauseOf(text: string, { 0: found, index }: RegExpExecArray) {
  const from = index + found.length;
  const before =
    text
      .slice(Math.max(0, index - CLAUSE_REACH), index)
      .split(/[.,;:!?()—\n]/u)
      .at(-1) ?? '';
  const after = text.slice(from, from + CLAUSE_REACH);
  const clause = /^[^.,;:!?()—\n]*/u.exec(after)?.[0] ?? '';
  const isContrast = CONTRAST.test(/^[^.!?\n]*/u.exec(after.slice(clause.length))?.[0] ?? '');
  return { start: index - before.length, end: from + clause.length, isContrast };
}

/** The place of the word that a denial is about. */
function deniedBy(text: string, { 0: found, index }: RegExpExecArray): number[] {
  const from = index + found.length;
  const clause = /^[^.,;:!?()—]*/u.exec(text.slice(from, from + 80))?.[0] ?? '';
  const words = [...clause.matchAll(WORD)].slice(0, REACH);
  const first = words.find(({ 0: word }) => !isFiller(word) && !/ly$/.test(word));
  const isOfMany = /^none/i.test(found);
  const about = isOfMany ? words.slice(words.indexOf(first as RegExpExecArray)) : [first];
  return about.flatMap((word) => (word === undefined ? [] : [from + word.index]));
}

/** The words that a sentence says and all of its quotes deny, or the other way. An antonym only a judge can tell. */
export function turnedWords(sentence: string, quotes: string[]): string[] {
  const read = quotes.map((quote) => withoutSameLimits(sentence, quote));
  const own = polarities(read.find(([plain]) => plain !== sentence)?.[0] ?? sentence);
  const all = read.map(([, quote]) => polarities(quote));
  const said = all.filter((words) => isAlike(new Set(own.keys()), new Set(words.keys())));
  const turned = [...own].filter(([stem, { denied, plain }]) => {
    const others = said.flatMap((words) => words.get(stem) ?? []);
    if (others.length === 0 || denied === plain) return false;
    const isSaid = denied && all.some((words) => words.get(stem)?.denied && !said.includes(words));
    return !isSaid && others.every((other) => other.denied !== other.plain && other.denied !== denied);
  });
  return [
    ...turned.map(([, { word, denied }]) => (denied ? `not ${word}` : word)),
    ...turnedHan(sentence, quotes),
  ];
}

const HAN_DENIES =
  /(?:没有|并未|并非|尚未|从未|未曾|不能|不会|不是|不再|无法|未能|[不没未非无])(?<word>\p{Script=Han}{2})/gu;
const HAN_NO_DENIAL =
  /不(?:仅|但|只|同|断|过|少|足|到|超|低|高|多|久|论|管|然|得不|可或缺)|无(?:论|须|需)|未(?:来|必)|非(?:常|洲)|没(?:收)/u;

/** What follows in the sentence is so, unlike what is denied. */
const HAN_CONTRAST = /^[^。！？]*[，；](?:但|而|则|却|[^。！？]{0,8}(?:可以|可$|能$))/u;

/** In Chinese, where no blanks separate the words: the two characters after the denial. */
function turnedHan(sentence: string, quotes: string[]): string[] {
  const own = deniedHan(sentence);
  const said = quotes.map(deniedHan);
  const lost = [...own].filter((word) =>
    quotes.some((quote, at) => quote.includes(word) && said[at]?.has(word) === false),
  );
  const gained = said.flatMap((words, at) =>
    [...words].filter(
      (word) => !own.has(word) && sentence.includes(word) && !isPlainIn(quotes[at] ?? '', word),
    ),
  );
  const isAffirmed = (word: string) => said.some((words) => words.has(word));
  return [
    ...lost.filter((word) => !isAffirmed(word)).map((word) => `不${word}`),
    ...gained.filter((word) => quotes.every((quote) => !isPlainIn(quote, word))),
  ];
}

function deniedHan(text: string): Set<string> {
  return new Set(
    [...text.matchAll(HAN_DENIES)]
      .filter(
        ({ 0: found, index }) =>
          !HAN_NO_DENIAL.test(found) && !HAN_CONTRAST.test(text.slice(index, index + CLAUSE_REACH)),
      )
      .map(({ groups }) => groups?.word ?? ''),
  );
}

function isPlainIn(text: string, word: string): boolean {
  return text.replaceAll(HAN_DENIES, ' ').includes(word);
}
