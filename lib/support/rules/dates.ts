import { readChineseNumber } from './number-words.ts';

export interface DateFact {
  text: string;
  start: number;
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(?<name>${MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`;
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?';
const YEAR = '(?<year>1\\d{3}|20\\d{2})';
const HAN_YEAR = '(?<year>[12]\\d{3}|[一二][〇零一二三四五六七八九]{3})';
const HAN_NUMBER = '\\d{1,2}|[一二三四五六七八九十]{1,3}';
const AROUND = { before: '(?<![\\p{L}\\d.-])', after: '(?![A-Za-z\\d])' };

/** Months of other languages, by their number; next to a day or a year only, because `Mars` and `mai` are more than that. */
const FOREIGN_MONTHS: string[] = [
  'januar|janvier|enero|gennaio|janeiro',
  'februar|février|febrero|febbraio|fevereiro',
  'märz|mars|marzo|março',
  'april|avril|abril|aprile',
  'mai|mayo|maggio|maio',
  'juni|juin|junio|giugno|junho',
  'juli|juillet|julio|luglio|julho',
  'august|août|agosto',
  'september|septembre|septiembre|setiembre|settembre|setembro',
  'oktober|octobre|octubre|ottobre|outubro',
  'november|novembre|noviembre|novembro',
  'dezember|décembre|diciembre|dicembre|dezembro',
];
const FOREIGN_MONTH = `(?<foreign>${FOREIGN_MONTHS.join('|')})(?!\\p{L})`;
const FOREIGN_DAY = '(?<!\\d)(?<day>0?[1-9]|[12]\\d|3[01])(?:\\.?[º°]|\\.|er)?';

/** The longer forms first: what one has read no other reads again. */
const FORMS = [
  `(?<!\\d)${HAN_YEAR}\\s?年\\s?(?<month>${HAN_NUMBER})\\s?月(?:\\s?(?<day>${HAN_NUMBER})\\s?[日号])?`,
  `(?<!\\d)(?<month>${HAN_NUMBER})\\s?月\\s?(?<day>${HAN_NUMBER})\\s?[日号]`,
  `(?<!\\d)${HAN_YEAR}\\s?年(?![前后来间])`,
  `(?<![\\d一二三四五六七八九十个])(?<month>${HAN_NUMBER})\\s?月(?!(?!份)[\\p{L}])`,
  `(?<![\\d.])${YEAR}([-/.])(?<month>0?[1-9]|1[0-2])\\2${DAY}(?!\\d|[-/]\\d)`,
  `${AROUND.before}${MONTH}\\s+${DAY}(?:\\s*,\\s*|\\s+)${YEAR}${AROUND.after}`,
  `${AROUND.before}(?:the\\s+)?${DAY}\\s+(?:of\\s+)?${MONTH}(?:\\s*,\\s*|\\s+)${YEAR}${AROUND.after}`,
  `${FOREIGN_DAY}\\s(?:de |d['’])?${FOREIGN_MONTH}(?:\\s(?:del? )?${YEAR}(?!\\d))?`,
  `(?<!\\p{L})${FOREIGN_MONTH}\\s(?:del? )?${YEAR}(?!\\d)`,
  `(?<![\\d.])${DAY}\\.(?<month>0?[1-9]|1[0-2])\\.${YEAR}(?![\\d.])`,
  `${AROUND.before}${MONTH}(?:\\s*,)?\\s+${YEAR}${AROUND.after}`,
  `(?<![\\d./-])${YEAR}-(?<month>0[1-9]|1[0-2])(?![\\d-])`,
  `${AROUND.before}${MONTH}\\s+${DAY}${AROUND.after}(?!\\s*[%])`,
  `${AROUND.before}(?:the\\s+)?${DAY}\\s+(?:of\\s+)?${MONTH}${AROUND.after}`,
  `(?<=\\b(?:in|since|until|of|by|from|to|late|early)\\s)${MONTH}${AROUND.after}`,
].map((form) => new RegExp(form, 'giu'));

/** The dates of a text, and the text with blanks in their place. */
export function readDates(text: string): { dates: DateFact[]; rest: string } {
  const dates: DateFact[] = [];
  let rest = text;
  for (const form of FORMS) {
    rest = rest.replace(form, (...found) => {
      const groups = found.at(-1) as Record<string, string | undefined>;
      const [start, whole] = [found.at(-3) as number, found[0] as string];
      dates.push({ text: text.slice(start, start + whole.length), start, ...readGroups(groups) });
      return ' '.repeat(whole.length);
    });
  }
  return { dates: dates.toSorted((a, b) => a.start - b.start), rest };
}

function readGroups({ year, month, name, foreign, day }: Record<string, string | undefined>) {
  return {
    year: readNumber(year),
    month:
      foreign !== undefined
        ? foreignMonth(foreign)
        : name === undefined
          ? readNumber(month)
          : monthNumber(name),
    day: readNumber(day),
  };
}

function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d/.test(text) ? Number.parseInt(text, 10) : readChineseNumber(text);
}

function foreignMonth(name: string): number {
  return FOREIGN_MONTHS.findIndex((names) => names.split('|').includes(name.toLowerCase())) + 1;
}

function monthNumber(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

/** Whether another date says all that this one says. */
export function saysDate(fact: DateFact, said: DateFact): boolean {
  return (['year', 'month', 'day'] as const).every(
    (field) => fact[field] === undefined || fact[field] === said[field],
  );
}
