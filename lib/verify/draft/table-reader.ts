import { type Cell, mayNameColumns, type Row, type SaidRow, saidRows } from './tables.ts';

type Merged = Omit<Cell, 'text'>;

interface OpenCell<Piece> extends Merged {
  contents: ({ piece: Piece } | { table: OpenRow<Piece>[] })[];
}

interface OpenRow<Piece> extends Omit<Row, 'cells'> {
  cells: OpenCell<Piece>[];
}

interface Readers<Piece> {
  textOf(piece: Piece): string;
  /** Whether all of a piece stands out, as the first row of a table whose header isn't marked. */
  isBold?(piece: Piece): boolean;
  /** Gets a piece that is in no row, in its order. */
  onPiece(piece: Piece, inTable: boolean): void;
  /** Gets the pieces of each cell that has some. */
  onRow(cells: Piece[][], row: SaidRow): void;
}

/** Joins the pieces of a document (its paragraphs) to rows, by the events of its tables. */
export function tableReader<Piece>(readers: Readers<Piece>) {
  const open: OpenRow<Piece>[][] = [];
  const row = () => open.at(-1)?.at(-1);
  const cell = () => row()?.cells.at(-1);
  return {
    openTable: () => void open.push([]),
    openRow: () => void open.at(-1)?.push({ cells: [], isHeader: false }),
    /** The row that is open names the columns. */
    markHeader: () => void Object.assign(row() ?? {}, { isHeader: true }),
    openCell: (merged: Partial<Merged> = {}) =>
      void row()?.cells.push({ ...{ contents: [], columns: 1, rows: 1 }, ...merged }),
    /** What the cell that is open is merged with. */
    merge: (merged: Partial<Merged>) => void Object.assign(cell() ?? {}, merged),
    add(piece: Piece) {
      const own = cell();
      if (own === undefined) readers.onPiece(piece, open.length > 0);
      else own.contents.push({ piece });
    },
    closeTable() {
      const table = open.pop();
      const outer = cell();
      if (table === undefined) return;
      if (outer === undefined) write(readers, table);
      else outer.contents.push({ table });
    },
  };
}

function write<Piece>(readers: Readers<Piece>, rows: OpenRow<Piece>[]): void {
  const read = rows.map((row) => asRead(readers, row));
  const [first] = read;
  if (first !== undefined && isBoldHeader(readers, rows, read)) first.isHeader = true;
  const found = saidRows(read);
  for (const [at, row] of rows.entries()) {
    const known = found[at];
    if (known === undefined) writePieces(readers, row);
    else writeRow(readers, row, known);
  }
}

function asRead<Piece>(readers: Readers<Piece>, row: OpenRow<Piece>): Row {
  const cells = row.cells.map((cell) => {
    const { columns, rows, merged } = cell;
    return { columns, rows, merged, text: piecesOf(readers, cell).map(readers.textOf).join(' ') };
  });
  return { ...row, cells };
}

function isBoldHeader<Piece>(readers: Readers<Piece>, rows: OpenRow<Piece>[], read: Row[]): boolean {
  const { isBold } = readers;
  if (isBold === undefined || rows.some(({ isHeader }) => isHeader)) return false;
  const [first = [], ...below] = read.map(({ cells }) => cells.map(({ text }) => text.trim()));
  const isBoldRow = ({ cells }: OpenRow<Piece>) =>
    cells.flatMap((cell) => piecesOf(readers, cell)).every((piece) => isBold(piece));
  return (
    rows.slice(0, 1).every(isBoldRow) && !rows.slice(0, 2).every(isBoldRow) && mayNameColumns(first, below)
  );
}

function piecesOf<Piece>({ textOf }: Readers<Piece>, { contents }: OpenCell<Piece>): Piece[] {
  const pieces = contents.flatMap((content) => ('piece' in content ? [content.piece] : []));
  return pieces.filter((piece) => textOf(piece).trim() !== '');
}

function writePieces<Piece>(readers: Readers<Piece>, { cells }: OpenRow<Piece>): void {
  for (const content of cells.flatMap(({ contents }) => contents)) {
    if ('table' in content) write(readers, content.table);
    else readers.onPiece(content.piece, true);
  }
}

/** The tables in a row follow it. */
function writeRow<Piece>(readers: Readers<Piece>, { cells }: OpenRow<Piece>, known: SaidRow): void {
  const own = cells.map((cell) => piecesOf(readers, cell)).filter(({ length }) => length > 0);
  if (own.length > 0) readers.onRow(own, known);
  for (const content of cells.flatMap(({ contents }) => contents))
    if ('table' in content) write(readers, content.table);
}
