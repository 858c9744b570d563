import { expect, it } from '@jest/globals';
import { sheetText } from '../../../lib/formats/sheets.ts';

const WIDEST = 16_384;
const ROWS = 20_000;

/**
 * Writes one row of `width` cells above many rows of one cell. Returns the text and this thread's
 * milliseconds.
 */
function write(width: number) {
  const before = process.threadCpuUsage();
  const sheet = sheetText('XLSX');
  sheet.sheet('S');
  for (let column = 1; column <= width; column++) sheet.cell(1, column, 'a');
  for (let row = 2; row <= ROWS; row++) sheet.cell(row, row % 2 === 0 ? 1 : 3, 'b');
  const { text } = sheet.finish();
  return { lines: text.split('\n'), ms: process.threadCpuUsage(before).user / 1000 };
}

it('sheet rows cost as much as their cells, however wide another row is', () => {
  write(3); // compiles it
  const narrow = write(3);
  const wide = write(WIDEST);
  expect(wide.lines.slice(2)).toEqual(narrow.lines.slice(2));
  expect(wide.lines.slice(2, 4)).toEqual(['b', ' |  | b']);
  expect(wide.ms).toBeLessThan(10 * narrow.ms + 200);
});
