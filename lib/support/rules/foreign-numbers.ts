import type { Language } from './language.ts';

/** Number words of other languages, except words with another common meaning (`un`, `neuf`, `sei`). */
const WORDS: Partial<Record<Language, [from: number, words: string][]>> = {
  de: [
    [2, 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn'],
    [17, 'siebzehn achtzehn neunzehn zwanzig'],
  ],
  fr: [
    [2, 'deux trois quatre cinq six sept huit'],
    [10, 'dix onze douze treize quatorze quinze seize'],
    [20, 'vingt'],
  ],
  es: [
    [2, 'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis'],
    [17, 'diecisiete dieciocho diecinueve veinte'],
  ],
  it: [
    [2, 'due tre quattro cinque'],
    [7, 'sette otto nove dieci undici dodici tredici quattordici quindici'],
    [20, 'venti'],
  ],
  pt: [
    [2, 'dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze'],
    [20, 'vinte'],
  ],
  nl: [
    [2, 'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien'],
    [20, 'twintig'],
  ],
};
const TENS: Partial<Record<Language, string>> = {
  de: 'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  es: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  it: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
};

const VALUES = Object.fromEntries(
  Object.entries(WORDS).map(([language, rows]) => {
    const small = rows.flatMap(([from, words]) =>
      words.split(' ').map((word, at) => [word, from + at] as const),
    );
    const tens = (TENS[language as Language]?.split(' ') ?? []).map(
      (word, at) => [word, 30 + 10 * at] as const,
    );
    return [language, new Map([...small, ...tens])];
  }),
) as Partial<Record<Language, Map<string, number>>>;

const PATTERNS = new Map(
  Object.entries(VALUES).map(([language, words]) => [
    language,
    new RegExp(
      `(?<![\\p{L}\\p{N}'’-])(?:${[...words.keys()].join('|')})(?![\\p{L}\\p{N}'’-]|\\s(?:cents?|mille|mil|mila|hundert|tausend|honderd|duizend|million|millone|milliard|et|y|étoile))`,
      'giu',
    ),
  ]),
);

export function foreignNumber(language: Language | undefined): RegExp | undefined {
  return language === undefined ? undefined : PATTERNS.get(language);
}

export function readForeignNumber(word: string, language: Language): number {
  return VALUES[language]?.get(word.toLowerCase()) ?? Number.NaN;
}
