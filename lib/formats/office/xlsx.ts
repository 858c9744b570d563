import type { Attributes } from '../../text/xml.ts';
import type { Decoded, Format } from '../format.ts';
import { type SheetText, sheetText } from '../sheets.ts';
import { textLimit } from '../text-limit.ts';
import { type Archive, openArchive, type ZipReader } from './archive.ts';
import { cellText, columnOf, rowOf, type StoredCell, type Workbook } from './cells.ts';
import { timeFormatOf } from './dates.ts';
import { entryOfType, mainEntry, type Relationship, readRelationships } from './relationships.ts';
import { byElement, readXml } from './xml.ts';

export const xlsx: Format<'xlsx', 'encoded'> = {
  name: 'xlsx',
  version: 2,
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  content: 'encoded',
  unit: 'sheet',
  emptyNote: 'The sheets of this workbook are empty.',
};

/** Reads hidden sheets too: they were written to be looked up. */
export async function decodeXlsx(engine: ZipReader, bytes: Uint8Array): Promise<Decoded> {
  const archive = await openArchive(engine, bytes, xlsx.title);
  const main = await mainEntry(archive);
  const relationships = await readRelationships(archive, main);
  const { sheets, from1904 } = await readSheetList(archive, main, relationships);
  const workbook = {
    from1904,
    strings: await readStrings(archive, entryOfType(relationships, 'sharedStrings') ?? ''),
    timeFormats: await readTimeFormats(archive, entryOfType(relationships, 'styles') ?? ''),
  };
  const text = sheetText(xlsx.title);
  for (const { name, entry } of sheets) {
    text.sheet(name);
    await readSheet(archive, entry, workbook, text);
  }
  return text.finish();
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

/** Elements with the pronunciation of Japanese words. */
const ALOUD = new Set(['rPh']);

/** The texts that cells share; one may be in several pieces, each with its own font. */
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
async function readTimeFormats(archive: Archive, entry: string): Promise<Workbook['timeFormats']> {
  const codes = new Map<string, string>();
  const formats: Workbook['timeFormats'] = [];
  let inCells = false;
  await readXml(archive, entry, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(timeFormatOf(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/** Rows and cells may omit their position: then they follow the one before. */
async function readSheet(
  archive: Archive,
  entry: string,
  workbook: Workbook,
  text: SheetText,
): Promise<void> {
  let row = 0;
  let column = 0;
  let cell: StoredCell = { type: '', style: 0, value: '', formula: '' };
  let part: 'value' | 'formula' | undefined;
  const startPart = (started: typeof part) => () => {
    part = started;
  };
  await readXml(archive, entry, {
    skip: ALOUD,
    open: byElement<[Attributes]>({
      row: ({ r = '' }) => {
        row = Number.parseInt(r, 10) || row + 1;
        column = 0;
      },
      c: ({ r = '', t = 'n', s = '0' }) => {
        row = rowOf(r) ?? row;
        column = columnOf(r) ?? column + 1;
        cell = { type: t, style: Number(s), value: '', formula: '' };
      },
      v: startPart('value'),
      t: startPart('value'),
      f: startPart('formula'),
    }),
    text(characters) {
      if (part !== undefined) cell[part] += characters;
    },
    close(name) {
      part = undefined;
      if (name === 'c') text.cell(row, column, cellText(workbook, cell));
    },
  });
}
