import type { DraftBuilder, DraftPiece } from './draft-builder.ts';
import { type Cell, mayNameColumns } from './tables.ts';

type LatexCell = DraftPiece & Pick<Cell, 'columns' | 'rows'>;

const UNMERGED = { columns: 1, rows: 1 };
const MAX_HEADERS = 3;

/** The rows of a table, by what its source says in their order. */
export function latexTable() {
  const rows: LatexCell[][] = [];
  /** How many rows are before each rule. */
  const rules = new Set<number>();
  let row: LatexCell[] = [];
  let merged = UNMERGED;
  let heads: LatexCell[][] = [];
  /** How many rows are repeated below those of each page. */
  let repeated = 0;
  return {
    /** What the cell that is open is merged with. */
    merge(given: Partial<typeof UNMERGED>) {
      merged = { ...merged, ...given };
    },
    endCell(piece: DraftPiece) {
      row.push({ ...piece, ...merged });
      merged = UNMERGED;
    },
    endRow() {
      if (row.some(({ text, notes = [] }) => text !== '' || notes.length > 0)) rows.push(row);
      row = [];
    },
    rule: () => void rules.add(rows.length),
    /** Ends what is above the rows of each page, where the first is the header, or below them. */
    endRepeated(isAbove: boolean) {
      rules.clear();
      if (isAbove && heads.length === 0) heads = rows.splice(repeated);
      repeated = rows.length;
    },
    write(draft: DraftBuilder) {
      const known = new Set(heads.map((head) => textsOf(head).join('|')));
      // In doubt, what is repeated on each page claims something.
      const others = rows.filter((other) => !known.has(textsOf(other).join('|')));
      const isPlain = heads.length === 0 && repeated === 0;
      writeRows(draft, [...heads, ...others], isPlain ? headersAbove(rules, rows) : heads.length);
    },
  };
}

export type LatexTable = ReturnType<typeof latexTable>;

/** A rule is below the header, where there isn't one below each row. In doubt, a row claims something. */
function headersAbove(rules: Set<number>, rows: LatexCell[][]): number {
  const first = [...rules].find((at) => at > 0);
  if (first === undefined || first > MAX_HEADERS || first >= rows.length) return 0;
  const inner = rows.slice(1).map((_, at) => rules.has(at + 1));
  if (inner.length > 1 && inner.every(Boolean)) return 0;
  const below = rows.slice(first).map(textsOf);
  return rows.slice(0, first).every((row) => mayNameColumns(textsOf(row), below)) ? first : 0;
}

function textsOf(row: LatexCell[]): string[] {
  return row.map(({ text }) => text);
}

/** In LaTeX, an empty cell is below a cell of several rows. */
function writeRows(draft: DraftBuilder, rows: LatexCell[][], headers: number): void {
  const left: number[] = [];
  const openCell = ({ text, columns, rows: height }: LatexCell, column: number) => {
    const rest = left[column] ?? 0;
    const continues = text === '' && rest > 0;
    left[column] = continues ? rest - 1 : height - 1;
    draft.openCell({ columns, merged: continues ? 'continues' : 'starts' });
    return column + columns;
  };
  draft.openTable();
  for (const [at, row] of rows.entries()) {
    draft.openRow();
    if (at < headers) draft.markHeader();
    let column = 0;
    for (const cell of row) {
      column = openCell(cell, column);
      draft.add(cell);
    }
  }
  draft.closeTable();
}
