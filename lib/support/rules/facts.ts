import { LRUCache } from 'lru-cache';
import type { FindingRule } from '../../api-contract/findings.ts';
import { foldText } from '../../api-contract/fold-text.ts';
import { blankAll, placed } from './blank-all.ts';
import { type DateFact, readDates, saysDate } from './dates.ts';
import { deniedOtherwise } from './denials.ts';
import { isDerived } from './derived.ts';
import { disownedIn } from './disowned.ts';
import { certainNames, otherNouns } from './german-names.ts';
import { type Language, languageOf } from './language.ts';
import { misplacedValues } from './misplaced.ts';
import { type NameFact, namesAndWords, readNames, saysName, type Words } from './names.ts';
import { readNumbers, saysQuantity } from './numbers.ts';
import { once } from './once.ts';
import { missingFractions, turnedPairs } from './order.ts';
import { isYearWithin, type PeriodFact, readPeriods, saysPeriod } from './periods.ts';
import { type PlaceFact, readPlaces, saysPlace } from './places.ts';
import { plainDigits } from './plain-digits.ts';
import { otherQuantifiers } from './quantifiers.ts';
import type { Quantity } from './quantity.ts';
import { otherMultitudes, otherRanks, turnedDirections } from './rivals.ts';
import { sentencesIn } from './same-words.ts';
import { withUnitsOfColumns } from './table-rows.ts';
import type { Turned } from './turned.ts';
import { turnedAmounts } from './turned-amounts.ts';
import { CURRENCY_CODES, factorBetween } from './units.ts';
import { otherKatakana, unspacedNames } from './unspaced-names.ts';

/** The maximum number of characters to read of a sentence, and of a quote. */
const MAX_LENGTH = 5000;

/**
 * The kinds of facts. `contradiction` means that the quotes state something else; `doubt`, that they may, or
 * that they may state the same in other words.
 */
export type FactKind = 'number' | 'unit' | 'date' | 'name' | 'contradiction' | 'doubt';

export interface MissingFact {
  kind: FactKind;
  /** The fact in the words of the sentence, with plain digits. */
  text: string;
  /** The rule that found the contradiction in the quotes. */
  rule?: FindingRule;
  /** The words of a quote in place of the fact. */
  found?: string;
}

/**
 * Returns the facts of a sentence that its quotes lack or contradict (`FactsReader`), in the words of the
 * sentence.
 */
export function missingFacts(sentence: string, quotes: string[]): string[] {
  return readFacts(sentence)
    .findMissing(quotes)
    .map(({ text }) => text);
}

/** A sentence that is parsed once and compared with several sets of quotes. */
export interface FactsReader {
  /** The kinds of facts in the sentence. */
  kinds: ReadonlySet<FactKind>;
  /**
   * Returns the facts that the quotes lack: numbers, dates, periods, names, and places (`page 12`), each of
   * which must be in a single quote; and facts that the quotes contradict (`rose`, `not safe`, `5 of 10`). A
   * rounded number is a different number, even after `about`, because the writer could have written the
   * quote's number. A numeral that isn't understood counts as missing. Only a judge can check the rest of a
   * sentence. `near` are texts next to the quotes: their rows and sentences show whether a fact in the quotes
   * is about something else.
   */
  findMissing(quotes: string[], near?: string[]): MissingFact[];
  /** Returns whether a quote neither lacks nor contradicts any fact. Stops at the first such fact. */
  isIn(quote: string): boolean;
  /**
   * Returns the facts that texts around the quotes lack too; these texts can't contradict. The parts of a
   * name or date may be apart there: the year of `4 March` in a heading, or the first name of `Reyes` in the
   * previous sentence.
   */
  findLackingAround(texts: string[]): MissingFact[];
}

/** A sentence is compared with each passage that may contain its place, and then with all its quotes. */
const readers = new LRUCache<string, FactsReader>({ max: 100 });

