import type { Schemas } from './schema.ts';

/** The part of a file that contains a passage; empty if the format has no parts. */
export type LabeledPart = Pick<
  Schemas['FoundPassage'],
  'page' | 'slide' | 'sheet' | 'rows' | 'of' | 'cells' | 'cell' | 'recognized'
>;

/**
 * Returns a label for a part of a file, for people and models: `page 3`, `sheet Budget, rows 2-9 of 950`, `of 950
 * lines`. Empty for a file without parts.
 */
export function partLabel({ page, slide, sheet, rows, of, cells, cell, recognized }: LabeledPart): string {
  const words = [
    page !== undefined && `page ${page}`,
    slide !== undefined && `slide ${slide}`,
    sheet !== undefined && `sheet ${sheet}`,
    cells !== undefined && `${cells.includes(':') ? 'cells' : 'cell'} ${cells}`,
    rows !== undefined && rowWords(rows) + (of === undefined ? '' : ` of ${of}`),
    rows === undefined && of !== undefined && `of ${of} lines`,
    cell !== undefined && `cell ${cell}`,
    recognized === true && 'text from OCR',
  ];
  return words.filter((word) => word !== false).join(', ');
}

function rowWords([first, last]: number[]): string {
  return first === last ? `row ${first}` : `rows ${first}-${last}`;
}
