import { storeEntries } from '../../formats/office/replace-entries.ts';
import { escapeXml } from '../../formats/office/xml-part.ts';
import type { LaidOutTable } from './lay-out.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SHEETS = ['Table', 'Quotes'];
/** The maximum length of a cell's text, in UTF-16 units. */
const MAX_TEXT = 32_767;

/**
 * Returns a workbook with the sheets Table and Quotes. Texts are inline strings, which no program evaluates, so a
 * document can't bring a formula. A writer of these six parts is shorter than the use of a library.
 */
export function toXlsx({ headings, rows, quotes }: LaidOutTable): Buffer {
  const sheets = [sheetOf([headings, ...rows]), sheetOf([quotes.heading, ...quotes.rows])];
  const parts: [string, string][] = [
    ['[Content_Types].xml', contentTypes()],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbook()],
    [
      'xl/_rels/workbook.xml.rels',
      relations(SHEETS.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`])),
    ],
    ...sheets.map((sheet, at): [string, string] => [`xl/worksheets/sheet${at + 1}.xml`, sheet]),
  ];
  return Buffer.from(storeEntries(new Map(parts.map(([name, xml]) => [name, Buffer.from(HEAD + xml)]))));
}

function contentTypes(): string {
  const sheets = SHEETS.map(
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${sheets.join('')}</Types>`;
}

function relations(targets: string[][]): string {
  const all = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${DOCUMENT}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

function workbook(): string {
  const sheets = SHEETS.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  return `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

function sheetOf(rows: (string | number)[][]): string {
  const shown = rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`);
  return `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>${shown.join('')}</sheetData></worksheet>`;
}

function cellOf(content: string | number): string {
  if (typeof content === 'number') return `<c><v>${content}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(content.slice(0, MAX_TEXT))}</t></is></c>`;
}
