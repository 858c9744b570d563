import type { FilePart } from '../ports/file-part.ts';

/** A part for people and models: `page 3`, `sheet Budget, rows 2-9`. Empty where there is none. */
export function partWords({ page, slide, sheet, rows, cell, recognized }: FilePart): string {
  const words = [
    page !== undefined && `page ${page}`,
    slide !== undefined && `slide ${slide}`,
    sheet !== undefined && `sheet ${sheet}`,
    rows !== undefined && (rows[0] === rows[1] ? `row ${rows[0]}` : `rows ${rows[0]}-${rows[1]}`),
    cell !== undefined && `cell ${cell}`,
    recognized === true && 'recognized in a picture',
  ];
  return words.filter((word) => word !== false).join(', ');
}
