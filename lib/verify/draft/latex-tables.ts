import type { DraftCell, DraftPiece, DraftRow } from './draft-builder.ts';
import { mayNameColumns } from './tables.ts';

export interface LatexCell extends DraftPiece {
  columns: number;
  rows: number;
}

const MAX_HEADERS = 3;

/** Collects the rows of a table from its source, read in order. */
export function latexTable() {
  const rows: LatexCell[][] = [];
  /** The number of rows before each rule. */
  const rules = new Set<number>();
  let row: LatexCell[] = [];
  let heads: LatexCell[][] = [];
  /** The number of rows repeated at the bottom of each page. */
  let repeated = 0;
  return {
    endCell: (cell: LatexCell) => void row.push(cell),
    endRow() {
      if (row.some(({ text, notes = [] }) => text !== '' || notes.length > 0)) rows.push(row);
      row = [];
    },
    rule: () => void rules.add(rows.length),
    /**
     * Ends the rows repeated at the top of each page (the first of which is the header), or those at the
     * bottom.
     */
    endRepeated(isAbove: boolean) {
      rules.clear();
      if (isAbove && heads.length === 0) heads = rows.splice(repeated);
      repeated = rows.length;
    },
    finish(): DraftRow[] {
      const known = new Set(heads.map((head) => textsOf(head).join('|')));
      // In doubt, a row that is repeated on each page contains a claim.
      const others = rows.filter((other) => !known.has(textsOf(other).join('|')));
      const isPlain = heads.length === 0 && repeated === 0;
      return mergedRows([...heads, ...others], isPlain ? headersAbove(rules, rows) : heads.length);
    },
  };
}

/**
 * Returns the number of header rows. A rule is below the header unless there is a rule below each row. In
 * doubt, a row contains a claim.
 */
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

/** Merges cells. In LaTeX, the cells below a cell that spans several rows are empty. */
function mergedRows(rows: LatexCell[][], headers: number): DraftRow[] {
  const left: number[] = [];
  return rows.map((row, at) => {
    let column = 0;
    const cells = row.map(({ columns, rows: height, ...piece }): DraftCell => {
      const rest = left[column] ?? 0;
      const continues = piece.text === '' && rest > 0;
      left[column] = continues ? rest - 1 : height - 1;
      column += columns;
      return { contents: [piece], columns, rows: 1, merged: continues ? 'continues' : 'starts' };
    });
    return { cells, isHeader: at < headers };
  });
}
