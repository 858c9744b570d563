import { type DateFact, readDates, saysDate } from './dates.ts';
import { type NameFact, namesAndWords, readNames, saysName, type Words } from './names.ts';
import { blank, type Quantity, readNumbers, saysQuantity } from './numbers.ts';
import { type PlaceFact, readPlaces, saysPlace } from './places.ts';

/** The longest sentence, and what is looked at of a quote. */
const MAX_LENGTH = 5000;

interface Facts {
  text: string;
  dates: DateFact[];
  quantities: Quantity[];
  places: PlaceFact[];
}

/**
 * The numbers, dates, names and places (`page 12`) of a sentence that stand in none of its quotes, as the sentence has them.
 * Each has to stand in one quote whole. A rounded number is another one, also after `about`: who writes from quotes can write
 * their number. What is no number, date or name, such as a negation, only a judge can tell.
 */
export function missingFacts(sentence: string, quotes: string[]): string[] {
  if (sentence.length > MAX_LENGTH) return [`${sentence.slice(0, 80)}…`]; // nobody can check that
  const { dates, quantities, places } = factsOf(sentence);
  const said = quotes.map((quote) => ({ ...factsOf(quote), words: namesAndWords(plain(quote)) }));
  const missing = [
    ...dates.filter((date) => !said.some((quote) => saysWholeDate(date, quote))),
    ...quantities.filter((one) => isClaimed(one) && !said.some((quote) => saysNumber(one, sentence, quote))),
    ...places.filter((place) => !said.some((quote) => saysPlace(place, quote.places))),
    ...namesOf(sentence).filter((name) => !said.some((quote) => saysName(name, quote.words))),
  ];
  return [...new Set(missing.map(({ text }) => text.trim()))];
}

/** Whether a text holds anything that `missingFacts` would look for. */
export function holdsFacts(sentence: string): boolean {
  return missingFacts(sentence, []).length > 0;
}

/** Full-width digits and signs as the narrow ones: each is one character, so places stay. */
function plain(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(/[０-９Ａ-Ｚａ-ｚ％．－～＋＄]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

function factsOf(raw: string): Facts {
  const text = plain(raw);
  const { dates, rest } = readDates(text);
  return { text, dates, quantities: readNumbers(withoutIdentifiers(rest)), places: readPlaces(rest) };
}

/** `GPT-4`, `v1.2.3`, `H2O`, `1.2.3`, `3D`: names, whose digits count nothing. */
const IDENTIFIER =
  /(?<![\p{L}\d])(?:(?!(?:USD|EUR|GBP|RMB|CNY)\d)[A-Za-z_][A-Za-z_.]*(?:-(?=\d))?\d[\w.]*(?:-\d[\w.]*)*|\d+(?:\.\d+){2,}(?![,\d])|(?<!\d\.)(?!\d+[eE]\d+(?!\w))\d+[A-Za-z]\d\w*|\d[A-Z](?![A-Za-z%])(?<![kKMBTVWJLCF]))/gu;

function withoutIdentifiers(text: string): string {
  let rest = text;
  for (const { 0: found, index } of text.matchAll(IDENTIFIER)) {
    if (!/^\d{1,3}(?:\.\d{3}){2,}$/.test(found)) rest = blank(rest, index, index + found.length);
  }
  return rest;
}

function namesOf(sentence: string): NameFact[] {
  const { rest } = readDates(plain(sentence));
  const versions = [...rest.matchAll(/(?<![\d.])\d+(?:\.\d+){2,}(?![\d,])/g)]
    .filter(([text]) => !/^\d{1,3}(?:\.\d{3}){2,}$/.test(text))
    .map(([text]) => ({ text, words: [text], exact: true }));
  const quantities = readNumbers(withoutIdentifiers(rest));
  const words = quantities.reduce((text, { start, end }) => blank(text, start, end), rest);
  return [...readNames(words), ...versions];
}

/** `one` is rarely a number, and `Second,` at the beginning counts arguments. */
function isClaimed({ text, start, value }: Quantity): boolean {
  if (value === 1 && /^(?:one|一|an?)$/i.test(text)) return false;
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

function saysNumber(one: Quantity, sentence: string, quote: Facts & { words: Words }): boolean {
  const isYear = one.units.length === 0 && quote.dates.some(({ year }) => year === one.value);
  return isYear || saysQuantity(one, sentence, quote);
}
