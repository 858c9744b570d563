/** A piece of a line without a wide gap. Positions are in points from the lower left corner. */
export interface TextPiece {
  text: string;
  left: number;
  right: number;
  /** The baseline. */
  y: number;
  height: number;
}

/** A row of a table: its pieces, and the texts of its cells. Missing cells are empty. */
export interface PageRow<One extends TextPiece> {
  pieces: One[];
  cells: string[];
}

interface Row<One extends TextPiece> {
  y: number;
  pieces: One[];
}

interface Column {
  left: number;
  right: number;
}

/** The maximum distance of two baselines of one line, in heights of letters. */
const SAME_LINE = 0.4;
/** The maximum number of pieces that are drawn between two cells of a row. Columns of prose are drawn one after the other. */
const MAX_BETWEEN = 10;
/** The maximum distance of two rows, in heights of letters. */
const MAX_ROW_STEP = 4;
/** The maximum number of lines in sequence that have one piece only: a title in the table, or the rest of a cell. */
const MAX_SINGLE = 2;
const MIN_ROWS = 3;
/** Limits the cost of a malicious file. */
const MAX_COLUMNS = 100;
/** The maximum share of rows whose text crosses the gap between two columns, as titles over several columns do. */
const MAX_CROSSING = 0.2;
/** Lines that are closer than this share of the usual distance belong to one row. */
const SAME_ROW = 0.75;
/** The minimum share of cells with text. */
const MIN_FILLED = 0.5;
/** The maximum usual length of a line in a cell. Longer ones are columns of prose. */
const MAX_LENGTH = 30;
/** A number or a sign at the start of each item is a list, not a column. */
const LIST_LABEL = /^\W*\w{0,3}\W*$/u;

/** Finds tables by their columns: gaps at the same place in consecutive rows. `pieces` are in drawing order. */
export function pageTables<One extends TextPiece>(pieces: One[]): PageRow<One>[][] {
  return blocksOf(rowsOf(pieces)).flatMap((block) => {
    const columns = columnsOf(block);
    if (columns.length < 2 || columns.length > MAX_COLUMNS) return [];
    const rows = joinRows(block).map((row) => ({ pieces: row.pieces, cells: cellsOf(row, columns) }));
    return isTable(rows) ? [rows] : [];
  });
}

function rowsOf<One extends TextPiece>(pieces: One[]): Row<One>[] {
  const rows: Row<One>[] = [];
  let recent: { row: Row<One>; last: number }[] = [];
  for (const [at, piece] of pieces.entries()) {
    recent = recent.filter(({ last }) => at - last <= MAX_BETWEEN);
    const open = recent.findLast(({ row }) => isBeside(row, piece));
    if (open === undefined) {
      const row = { y: piece.y, pieces: [piece] };
      rows.push(row);
      recent.push({ row, last: at });
    } else {
      open.row.pieces.push(piece);
      open.last = at;
    }
  }
  return rows.toSorted((one, other) => other.y - one.y);
}

function isBeside({ y, pieces: [first] }: Row<TextPiece>, piece: TextPiece): boolean {
  return Math.abs(y - piece.y) < SAME_LINE * Math.min(piece.height, first?.height ?? 0);
}

function isSingle({ pieces }: Row<TextPiece>): boolean {
  return pieces.length === 1;
}

/** Returns runs of rows, most of which have several pieces. */
function blocksOf<One extends TextPiece>(rows: Row<One>[]): Row<One>[][] {
  const blocks: Row<One>[][] = [[]];
  for (const row of rows) {
    const block = blocks.at(-1) ?? [];
    const before = block.at(-1);
    const isFar = before !== undefined && before.y - row.y > MAX_ROW_STEP * (row.pieces[0]?.height ?? 0);
    const isProse = isSingle(row) && block.slice(-MAX_SINGLE).filter(isSingle).length === MAX_SINGLE;
    if (isFar || isProse) blocks.push([]);
    if (!isSingle(row) || blocks.at(-1)?.length) blocks.at(-1)?.push(row);
  }
  return blocks
    .map(withoutTextBelow)
    .filter((block) => block.filter((row) => !isSingle(row)).length >= MIN_ROWS);
}

/** Removes lines below the last row, except the rest of its cells. */
function withoutTextBelow<One extends TextPiece>(block: Row<One>[]): Row<One>[] {
  const rows = block.slice(0, block.findLastIndex((row) => !isSingle(row)) + 1);
  const usual = usualStep(rows);
  for (const row of block.slice(rows.length)) {
    if ((rows.at(-1)?.y ?? 0) - row.y >= SAME_ROW * usual) break;
    rows.push(row);
  }
  return rows;
}

/** Returns the columns' edges: parts of the width that few rows leave empty. */
function columnsOf(rows: Row<TextPiece>[]): Column[] {
  const full = rows.filter((row) => !isSingle(row));
  const edges = full.flatMap(({ pieces }) =>
    pieces.flatMap(({ left, right }) => [
      { x: left, by: 1 },
      { x: Math.max(left, right), by: -1 },
    ]),
  );
  const most = full.length * MAX_CROSSING;
  const columns: Column[] = [];
  let covering = 0;
  for (const { x, by } of edges.toSorted((one, other) => one.x - other.x || other.by - one.by)) {
    const wasOpen = covering > most;
    covering += by;
    if (!wasOpen && covering > most) columns.push({ left: x, right: x });
    const column = columns.at(-1);
    if (wasOpen && covering <= most && column !== undefined) column.right = x;
  }
  return columns;
}

/** Joins lines that are closer than rows usually are: the lines of one cell. */
function joinRows<One extends TextPiece>(rows: Row<One>[]): Row<One>[] {
  const usual = usualStep(rows);
  const joined: Row<One>[] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    if (before !== undefined && before.y - row.y < SAME_ROW * usual) {
      before.pieces.push(...row.pieces);
      before.y = row.y;
    } else joined.push({ y: row.y, pieces: [...row.pieces] });
  }
  return joined;
}

function usualStep(rows: Row<TextPiece>[]): number {
  return middle(rows.slice(1).map(({ y }, at) => (rows[at]?.y ?? 0) - y));
}

function cellsOf({ pieces }: Row<TextPiece>, columns: Column[]): string[] {
  const cells = columns.map((): string[] => []);
  for (const piece of pieces.toSorted((one, other) => other.y - one.y || one.left - other.left)) {
    const overlaps = columns.map((column) => overlapOf(piece, column));
    cells[overlaps.indexOf(Math.max(...overlaps))]?.push(piece.text.trim());
  }
  return cells.map((texts) => texts.join(' '));
}

function overlapOf(one: Column, other: Column): number {
  return Math.min(one.right, other.right) - Math.max(one.left, other.left);
}

function isTable(rows: PageRow<TextPiece>[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  const filled = cells.filter((cell) => cell !== '').length;
  if (rows.length < MIN_ROWS || filled < cells.length * MIN_FILLED) return false;
  const lengths = rows.flatMap(({ pieces }) => pieces.map(({ text }) => text.length));
  if (middle(lengths) > MAX_LENGTH) return false;
  const labeled = rows.filter(({ cells: [first = ''] }) => LIST_LABEL.test(first));
  return (rows[0]?.cells.length ?? 0) > 2 || labeled.length < rows.length / 2;
}

function middle(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
