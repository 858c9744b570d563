import { seededRandom } from '../citations/seeded-random.ts';
import type { Draft } from './drafts.ts';

export const ERROR_KINDS = [
  'number',
  'unit',
  'date',
  'name',
  'negation',
  'swapped source',
  'invented quote',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** A false sentence with the file that it cites. */
export interface PlantedError {
  kind: ErrorKind;
  source: string;
  /** The true sentence. */
  original: string;
  sentence: string;
}

type Swaps = [from: RegExp, ...to: string[]][];

const UNITS: Swaps = [
  [/°C/, '°F', 'percent'],
  [/(?<=\d )m(?!\p{L}|²)/u, 'km', 'mm'],
  [/m²/, 'hectares', 'km²'],
  [/(?<=\d )percent/, 'percentage points', '°C'],
  [/euros/, 'dollars', 'pounds'],
  [/square metre/, 'square kilometre'],
  [/litres/, 'millilitres', 'gallons'],
  [/(?<=two )weeks/, 'months', 'days'],
  [/(?<=\d )years/, 'months', 'days'],
  [/hours/, 'minutes', 'days'],
  [/per day/, 'per hour', 'per week'],
  [/(?<=\d )米/, '公里', '厘米'],
  [/%/, '个百分点', '倍'],
  [/分钟/, '小时', '秒钟'],
];
const DATES: Swaps = [
  [/2021/, '2019', '2012'],
  [/2022/, '2021', '2018'],
  [/2023/, '2020', '2013'],
  [/2024/, '2023', '2014'],
  [/1974/, '1947', '1984'],
  [/June/, 'May', 'October'],
  [/July/, 'June', 'January'],
  [/August/, 'April', 'September'],
  [/September/, 'October', 'March'],
  [/May/, 'March', 'December'],
  [/(?<= )[57] 月/, '3 月', '11 月'],
  [/15:00/, '14:00', '11:30'],
  [/23:00/, '22:00', '01:00'],
  [/16:00/, '10:00', '17:30'],
  [/18:00/, '20:00', '19:30'],
];
const NAMES: Swaps = [
  [/Fernbrook/, 'Ashford', 'Millbrook', 'Elmstead'],
  [/Station Road/, 'Harbour Road', 'Alder Street', 'Victoria Road'],
  [/Market Square/, 'Castle Square', 'Trafalgar Square', 'Kingsway'],
  [/Quay Street/, 'Dock Street', 'River Lane'],
  [/(?<=and )Station/, 'Hospital', 'Cathedral'],
  [/Linux/, 'Windows', 'Solaris'],
  [/macOS/, 'FreeBSD', 'iOS'],
  [/EBADENGINE/, 'EACCES', 'ENOENT'],
  [/Node/, 'Deno', 'Python'],
  [/磨坊路/, '车站路', '桤木街'],
];
/** Negations and antonyms. */
const NEGATIONS: Swaps = [
  [/(?<= )(was|were|is|are|have|has|should)(?! not)(?= )/, '$1 not', '$1 never'],
  [/ did not change/, ' changed'],
  [/was not found/, 'was found'],
  [/do not recommend/, 'recommend'],
  [/no cooler/, 'cooler'],
  [/no weather/, 'a weather'],
  [/cooler/, 'warmer'],
  [/at most/, 'at least'],
  [/at least/, 'at most'],
  [/less than/, 'more than'],
  [/Below/, 'Above'],
  [/above/, 'below'],
  [/fell(?!\p{L})/u, 'rose', 'did not fall'],
  [/ got /, ' did not get '],
  [/(?<!\p{L}) cost /u, ' did not cost '],
  [/ used /, ' did not use '],
  [/ ended /, ' did not end '],
  [/ lowered /, ' did not lower ', ' raised '],
  [/ starts /, ' does not start '],
  [/ holds /, ' does not hold '],
  [/ takes /, ' does not take '],
  [/ answered /, ' did not answer '],
  [/ avoid /, ' do not avoid '],
  [/ asked /, ' did not ask '],
  [/ live /, ' do not live '],
  [/ sleep badly /, ' do not sleep badly '],
  [/会/, '不会'],
  [/不需要/, '需要'],
  [/(?<!不)需要/, '不需要'],
  [/更有用/, '更没有用'],
  [/最大/, '最小'],
  [/消失/, '不消失'],
  [/(?<=比深色沥青|气温只)低/, '高'],
  [/行人多/, '行人少'],
  [/觉得/, '不觉得'],
];
const INVENTED = [
  'no town can afford to wait any longer',
  'the cheapest measure is the one nobody notices',
  'a street without people has no climate at all',
  'we would not do it again',
  'the results surprised even the engineers',
  'every tree is worth a hundred sensors',
];
const INVENTED_CHINESE = ['没有人会怀念柏油', '我们不会再做一次', '街道属于所有人', '结果令工程师吃惊'];
const NUMBER_WORDS: Swaps = [
  [/\b(?:[Ff]ive|[Tt]wo|seven)\b/, 'eleven', 'six', 'three'],
  [/(?<=A|a) (?:third|fifth)/, ' quarter', ' tenth'],
  [/[四六八](?=[个篇])/, '九', '三'],
];

/**
 * Plants errors of all kinds in turn, each once, and fewer of a kind if the drafts have no more suitable
 * places.
 */
export function plantErrors(
  drafts: Draft[],
  texts: Map<string, string>,
  count: number,
  seed: number,
): PlantedError[] {
  const random = seededRandom(seed);
  const pools = ERROR_KINDS.map((kind) => shuffled(allErrors(kind, drafts, texts, random), random));
  const planted: PlantedError[] = [];
  for (let turn = 0; planted.length < count && pools.some((pool) => pool.length > 0); turn++) {
    const next = pools[turn % pools.length]?.pop();
    if (next !== undefined) planted.push(next);
  }
  return planted;
}

function allErrors(
  kind: ErrorKind,
  drafts: Draft[],
  texts: Map<string, string>,
  random: () => number,
): PlantedError[] {
  return drafts.flatMap(({ source, sentences }) =>
    sentences.flatMap((original): PlantedError[] => {
      if (kind === 'swapped source') {
        const others = drafts.filter(
          (other) => other.source !== source && isChinese(other) === isHan(original),
        );
        return others.map((other) => ({ kind, source: other.source, original, sentence: original }));
      }
      const changed = changedSentences(kind, original, texts.get(source) ?? '', random);
      return [...new Set(changed)].map((sentence) => ({ kind, source, original, sentence }));
    }),
  );
}

function changedSentences(kind: ErrorKind, sentence: string, text: string, random: () => number): string[] {
  if (kind === 'number') return [...changedNumbers(sentence, text, random), ...swap(sentence, NUMBER_WORDS)];
  if (kind === 'unit') return swap(sentence, UNITS);
  if (kind === 'date') return swap(sentence, DATES);
  if (kind === 'name') return swap(sentence, NAMES);
  if (kind === 'negation') return swap(sentence, NEGATIONS);
  return isHan(sentence)
    ? INVENTED_CHINESE.map((words) => `${sentence.slice(0, -1)}，作者写道：“${words}”。`)
    : INVENTED.map((words) => `${sentence.slice(0, -1)}: “${words}”.`);
}

function swap(sentence: string, swaps: Swaps): string[] {
  return swaps.flatMap(([from, ...to]) =>
    from.test(sentence) ? to.map((word) => sentence.replace(from, word)) : [],
  );
}

/** Matches numbers that count something, not years, times, or parts of names. */
const COUNTED = /(?<![\d:.,\p{L}-])(?!(?:19|20)\d\d(?!\d))\d+(?:[.,]\d+)?(?![\d:])/gu;
const CHANGES = 6;

/** Returns other values for each number that don't occur in the source. */
function changedNumbers(sentence: string, text: string, random: () => number): string[] {
  return [...sentence.matchAll(COUNTED)].flatMap(({ 0: digits, index }) =>
    Array.from({ length: CHANGES }, () => otherDigits(digits, random))
      .filter((other) => other !== digits && !text.includes(other))
      .map((other) => sentence.slice(0, index) + other + sentence.slice(index + digits.length)),
  );
}

function otherDigits(digits: string, random: () => number): string {
  const at = Math.floor(random() * digits.length);
  const digit = digits.charAt(at);
  if (!/\d/.test(digit)) return digits;
  const other = (Number(digit) + 1 + Math.floor(random() * 8)) % 10;
  return digits.slice(0, at) + (at === 0 && other === 0 ? 5 : other) + digits.slice(at + 1);
}

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function isChinese({ sentences }: Draft): boolean {
  return sentences.every(isHan);
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
