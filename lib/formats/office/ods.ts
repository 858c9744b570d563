import type { Attributes, XmlReader } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { onOneLine, type SheetText, sheetText } from '../sheets.ts';
import { factsIfReadable } from '../stated-facts.ts';
import type { ZipReader } from './archive.ts';
import { bothForms, numberText } from './numbers.ts';
import { CONTENT, openDocument } from './open-document.ts';
import { type OpenObjects, readOpenObjects } from './open-objects.ts';
import { readOpenRunning } from './open-running.ts';
import { readOpenProperties } from './properties.ts';
import { withComment } from './sheet-comments.ts';
import { byElement, readXml } from './xml.ts';

export const ods: Format<'ods', 'encoded'> = {
  name: 'ods',
  version: 2,
  title: 'ODS',
  extensions: ['ods', 'ots'],
  mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
  content: 'encoded',
  unit: 'sheet',
  emptyNote: 'The sheets of this workbook are empty.',
};

/**
 * Elements that aren't text in or over a cell: deleted text, forms, names of images, a comment's author and
 * date.
 */
const UNREAD = new Set('tracked-changes forms ruby-text title desc creator date date-string'.split(' '));
/** Drawings over a sheet, at a cell or at its start. */
const DRAWN = new Set(['frame', 'custom-shape', 'rect', 'ellipse', 'g', 'line', 'caption', 'annotation']);
const MAX_ROW = 16 * 1024 * 1024;
const MAX_COLUMN = 16 * 1024;

export async function decodeOds(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openDocument(engine, bytes, ods.title);
  const text = sheetText(ods.title);
  const objects = await readOpenObjects(archive);
  const running = await readOpenRunning(archive);
  await readXml(archive, CONTENT, readTables(text, objects, running));
  return {
    ...text.finish(),
    left: objects.left(),
    facts: await factsIfReadable(() => readOpenProperties(archive)),
  };
}

interface OpenCell {
  attributes: Attributes;
  shown: string;
  comment: string;
}

/** A table in a drawing isn't a sheet. */
const TABLE = /^(?:covered-)?table/;

/** Identical consecutive rows or cells are stored once, with a count. */
interface OpenRow {
  number: number;
  alike: number;
  columns: number;
  cells: { column: number; text: string }[];
}

/** Headers and footers belong to pages. All sheets share them, so they are read with the first sheet. */
function readTables(text: SheetText, objects: OpenObjects, running: string[]): XmlReader {
  let row: OpenRow = { number: 0, alike: 1, columns: 0, cells: [] };
  let cell: OpenCell | undefined;
  /** The open drawings, outermost first, and the paragraph in them. */
  const drawn: string[] = [];
  let line = '';
  const startCell = (attributes: Attributes) => {
    cell = { attributes, shown: '', comment: '' };
  };
  const endCell = () => {
    if (cell !== undefined) addCell(row, cell);
    cell = undefined;
  };
  const show = (characters: string) => {
    if (drawn.length > 0) line += characters;
    else if (cell !== undefined) cell.shown += characters;
  };
  const startLine = () => {
    show(' ');
    line = '';
  };
  const endLine = () => {
    if (drawn.includes('annotation') && cell !== undefined) cell.comment += ` ${line}`;
    else if (drawn.length > 0) text.line(row.number + 1, line);
  };
  const start = byElement<[Attributes]>({
    table: ({ name = '' }) => {
      text.sheet(name);
      for (const each of running.splice(0)) text.line(1, each);
      row = { number: 0, alike: 0, columns: 0, cells: [] };
    },
    'table-row': ({ 'number-rows-repeated': alike }) => {
      const number = row.number + row.alike;
      row = { number, alike: repeats(alike, MAX_ROW - number), columns: 0, cells: [] };
    },
    ...{ 'table-cell': startCell, 'covered-table-cell': startCell },
    ...{ p: startLine, s: () => show(' '), 'line-break': () => show(' ') },
    object: ({ href }) => {
      for (const each of objects.lines(href)) text.line(row.number + 1, each);
    },
  });
  const end = byElement({
    ...{ 'table-cell': endCell, 'covered-table-cell': endCell },
    ...{ 'table-row': () => writeRow(text, row), p: endLine },
  });
  return {
    skip: UNREAD,
    open(name, attributes) {
      if (DRAWN.has(name)) drawn.push(name);
      if (drawn.length === 0 || !TABLE.test(name)) start(name, attributes);
    },
    text: show,
    close(name) {
      if (drawn.length === 0 || !TABLE.test(name)) end(name);
      if (DRAWN.has(name)) drawn.pop();
    },
  };
}

function addCell(row: OpenRow, cell: OpenCell): void {
  const alike = repeats(cell.attributes['number-columns-repeated'], MAX_COLUMN - row.columns);
  const text = withComment(cellText(cell), onOneLine(cell.comment));
  for (let index = 1; text !== '' && index <= alike; index++)
    row.cells.push({ column: row.columns + index, text });
  row.columns += alike;
}

function writeRow(text: SheetText, { number, alike, cells }: OpenRow): void {
  for (let index = 1; cells.length > 0 && index <= alike; index++)
    for (const cell of cells) text.cell(number + index, cell.column, cell.text);
}

function repeats(attribute: string | undefined, most: number): number {
  return Math.max(0, Math.min(Number.parseInt(attribute ?? '1', 10) || 1, most));
}

/** Returns the value, which is unrounded and the same in every country, and its displayed form. */
function cellText({ attributes, shown }: OpenCell): string {
  const { 'value-type': type, value = '', 'date-value': date, 'boolean-value': truth } = attributes;
  if (type === 'date' && date !== undefined)
    return bothForms(date.replace('T', ' ').replace(/ 00:00:00$/, ''), shown);
  if (type === 'boolean' && truth !== undefined) return truth.toUpperCase();
  const isNumber = type === 'float' || type === 'percentage' || type === 'currency';
  const hasValue = Number.isFinite(Number.parseFloat(value));
  return isNumber && hasValue ? bothForms(numberText(Number(value)), shown) : shown.trim();
}