export function readFacts(sentence: string): FactsReader {
  if (sentence.length > MAX_LENGTH) return tooLong(sentence);
  const reader = readers.get(sentence) ?? readSentence(sentence);
  readers.set(sentence, reader);
  return reader;
}

function readSentence(sentence: string): FactsReader {
  const own = new Facts(sentence, { isQuote: false, language: undefined });
  const isGerman = once(() => own.language === 'de');
  const names = once(() => (isGerman() ? certainNames(namesOf(own)) : namesOf(own)));
  const unspaced = once(() => unspacedNames(own.text));
  const lackingIn = function* (said: Facts[]): Iterable<MissingFact> {
    yield* missingNumbers(own, said);
    const texts = said.map(({ text }) => text);
    const isMissing = (name: NameFact) => !said.some(({ words }) => saysName(name, words));
    for (const name of names()) if (isMissing(name)) yield { kind: 'name', text: name.text };
    const missingNames = [
      ...unspaced().filter((name) => !texts.some((quote) => quote.includes(name))),
      ...otherKatakana(own.text, texts),
      ...(isGerman() ? otherNouns(own.text, texts) : []),
    ];
    yield* missingNames.map(asKind('name'));
  };
  const readAll = (quotes: string[]) => quotes.map((quote) => readQuote(quote, own.language));
  const missingIn = function* (quotes: string[], near: string[] = []): Generator<MissingFact> {
    const said = readAll(quotes);
    const isCopy = isCopied(own, said);
    if (!isCopy) yield* lackingIn(said);
    const around = near.length > 0 ? readAll(near) : said;
    const isCopyOfNear = around === said ? isCopy : isCopied(own, around);
    if (!isCopyOfNear) yield* misplacedIn(own, around);
    yield* turned(own, said, isCopy).map(asMissing);
  };
  const findMissing = (quotes: string[], near?: string[]) => eachOnce(missingIn(quotes, near));
  const findLackingAround = (texts: string[]) => {
    const said = readAll(texts);
    const there = {
      words: new Set(said.flatMap(({ words }) => [...words.words])),
      names: said.flatMap(({ words }) => words.runs),
      dates: said.flatMap(({ dates }) => dates),
    };
    return eachOnce(lackingIn(said)).filter((fact) => !isPutTogether(fact, there));
  };
  const kinds = once(() => {
    const held = findMissing([]).map(({ kind }) => kind);
    const hasUnit = own.quantities.some(({ units }) => units.length > 0);
    return new Set([...held, ...(hasUnit ? (['unit'] as const) : [])]);
  });
  return {
    get kinds() {
      return kinds();
    },
    findMissing,
    isIn: (quote) => missingIn([quote]).next().done === true,
    findLackingAround,
  };
}

/** Reports a sentence that is too long to read as missing as a whole. */
function tooLong(sentence: string): FactsReader {
  const missing: MissingFact[] = [{ kind: 'number', text: `${sentence.slice(0, 80)}…` }];
  return {
    kinds: new Set(['number']),
    findMissing: () => missing,
    isIn: () => false,
    findLackingAround: () => missing,
  };
}

interface There {
  words: Set<string>;
  /** The names with several words. */
  names: string[][];
  dates: DateFact[];
}

