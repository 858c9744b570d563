import type { PlacedAnchor } from '../../formats/office/word-paragraphs.ts';
import { textLimit } from '../../formats/text-limit.ts';
import type { DraftBlock } from './draft.ts';
import { type Cell, mayNameColumns, type Row, type SaidRow, saidRows } from './tables.ts';

/** A paragraph of a document, as readers see it. */
export interface DraftPiece {
  text: string;
  isHeading?: true | undefined;
  /** Whether all of it is bold, like the first row of a table that has no marked header. */
  isBold?: boolean;
  /** Whether it is a list item, which follows the previous one without a gap. */
  isItem?: boolean;
  /** In Word, the places from which comments on its text may start. */
  anchors?: PlacedAnchor[];
  /** The notes that follow it. */
  notes?: DraftPiece[];
}

type Merged = Omit<Cell, 'text'>;

export interface DraftCell extends Merged {
  contents: (DraftPiece | DraftRow[])[];
  /** Whether it is a row of header cells only, which names the columns. */
  isHeader?: boolean;
}

export interface DraftRow extends Omit<Row, 'cells'> {
  cells: DraftCell[];
}

/**
 * Joins the pieces of a document into the text of a draft and its blocks, and the pieces of a table into
 * rows. Rows and items follow each other without an empty line. Throws Unreadable for too much text.
 */
export function draftBuilder(title: string) {
  const text = draftText(title);
  const open: DraftRow[][] = [];
  const row = () => open.at(-1)?.at(-1);
  const cell = () => row()?.cells.at(-1);
  const addTable = (table: DraftRow[]) => {
    const outer = cell();
    if (outer === undefined) writeTable(text, table);
    else outer.contents.push(table);
  };
  return {
    openTable: () => void open.push([]),
    openRow: () => void open.at(-1)?.push({ cells: [], isHeader: false }),
    /** Marks the open row as the one that names the columns. */
    markHeader: () => void Object.assign(row() ?? {}, { isHeader: true }),
    openCell: (merged: Partial<Omit<DraftCell, 'contents'>> = {}) =>
      void row()?.cells.push({ ...{ contents: [], columns: 1, rows: 1 }, ...merged }),
    /** Sets the cells that the open cell is merged with. */
    merge: (merged: Partial<Merged>) => void Object.assign(cell() ?? {}, merged),
    add(piece: DraftPiece) {
      const own = cell();
      if (own === undefined) text.add(piece, open.length > 0);
      else own.contents.push(piece);
    },
    addTable,
    closeTable() {
      const table = open.pop();
      if (table !== undefined) addTable(table);
    },
    finish: text.finish,
  };
}

export type DraftBuilder = ReturnType<typeof draftBuilder>;

type BlockKind = Omit<DraftBlock, 'start' | 'shown'>;

function draftText(title: string) {
  const count = textLimit(title);
  const blocks: DraftBlock[] = [];
  const anchors: PlacedAnchor[] = [];
  const written: string[] = [];
  let length = 0;
  let wasClose = false;
  const write = (piece: string) => {
    count(piece);
    written.push(piece);
    length += piece.length;
  };
  const addAnchor = (added: PlacedAnchor) => {
    const last = anchors.at(-1);
    if (last?.anchor !== added.anchor || last.isNote !== added.isNote) anchors.push(added);
  };
  /** Adds pieces as one block. Each comes with the separator before it. */
  const addBlock = (pieces: { before: string; piece: DraftPiece }[], isClose: boolean, kind: BlockKind) => {
    if (length > 0) write(isClose && wasClose ? '\n' : '\n\n');
    wasClose = isClose;
    const [start, from] = [length, written.length];
    for (const { before, piece } of pieces) {
      write(before);
      for (const { at, ...anchor } of piece.anchors ?? []) addAnchor({ at: length + at, ...anchor });
      write(piece.text);
    }
    blocks.push({ start, shown: written.slice(from).join(''), ...kind });
  };
  const add = (piece: DraftPiece, isClose = false) => {
    const { isHeading, isItem = false } = piece;
    if (piece.text.trim() !== '')
      addBlock([{ before: '', piece }], isClose || isItem, isHeading ? { isHeading } : {});
    addNotes(piece);
  };
  const addNotes = ({ notes = [] }: DraftPiece) => {
    for (const note of notes) add(note);
  };
  return {
    ...{ add, addNotes },
    addRow(cells: DraftPiece[][], known: SaidRow) {
      const pieces = cells.flatMap((cell, at) =>
        cell.map((piece, nth) => ({ before: nth > 0 ? ' ' : at > 0 ? ' | ' : '', piece })),
      );
      addBlock(pieces, true, { ...known, ...(known.row === 'header' && { isHeading: true }) });
    },
    finish: () => ({ text: written.join(''), blocks, anchors }),
  };
}

type DraftWriter = ReturnType<typeof draftText>;

function writeTable(text: DraftWriter, rows: DraftRow[]): void {
  const read = rows.map(({ cells, isHeader }) => ({
    cells: cells.map(asRead),
    isHeader: isHeader || cells.every((cell) => cell.isHeader),
  }));
  const [first] = read;
  if (first !== undefined && isBoldHeader(rows, read)) first.isHeader = true;
  const found = saidRows(read);
  for (const [at, row] of rows.entries()) writeRow(text, row, found[at]);
}

function asRead({ contents, ...merged }: DraftCell): Cell {
  const texts = piecesIn(contents).map(({ text }) => text);
  return { ...merged, text: texts.join(' ') };
}

/** Writes a row, followed by the notes and tables in it. */
function writeRow(text: DraftWriter, { cells }: DraftRow, known: SaidRow | undefined): void {
  const own = cells.map(({ contents }) => piecesIn(contents)).filter(({ length }) => length > 0);
  if (known !== undefined && own.length > 0) text.addRow(own, known);
  for (const content of cells.flatMap(({ contents }) => contents)) {
    if (Array.isArray(content)) writeTable(text, content);
    else if (known === undefined) text.add(content, true);
    else text.addNotes(content);
  }
}

function isBoldHeader(rows: DraftRow[], read: Row[]): boolean {
  if (read.some(({ isHeader }) => isHeader)) return false;
  const [isFirst = false, isSecond = false] = rows
    .slice(0, 2)
    .map(({ cells }) => cells.flatMap(({ contents }) => piecesIn(contents)).every(({ isBold }) => isBold));
  const [first = [], ...below] = read.map(({ cells }) => cells.map(({ text }) => text.trim()));
  return isFirst && !isSecond && rows.length > 1 && mayNameColumns(first, below);
}

function piecesIn(contents: DraftCell['contents']): DraftPiece[] {
  return contents.flatMap((content) =>
    Array.isArray(content) || content.text.trim() === '' ? [] : [content],
  );
}
