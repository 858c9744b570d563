import type { Quantity } from './quantity.ts';

interface Said {
  text: string;
  quantities: Quantity[];
}

interface Row {
  start: number;
  end: number;
  /** The words of its first cell. */
  label: string[];
}

const ROW = /^[^|\n]*\|[^\n]*$/gmu;
const WORD = /[\p{L}\p{N}]+/gu;
const MAX_ROWS = 50;

/** Returns numbers that the quotes have only in rows of a table that the sentence doesn't name, where it names another row. */
export function misplacedNumbers(sentence: Said, quotes: Said[]): string[] {
  const tables = quotes.map((quote) => ({ quote, rows: rowsOf(quote.text) }));
  if (tables.every(({ rows }) => rows.length < 2)) return [];
  const named = new Set(wordsOf(sentence.text));
  const isNamed = ({ label }: Row) => label.length > 0 && label.every((word) => named.has(word));
  return sentence.quantities
    .filter(({ value }) => {
      const places = tables.flatMap(({ quote, rows }) =>
        quote.quantities
          .filter((other) => other.value === value)
          .map(({ start }) => ({ rows, row: rows.find((row) => row.start <= start && start < row.end) })),
      );
      const isElsewhere = ({ rows, row }: (typeof places)[number]) =>
        row !== undefined && !isNamed(row) && rows.some(isNamed);
      return places.length > 0 && places.every(isElsewhere);
    })
    .map(({ text }) => text);
}

function rowsOf(text: string): Row[] {
  return [...text.matchAll(ROW)].slice(0, MAX_ROWS).map(({ 0: line, index }) => {
    const [label = ''] = line.split('|').filter((cell) => cell.trim() !== '');
    return { start: index, end: index + line.length, label: wordsOf(label) };
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
