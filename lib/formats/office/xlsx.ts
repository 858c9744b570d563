import type { Attributes } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { type SheetText, sheetText } from '../sheets.ts';
import { factsIfReadable } from '../stated-facts.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { cellText, columnOf, rowOf, type StoredCell, type Workbook } from './cells.ts';
import { countLeft } from './left-parts.ts';
import { type NumberFormat, type NumberWriter, numberFormatOf, showNumbers } from './numbers.ts';
import { readCoreProperties } from './properties.ts';
import { entryOfType, mainEntry, type Relationship, readRelationships } from './relationships.ts';
import { withoutPageNumber } from './running-text.ts';
import { type Comments, readComments, withComment } from './sheet-comments.ts';
import { readDrawnLines } from './sheet-drawings.ts';
import { byElement, readXml } from './xml.ts';

export const xlsx: Format<'xlsx', 'encoded'> = {
  name: 'xlsx',
  version: 3,
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  content: 'encoded',
  unit: 'sheet',
  emptyNote: 'The sheets of this workbook are empty.',
};

/** Also reads hidden sheets, rows, and columns: workbooks hide data to which their formulas refer. */
export async function decodeXlsx(
  engine: ZipReader,
  bytes: Uint8Array,
  write: NumberWriter,
): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, xlsx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const { sheets, from1904 } = await readSheetList(archive, main, relationships);
  const workbook = {
    show: showNumbers(write, from1904),
    strings: await readStrings(archive, entryOfType(relationships, 'sharedStrings') ?? ''),
    numberFormats: await readNumberFormats(archive, entryOfType(relationships, 'styles') ?? ''),
  };
  const text = sheetText(xlsx.title);
  const left = countLeft(relationships);
  for (const { name, entry } of sheets) {
    text.sheet(name);
    const parts = await readRelationships(archive, entry);
    await readSheet(archive, entry, workbook, { text, comments: await readComments(archive, parts) });
    for (const { row, line } of await readDrawnLines(archive, parts, workbook.show, left))
      text.line(row, line);
    left.add(parts);
  }
  return {
    ...text.finish(),
    left: left.counts(),
    facts: await factsIfReadable(() => readCoreProperties(archive)),
  };
}

interface ListedSheet {
  name: string;
  entry: string;
}

async function readSheetList(archive: Archive, main: string, relationships: Relationship[]) {
  const byId = new Map(relationships.map(({ id, entry }) => [id, entry]));
  const sheets: ListedSheet[] = [];
  let from1904 = false;
  await readXml(archive, main, {
    open(name, { id = '', name: called = '', date1904 = '' }) {
      if (name === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true';
      const entry = name === 'sheet' ? byId.get(id) : undefined;
      if (entry !== undefined) sheets.push({ name: called, entry });
    },
  });
  return { sheets, from1904 };
}

/** Elements that contain the pronunciation of Japanese words. */
const ALOUD = new Set(['rPh']);

/** Reads the shared strings. Each may have several pieces with different fonts. */
async function readStrings(archive: Archive, entry: string): Promise<string[]> {
  const strings: string[] = [];
  const count = textLimit(xlsx.title);
  let isText = false;
  await readXml(archive, entry, {
    skip: ALOUD,
    open(name) {
      isText = name === 't';
      if (name === 'si') strings.push('');
    },
    text(text) {
      if (!isText) return;
      count(text);
      strings.push((strings.pop() ?? '') + text);
    },
    close() {
      isText = false;
    },
  });
  return strings;
}

/** The formats of the cells' styles, in order. */
async function readNumberFormats(archive: Archive, entry: string): Promise<NumberFormat[]> {
  const codes = new Map<string, string>();
  const formats: NumberFormat[] = [];
  let inCells = false;
  await readXml(archive, entry, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(numberFormatOf(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/** Headers and footers, whose codes give a piece's position and formatting (ECMA-376, 18.3.1.39). */
const RUNNING = /^(?:odd|even|first)(?:Header|Footer)$/;
/** The maximum number of characters in a header or footer. Excel allows 255. */
const MAX_RUNNING = 2000;
const CODE = /&(?:"[^"]*"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d{1,3}|[LCRBIUESXYPNDTAFZGOH]|(&))/gi;

function runningText(name: string, all: string): string {
  const source = all.slice(0, MAX_RUNNING);
  const plain = source.replace(CODE, (_, sign?: string) => sign ?? ' ');
  const text = /&[PN]/i.test(source) ? withoutPageNumber(plain) : plain;
  return text.trim() === '' ? '' : `${name.endsWith('Header') ? 'Header' : 'Footer'}: ${text}`;
}

/** Rows and cells may omit their position, in which case they follow the previous one. */
async function readSheet(
  archive: Archive,
  entry: string,
  workbook: Workbook,
  { text, comments }: { text: SheetText; comments: Comments },
): Promise<void> {
  let row = 0;
  let column = 0;
  let cell: StoredCell = { type: '', style: 0, value: '', formula: '' };
  let part: 'value' | 'formula' | undefined;
  let running = '';
  const runningTexts = new Set<string>();
  const startPart = (started: typeof part) => () => {
    part = started;
  };
  const startRow = ({ r = '' }: Attributes) => {
    row = Number.parseInt(r, 10) || row + 1;
    column = 0;
  };
  const startCell = ({ r = '', t = 'n', s = '0' }: Attributes) => {
    row = rowOf(r) ?? row;
    column = columnOf(r) ?? column + 1;
    cell = { type: t, style: Number(s), value: '', formula: '' };
  };
  const endCell = () =>
    text.cell(row, column, withComment(cellText(workbook, cell), comments.take(row, column)));
  const start = byElement<[Attributes]>({
    ...{ row: startRow, c: startCell },
    ...{ v: startPart('value'), t: startPart('value'), f: startPart('formula') },
  });
  await readXml(archive, entry, {
    skip: ALOUD,
    open(name, attributes) {
      running = '';
      start(name, attributes);
    },
    text(characters) {
      if (part === undefined) running += characters;
      else cell[part] += characters;
    },
    close(name) {
      part = undefined;
      if (name === 'c') endCell();
      if (RUNNING.test(name)) runningTexts.add(runningText(name, running));
    },
  });
  for (const each of runningTexts) text.line(row, each);
  for (const { at, comment } of comments.rest()) text.cell(...at, comment);
}
