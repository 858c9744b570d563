import type { Attributes, XmlReader } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { type SheetText, sheetText } from '../sheets.ts';
import type { ZipReader } from './archive.ts';
import { numberText } from './cells.ts';
import { CONTENT, openDocument } from './open-document.ts';
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

/** Elements that are not text of a cell: a comment's author, deleted text, a drawing over the sheet, its forms. */
const UNREAD = new Set(['annotation', 'tracked-changes', 'shapes', 'frame', 'forms', 'ruby-text']);
const MAX_ROW = 16 * 1024 * 1024;
const MAX_COLUMN = 16 * 1024;

export async function decodeOds(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openDocument(engine, bytes, ods.title);
  const text = sheetText(ods.title);
  await readXml(archive, CONTENT, readTables(text));
  return text.finish();
}

interface OpenCell {
  attributes: Attributes;
  shown: string;
}

/** A row or a cell that equals the next ones is stored once, with a number. */
interface OpenRow {
  number: number;
  alike: number;
  columns: number;
  cells: { column: number; text: string }[];
}

function readTables(text: SheetText): XmlReader {
  let row: OpenRow = { number: 0, alike: 0, columns: 0, cells: [] };
  let cell: OpenCell | undefined;
  const startCell = (attributes: Attributes) => {
    cell = { attributes, shown: '' };
  };
  const endCell = () => {
    if (cell !== undefined) addCell(row, cell);
    cell = undefined;
  };
  const show = (characters: string) => {
    if (cell !== undefined) cell.shown += characters;
  };
  return {
    skip: UNREAD,
    open: byElement<[Attributes]>({
      table: ({ name = '' }) => {
        text.sheet(name);
        row = { number: 0, alike: 0, columns: 0, cells: [] };
      },
      'table-row': ({ 'number-rows-repeated': alike }) => {
        const number = row.number + row.alike;
        row = { number, alike: repeats(alike, MAX_ROW - number), columns: 0, cells: [] };
      },
      'table-cell': startCell,
      'covered-table-cell': startCell,
      p: () => show(' '),
      s: () => show(' '),
      'line-break': () => show(' '),
    }),
    text: show,
    close: byElement({
      'table-cell': endCell,
      'covered-table-cell': endCell,
      'table-row': () => writeRow(text, row),
    }),
  };
}

function addCell(row: OpenRow, cell: OpenCell): void {
  const alike = repeats(cell.attributes['number-columns-repeated'], MAX_COLUMN - row.columns);
  const text = cellText(cell);
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

/** The value where it says more than what is shown: a day in the order of its country, a number that was rounded. */
function cellText({ attributes, shown }: OpenCell): string {
  const { 'value-type': type, value = '', 'date-value': date, 'boolean-value': truth } = attributes;
  if (type === 'date' && date !== undefined) return date.replace('T', ' ').replace(/ 00:00:00$/, '');
  if (type === 'boolean' && truth !== undefined) return truth.toUpperCase();
  const isNumber = type === 'float' || type === 'percentage' || type === 'currency';
  return isNumber && Number.isFinite(Number.parseFloat(value)) ? numberText(Number(value)) : shown.trim();
}
