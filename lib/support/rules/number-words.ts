const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS =
  'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const TENTHS = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(' ');

const SMALL = new Map([
  ...ONES.map((word, at): [string, number] => [word, at]),
  ...TENS.map((word, at): [string, number] => [word, 20 + 10 * at]),
  ...ORDINALS.map((word, at): [string, number] => [word, 3 + at]),
  ...TENTHS.map((word, at): [string, number] => [word, 20 + 10 * at]),
  ['first', 1],
  ['second', 2],
  ['a', 1],
  ['an', 1],
]);

export const MULTIPLIERS: Record<string, number> = {
  dozen: 12,
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  lakh: 1e5,
  crore: 1e7,
  mn: 1e6,
  bn: 1e9,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  B: 1e9,
  T: 1e12,
  百: 1e2,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  万亿: 1e12,
};

const TENS_PATTERN = `(?:${TENS.join('|')})(?:[- ](?:${ONES.slice(1, 10).join('|')}))?`;
const SCALE = '(?:[- ](?:dozen|hundred|thousand|million|billion|trillion|lakh|crore))+';
const WORDS = `${TENS_PATTERN}|${ONES.toReversed().join('|')}`;

/** Spelled-out numbers with their multipliers. `a` counts only before a multiplier. */
export const ENGLISH_NUMBER = new RegExp(
  `\\b(?:(?:${WORDS})(?:${SCALE})?|an?${SCALE}(?=\\b))(?![\\p{L}\\d])`,
  'giu',
);
/** `first` is omitted, because it usually means that nothing came before, rather than a rank. */
export const ENGLISH_ORDINAL = new RegExp(
  `\\b(?:(?:${TENS.join('|')})[- ](?:first|second|${ORDINALS.slice(0, 7).join('|')})|(?<!\\b(?:per|an?|each|every|one|this) )second|${[...ORDINALS, ...TENTHS].join('|')})\\b`,
  'giu',
);

export function readEnglishNumber(words: string): number {
  return words
    .toLowerCase()
    .split(/[- ]+/)
    .reduce(
      (sum, word) =>
        MULTIPLIERS[word] === undefined ? sum + (SMALL.get(word) ?? 0) : sum * MULTIPLIERS[word],
      0,
    );
}

const CHINESE_DIGITS = '〇一二三四五六七八九';
const CHINESE_PLACES: Record<string, number> = { 十: 10, 百: 100, 千: 1000 };

export const CHINESE_NUMBER = /[〇零一二三四五六七八九十百千万亿两]+(?:点[〇零一二三四五六七八九]+)?/g;

/** Reads `三百二十`, `两千万`, `二〇二四`, and `三点五`. */
export function readChineseNumber(text: string): number {
  const [whole = '', decimals] = text.replaceAll('零', '〇').replaceAll('两', '二').split('点');
  const value = /^[〇一二三四五六七八九]+$/.test(whole) ? readDigits(whole) : readPlaces(whole);
  return decimals === undefined ? value : Number(`${value}.${toDigits(decimals)}`);
}

function readDigits(text: string): number {
  return Number(toDigits(text));
}

function toDigits(text: string): string {
  return [...text].map((character) => CHINESE_DIGITS.indexOf(character)).join('');
}

function readPlaces(text: string): number {
  for (const [unit, scale] of [
    ['亿', 1e8],
    ['万', 1e4],
  ] as const) {
    const at = text.lastIndexOf(unit);
    if (at !== -1) return (readPlaces(text.slice(0, at)) || 1) * scale + readPlaces(text.slice(at + 1));
  }
  let sum = 0;
  let digit = 0;
  for (const character of text) {
    const place = CHINESE_PLACES[character];
    if (place === undefined) digit = CHINESE_DIGITS.indexOf(character);
    else {
      sum += (digit || 1) * place;
      digit = 0;
    }
  }
  return sum + digit;
}
