import { escapeXml } from '../../formats/office/xml-part.ts';
import type { LaidOutTable } from './lay-out.ts';
import { RELATIONS, toOfficeFile } from './office-file.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEETS = ['Table', 'Quotes'];
/** The maximum length of a cell's text, in UTF-16 units. */
const MAX_TEXT = 32_767;

/**
 * Returns a workbook with the sheets Table and Quotes. Texts are inline strings, which no program evaluates, so a
 * document can't bring a formula.
 */
export function toXlsx({ headings, rows, quotes }: LaidOutTable): Buffer {
  const sheetPart = (shown: (string | number)[][]) => ({
    type: 'spreadsheetml.worksheet+xml',
    xml: sheetOf(shown),
  });
  return toOfficeFile({
    'xl/workbook.xml': { type: 'spreadsheetml.sheet.main+xml', xml: workbook() },
    'xl/worksheets/sheet1.xml': sheetPart([headings, ...rows]),
    'xl/worksheets/sheet2.xml': sheetPart([quotes.heading, ...quotes.rows]),
  });
}

function workbook(): string {
  const sheets = SHEETS.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

function sheetOf(rows: (string | number)[][]): string {
  const shown = rows.map((row) => `<row>${row.map(cellOf).join('')}</row>`);
  return `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>${shown.join('')}</sheetData></worksheet>`;
}

function cellOf(content: string | number): string {
  if (typeof content === 'number') return `<c><v>${content}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(content.slice(0, MAX_TEXT))}</t></is></c>`;
}