/** Matches digits and signs. A name that contains one of them must match as a whole. */
const IS_WHOLE = /[\d/_`]/u;

/**
 * Returns whether `Elena` and `Reyes` make `Elena Reyes`, unless every Reyes in the text has another first
 * name.
 */
function isPutTogether({ kind, text }: MissingFact, { words, names, dates }: There): boolean {
  if (kind !== 'name' && kind !== 'date') return false;
  const own = namesAndWords(text);
  if (![...own.words].every((word) => words.has(word))) return false;
  if (kind === 'date') return saysInParts(text, dates);
  const [name = []] = own.runs;
  const alike = name.length === 2 ? names.filter((other) => other.length === 2 && other[1] === name[1]) : [];
  return !IS_WHOLE.test(text) && (alike.length === 0 || alike.some((other) => other.includes(name[0] ?? '')));
}

/**
 * Returns whether a text contains the parts of a date. The year may be in a heading, but day and month must
 * be next to each other.
 */
function saysInParts(text: string, dates: DateFact[]): boolean {
  const [{ year: _, ...day } = { text, start: 0 }] = readDates(text).dates;
  return day.day === undefined || dates.some((other) => other.year === undefined && saysDate(day, other));
}

/**
 * Cached, because sentences of an answer share their quotes and the text around these. An entry takes some
 * ten bytes per character.
 */
const readQuotes = new LRUCache<string, Facts>({
  maxSize: 250_000, // in characters
  sizeCalculation: ({ text }) => text.length + 100,
});

function readQuote(text: string, language: Language | undefined): Facts {
  const key = `${language ?? ''} ${text}`;
  const known = readQuotes.get(key);
  if (known !== undefined) return known;
  const read = new Facts(text, { isQuote: true, language });
  readQuotes.set(key, read);
  return read;
}

function asMissing({ isCertain, ...turned }: Turned): MissingFact {
  return { ...turned, kind: isCertain ? 'contradiction' : 'doubt' };
}

function asKind(kind: FactKind): (text: string) => MissingFact {
  return (text) => ({ kind, text });
}

/**
 * Returns each fact once. A fact of another row is kept in addition: it is near the quotes, but belongs to
 * something else.
 */
function eachOnce(missing: Iterable<MissingFact>): MissingFact[] {
  const byText = new Map<string, MissingFact>();
  for (const fact of missing) {
    const text = fact.text.trim();
    const key = `${fact.rule === 'other_row'} ${text}`;
    const known = byText.get(key);
    if (known === undefined || known.kind === 'doubt') byText.set(key, { ...fact, text });
  }
  return [...byText.values()];
}

/** Returns whether a text contains anything that `missingFacts` looks for. */
export function holdsFacts(sentence: string): boolean {
  return readFacts(sentence).kinds.size > 0;
}

function missingNumbers(own: Facts, said: Facts[]): MissingFact[] {
  const { dates, periods, quantities, places, unread } = own;
  const textsOf = (facts: { text: string }[]) => facts.map(({ text }) => text);
  const known = {
    text: own.text,
    quantities: quantities.filter((one) => said.some((quote) => saysNumber(one, own.text, quote))),
    dates: dates.filter((date) => said.some((quote) => saysWholeDate(date, quote))),
  };
  const isMissing = (one: Quantity) =>
    isClaimed(one) && !isRestated(one, own) && !known.quantities.includes(one) && !isDerived(one, known);
  return [
    ...textsOf(dates.filter((date) => !known.dates.includes(date))).map(asKind('date')),
    ...textsOf(periods.filter((period) => !said.some((quote) => saysWholePeriod(period, quote)))).map(
      asKind('date'),
    ),
    ...quantities
      .filter(isMissing)
      .map((one): MissingFact => ({ kind: isOtherUnit(one, said) ? 'unit' : 'number', text: one.text })),
    ...textsOf(places.filter((place) => !said.some((quote) => saysPlace(place, quote.places)))).map(
      asKind('number'),
    ),
    ...otherMultitudes(own.text, said).map(asKind('number')),
    ...missingFractions(own, said).map(asKind('number')),
    ...unread.filter((numeral) => !said.some(({ text }) => text.includes(numeral))).map(asKind('number')),
  ];
}

/** The maximum rounding of a restated amount, as a share of it. */
const ROUNDED = 0.05;

/** Returns whether the amount in parentheses restates the one before it, as in `50 feet (15 m)`. */
function isRestated({ start, value, units: [unit = ''] }: Quantity, { text, quantities }: Facts): boolean {
  if (text.charAt(start - 1) !== '(') return false;
  const before = quantities.findLast(({ end }) => end < start && /^\s?\($/.test(text.slice(end, start)));
  const factor = before && factorBetween(before.units[0] ?? '', unit);
  if (before === undefined || factor === undefined) return false;
  return Math.abs(before.value * factor - value) <= ROUNDED * value;
}

/** Returns whether a quote has the same number with another unit. */
function isOtherUnit({ units, value }: Quantity, said: Facts[]): boolean {
  return units.length > 0 && said.some(({ quantities }) => quantities.some((other) => other.value === value));
}

/**
 * Returns facts of the sentence that the quotes state differently, only ask about, or call false. The result
 * is certain only for numbers, and for sentences that are otherwise the same, because a paraphrase may use
 * opposite words (`failed to show`, `lost against`).
 */
function turned(own: Facts, said: Facts[], isCopy: boolean): Turned[] {
  const texts = said.map(({ text }) => text);
  const as = (rule: FindingRule, isCertain: boolean) => (text: string) => ({ rule, text, isCertain });
  const disowned = disownedIn(own.text, texts);
  const certain = disowned === undefined;
  const takenBack = disowned?.isSameWay ? [disowned.text].map(as('disowned', false)) : [];
  if (isCopy) return takenBack;
  const sentences = texts.flatMap(sentencesIn);
  const isPortuguese = [own, ...said].some(({ language }) => language === 'pt');
  return [
    ...turnedPairs(own, said).map(as('amounts_exchanged', certain)),
    ...otherRanks(own.text, texts).map(as('rank', false)),
    ...turnedDirections(own.text, texts).map(as('direction', false)),
    ...turnedAmounts(own.text, texts),
    ...otherQuantifiers(own.text, sentences),
    ...deniedOtherwise(own.text, sentences, isPortuguese),
    ...takenBack,
  ];
}

const BEFORE_SENTENCE = /(?:^|[^\p{L}\p{N},"“'’]|\d\.)\s*$/u;
const AFTER_SENTENCE = /^\s*(?:$|[^\p{Ll}\p{N},])/u;

/** Returns whether a quote contains all of a text verbatim, and not as a part of a longer sentence. */
function isCopied({ text: own }: Facts, said: Facts[]): boolean {
  const copy = spaced(own);
  return said.some(({ text }) => {
    const words = spaced(text);
    const at = words.indexOf(copy);
    const [before, after] = [words.slice(Math.max(0, at - 5), at), words.slice(at + copy.length)];
    return at !== -1 && BEFORE_SENTENCE.test(before) && AFTER_SENTENCE.test(after);
  });
}

function spaced(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Returns misplaced facts. Code alone is certain only about numbers that the sentence exchanges. */
function misplacedIn(own: Facts, said: Facts[]): MissingFact[] {
  return misplacedValues(own, said).map(({ text, found, isExchanged }) =>
    isExchanged
      ? { kind: 'contradiction', rule: 'amounts_exchanged', text }
      : { kind: 'doubt', rule: 'other_row', text, found },
  );
}

/** How a text is read: in its own language, or in the other text's language if its own is unknown. */
interface Reading {
  isQuote: boolean;
  language: Language | undefined;
}

/**
 * The facts of a text. Each kind is read when it is first needed, because most sentences have only some
 * kinds, and a verbatim copy needs none. The numbers of a period count only as that period, though in a quote
 * also as numbers.
 */
class Facts {
  readonly text: string;
  readonly #reading: Reading;
  readonly #language = once(() => languageOf(this.text) ?? this.#reading.language);
  readonly #dates = once(() => readDates(this.text));
  readonly #periods = once(() => readPeriods(this.#dates().rest, this.#reading));
  readonly #counted = once(() =>
    withoutIdentifiers(this.#reading.isQuote ? this.#dates().rest : this.#periods().rest),
  );
  readonly #quantities = once(() => this.#readQuantities());
  readonly #places = once(() => readPlaces(this.#dates().rest));
  readonly #words = once(() => namesAndWords(this.text));

  constructor(raw: string, reading: Reading) {
    this.text = spellOutCountries(plainDigits(foldText(raw.slice(0, MAX_LENGTH), { as: 'letters' }).text));
    this.#reading = reading;
  }

  get language(): Language | undefined {
    return this.#language();
  }
  get dates(): DateFact[] {
    return this.#dates().dates;
  }
  get periods(): PeriodFact[] {
    return this.#periods().periods;
  }
  get quantities(): Quantity[] {
    return this.#quantities();
  }
  get places(): PlaceFact[] {
    return this.#places();
  }
  /** The text without dates and periods. */
  get rest(): string {
    return this.#periods().rest;
  }
  get words(): Words {
    return this.#words();
  }
  /** Numerals that aren't understood. */
  get unread(): string[] {
    return this.#counted().match(/(?![〇\d])\p{N}+/gu) ?? [];
  }

  #readQuantities(): Quantity[] {
    const { text, language } = this;
    const numbers = readNumbers(this.#counted(), language);
    if (!this.#reading.isQuote) return numbers;
    return withUnitsOfColumns({ text, quantities: numbers }, language);
  }
}

/** Matches `GPT-4`, `v1.2.3`, `H2O`, `1.2.3`, `3D`: names whose digits aren't quantities. */
const IDENTIFIER = new RegExp(
  `(?<![\\p{L}\\d])(?:(?!(?:${CURRENCY_CODES})\\d)[A-Za-z_][A-Za-z_.]*(?:-(?=\\d))?\\d[\\w.]*(?:-\\d[\\w.]*)*|\\d+(?:\\.\\d+){2,}(?![,\\d])|(?<!\\d\\.)(?!\\d+[eE]\\d+(?!\\w))\\d+[A-Za-z]\\d\\w*|\\d[A-Z](?![A-Za-z%])(?<![kKMBTVWJL]))`,
  'gu',
);

function withoutIdentifiers(text: string): string {
  const found = [...text.matchAll(IDENTIFIER)].map(({ 0: name, index }) => placed(name, index));
  return blankAll(
    text,
    found.filter(({ text: name }) => !/^\d{1,3}(?:\.\d{3}){2,}$/.test(name)),
  );
}

function namesOf({ text: sentence, rest }: Facts): NameFact[] {
  const versions = [...rest.matchAll(/(?<![\d.])\d+(?:\.\d+){2,}(?![\d,])/g)]
    .filter(([text]) => !/^\d{1,3}(?:\.\d{3}){2,}$/.test(text))
    .map(([text]) => ({ text, words: [text], exact: true }));
  const words = blankAll(rest, readNumbers(withoutIdentifiers(rest)));
  return [...readNames(sentence, words), ...versions];
}

/** Matches numerals for two. `Les deux` means both, and `deux mille` isn't two. */
const TWO = /^(?:zwei|deux|dos|due|dois|twee)(?!\p{L})/iu;

/**
 * Returns whether a numeral counts. `one` is rarely a number, and `Second,` at the start numbers an argument.
 */
function isClaimed({ text, start, value, ordinal }: Quantity): boolean {
  if (value === 1 && !ordinal && /^(?:one|一|an?)$/i.test(text)) return false;
  if (value === 2 && TWO.test(text)) return false;
  return !(start === 0 && /^(?:second|third)$/i.test(text));
}

function saysWholeDate(date: DateFact, { text, dates, quantities }: Facts): boolean {
  if (dates.some((other) => saysDate(date, other))) return true;
  const isYear = date.month === undefined && date.year !== undefined;
  return (
    (isYear && quantities.some(({ value, units }) => value === date.year && units.length === 0)) ||
    text.toLowerCase().includes(date.text.toLowerCase())
  );
}

function saysWholePeriod(period: PeriodFact, { text, periods, dates, quantities }: Facts): boolean {
  const years = quantities.filter(({ units, digits }) => units.length === 0 && digits?.length === 4);
  if (dates.some(({ year }) => year !== undefined && isYearWithin(year, period))) return true;
  if (years.some(({ value }) => isYearWithin(value, period))) return true;
  return saysPeriod(period, periods) || text.toLowerCase().includes(period.text.toLowerCase());
}

/** Units of a rate in other words: a head with `a one year term` is `elected annually`. */
const EVERY: Record<string, RegExp> = {
  ...{ hour: /\bhourly\b/i, day: /\bdaily\b|每[天日]/i, week: /\bweekly\b|每周/i },
  ...{ month: /\bmonthly\b|每月/i, year: /\b(?:annual(?:ly)?|yearly)\b|每年/i },
};
/** Matches words for two, as in `a couple of dogs`. */
const SAYS_TWO = /\b(?:couple|pairs?|both|twins?)\b|(?<!\p{L})(?:beide[nrs]?|ambos|ambas)(?!\p{L})|[对双]/iu;
const SAYS_FIRST = /\bfirst\b|首|第一|最早|头一/iu;

function saysNumber(one: Quantity, sentence: string, quote: Facts): boolean {
  if (one.ordinal && one.value === 1 && SAYS_FIRST.test(quote.text)) return true;
  if (one.value === 2 && one.units.length === 0 && SAYS_TWO.test(quote.text)) return true;
  if (one.value === 1 && EVERY[one.units[0] ?? '']?.test(quote.text)) return true;
  const isYear = one.units.length === 0 && quote.dates.some(({ year }) => year === one.value);
  return isYear || saysQuantity(one, sentence, quote);
}

/**
 * Short forms of countries and unions, each with its other names. Only these are recognized, because most
 * two-letter words have several meanings.
 */
const COUNTRIES: Record<string, string> = {
  'United States':
    'U\\.S\\.A\\.|U\\.S\\.A|USA|U\\.S\\.|U\\.S|US(?!\\$| dollars?)|United States of America|EE\\. ?UU\\.|EEUU|Estados Unidos|États-Unis|Etats-Unis|Vereinigten? Staaten|Stati Uniti|Verenigde Staten',
  'United Kingdom':
    'U\\.K\\.|U\\.K|UK|Vereinigte[ns]? Königreichs?|Großbritannien|Royaume-Uni|Reino Unido|Regno Unito|Verenigd Koninkrijk',
  'European Union':
    'E\\.U\\.|EU|UE|Europäischen? Union|Union [Ee]uropéenne|Unión Europea|União Europeia|Unione [Ee]uropea|Europese Unie',
  'United Nations':
    'U\\.N\\.|UN|ONU|Vereinten? Nationen|Nations [Uu]nies|Naciones Unidas|Nações Unidas|Nazioni Unite|Verenigde Naties',
  'United Arab Emirates': 'U\\.A\\.E\\.|UAE|EAU|VAE',
  'Islamic State': 'ISIL|ISIS|Daesh|Islamic State (?:of Iraq|in Iraq) and (?:the Levant|Syria|al-Sham)',
  'Soviet Union': 'U\\.S\\.S\\.R\\.|USSR|UdSSR|URSS|Union soviétique|Unión Soviética',
  美国: '美利坚合众国|美利堅合眾國',
  中国: '中华人民共和国|中華人民共和國',
  英国: '大不列颠及北爱尔兰联合王国|联合王国',
  欧盟: '欧洲联盟|歐洲聯盟',
};

const COUNTRY_FORMS = Object.entries(COUNTRIES).map(
  ([name, forms]) =>
    [
      name,
      new RegExp(`(?<![\\p{Script=Latin}\\p{N}.@/_-])(?:${forms})(?![\\p{Script=Latin}\\p{N}@_-])`, 'gu'),
    ] as const,
);

/**
 * Returns a text in which each listed country has only one name. The period of a short form may also end the
 * sentence.
 */
function spellOutCountries(text: string): string {
  return COUNTRY_FORMS.reduce(
    (spelled, [name, form]) =>
      spelled.replace(form, (found, at: number, whole: string) =>
        found.endsWith('.') &&
        /^(?:\s+\p{Lu}|\s*$)/u.test(whole.slice(at + found.length, at + found.length + 9))
          ? `${name}.`
          : name,
      ),
    text,
  );
}
