import type { DraftBlock } from './draft.ts';
import { type Cell, mayNameColumns, type Row, saidRows } from './tables.ts';

/** A row as its source has it, and where in `shown` its cells begin: each but the first behind a sign. */
interface SourceRow extends Pick<DraftBlock, 'start' | 'shown'> {
  cells: (Merged & { at: number })[];
}

type Merged = Pick<Cell, 'columns' | 'rows'>;

const UNMERGED: Merged = { columns: 1, rows: 1 };

const MAX_HEADERS = 3;

/** The rows of a table, by what its source says in their order. */
export function latexTable() {
  const rows: SourceRow[] = [];
  /** How many rows are before each rule. */
  const rules = new Set<number>();
  let cells: SourceRow['cells'] = [];
  let heads: SourceRow[] = [];
  const others: SourceRow[] = [];
  const reset = () => {
    cells = [{ at: 0, ...UNMERGED }];
  };
  reset();
  return {
    /** `at` counts from the beginning of the row. */
    openCell: (at: number) => void cells.push({ at, ...UNMERGED }),
    merge: (merged: Partial<Merged>) => void Object.assign(cells.at(-1) ?? {}, merged),
    endRow(row: Pick<DraftBlock, 'start' | 'shown'>) {
      if (row.shown.replace(/[\0|\s]+/g, '') !== '') rows.push({ ...row, cells });
      reset();
    },
    rule: () => void rules.add(rows.length),
    /** Ends what is above the rows of each page, where the first is the header, or below them. */
    endRepeated(isAbove: boolean) {
      rules.clear();
      const repeated = rows.splice(0);
      if (isAbove && heads.length === 0) heads = repeated;
      else for (const row of repeated) others.push(row);
    },
    finish(): DraftBlock[] {
      const headers = heads.length > 0 ? heads.length : headersAbove(rules, rows);
      return blocksOf(heads.concat(rows, withoutRepeated(others, heads)), headers);
    },
  };
}

/** In doubt, what is repeated on each page claims something. */
function withoutRepeated(rows: SourceRow[], heads: SourceRow[]): SourceRow[] {
  const known = new Set(heads.map((row) => textsOf(row).join('|')));
  return rows.filter((row) => !known.has(textsOf(row).join('|')));
}

/** A rule is below the header, where there isn't one below each row. In doubt, a row claims something. */
function headersAbove(rules: Set<number>, rows: SourceRow[]): number {
  const first = [...rules].find((at) => at > 0);
  if (first === undefined || first > MAX_HEADERS || first >= rows.length) return 0;
  const inner = rows.slice(1).map((_, at) => rules.has(at + 1));
  if (inner.length > 1 && inner.every(Boolean)) return 0;
  const below = rows.slice(first).map(textsOf);
  return rows.slice(0, first).every((row) => mayNameColumns(textsOf(row), below)) ? first : 0;
}

function blocksOf(rows: SourceRow[], headers: number): DraftBlock[] {
  const found = saidRows(withMerged(rows, headers));
  return rows.flatMap(({ start, shown, cells }, at): DraftBlock[] => {
    const row = found[at];
    if (row !== undefined)
      return [{ start, shown, ...row, ...(row.row === 'header' && { isHeading: true }) }];
    return placesOf(shown, cells).flatMap(({ from, to }) => {
      const own = shown.slice(from, to);
      return own.replaceAll('\0', '').trim() === '' ? [] : [{ start: start + from, shown: own }];
    });
  });
}

/** In LaTeX, an empty cell is below a cell of several rows. */
function withMerged(rows: SourceRow[], headers: number): Row[] {
  const left: number[] = [];
  return rows.map((row, at) => {
    let column = 0;
    const texts = textsOf(row);
    const cells = row.cells.map(({ columns, rows: height }, nth): Cell => {
      const text = texts[nth] ?? '';
      const continues = text === '' && (left[column] ?? 0) > 0;
      left[column] = continues ? (left[column] ?? 0) - 1 : height - 1;
      column += columns;
      return { text, columns, rows: 1, merged: continues ? 'continues' : 'starts' };
    });
    return { cells, isHeader: at < headers };
  });
}

function textsOf({ shown, cells }: SourceRow): string[] {
  return placesOf(shown, cells).map(({ from, to }) => shown.slice(from, to).replaceAll('\0', '').trim());
}

function placesOf(shown: string, cells: SourceRow['cells']): { from: number; to: number }[] {
  return cells.map(({ at }, nth) => ({ from: at, to: (cells[nth + 1]?.at ?? shown.length + 1) - 1 }));
}
