import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { pageLinesOf, type TextItem } from '../../../lib/formats/page-lines.ts';
import { pdf } from '../../../lib/formats/pdf.ts';
import { annotationLines } from '../../../lib/formats/pdf-annotations.ts';

const DOCUMENTS = join(import.meta.dirname, '../../golden/documents/pdf');
const SHAPE = { view: [0, 0, 600, 800], rotate: 0 };

interface Drawn extends Partial<TextItem> {
  x?: number;
  y?: number;
}

/** Letters are 10 high. */
function item(str: string, { x = 0, y = 700, width = str.length * 5, hasEOL = false }: Drawn = {}): TextItem {
  return { str, transform: [10, 0, 0, 10, x, y], width, height: 10, hasEOL };
}

function textOf(items: TextItem[]): string {
  return pageLinesOf(items, SHAPE)
    .map(({ text }) => text)
    .join('|');
}

describe('lines of a PDF page', () => {
  it.each([
    ['tex-accents', 'Written by Hübner and Jégou.'],
    ['fake-bold', 'Zirkonium budget\nOsmium budget'],
    ['vertical', '価格表の改正\n東京都条例第五号'],
    ['form', 'Application form. Name:\nn: Zirkonia Osmiumova\nc: Beryllium'],
    ['hyphen', 'The mass spectro-\nmeter was recali-\nbrated in Kronstadt\nby the observa-\ntory.'],
  ])('are read from %s.pdf', async (name, text) => {
    expect((await extract(pdf, await readFile(join(DOCUMENTS, `${name}.pdf`)))).source).toBe(text);
  });

  it.each([
    ['an accent before its letter', 'Paul Erd\u02dd', 'os', 'Paul Erdős'],
    ['a caron without a decomposition', 'Dvo\u02c7', 'r', 'Dvoř'],
    ['a dotless letter', 'Mart\u00b4', '\u0131nez', 'Martínez'],
    ['an ASCII grave accent', 'voil`', 'a', 'voilà'],
    ['a ring', '\u02da', 'Angstrom', 'Ångstrom'],
    ['a cedilla after its letter', 'Franc', '\u00b8ois', 'François'],
  ])('compose %s', (_what, before, after, text) => {
    const width = before.length * 5;
    expect(textOf([item(before), item(after, { x: width - 4 })])).toBe(text);
  });

  it('keep the space before a word that starts with an accent, and accents without a letter', () => {
    expect(textOf([item('est \u00b4'), item('ecrit', { x: 20.3 })])).toBe('est écrit');
    expect(textOf([item('f\u00b4'), item('(x)', { x: 6 })])).toBe('f\u00b4(x)');
    expect(textOf([item('a\u00b4'), item('e', { x: 11 })])).toBe('a\u00b4e');
  });

  it('are rows of cells in a table, among other lines', () => {
    const row = (y: number, ...cells: string[]) =>
      cells.map((cell, at) => item(cell, { x: at * 100, y, hasEOL: at === cells.length - 1 }));
    const items = [
      item('Rivers of the north and their', { y: 740, hasEOL: true }),
      item('lengths in kilometers', { y: 728, hasEOL: true }),
      ...row(700, 'River', 'Length', 'Mouth'),
      ...row(685, 'Elbe', '1094', 'North Sea'),
      ...row(670, 'Oder', '840', 'Baltic Sea'),
      item('All of them are navigable', { y: 640 }),
    ];
    expect(
      textOf(items)
        .split('|')
        .map((cell) => cell.trim()),
    ).toEqual([
      ...['Rivers of the north and their', 'lengths in kilometers', 'River', 'Length', 'Mouth'],
      ...['Elbe', '1094', 'North Sea', 'Oder', '840', 'Baltic Sea', 'All of them are navigable'],
    ]);
    expect(pageLinesOf(items, SHAPE)).toHaveLength(6);
  });

  it.each([
    ['blanks', () => ' '],
    ['words', (at: number) => `w${at}`],
  ])('take linear time for a line of 150,000 %s', (_what, write) => {
    const first = item('first', { width: 0 });
    const items = Array.from({ length: 150_000 }, (_, at) =>
      item(write(at), { x: at * 0.004, width: 0.004 }),
    );
    const started = performance.now();
    expect(pageLinesOf([first, ...items], SHAPE)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('contain text only once if it is drawn repeatedly for a bold or shadow effect', () => {
    expect(textOf([item('Osmium'), item('Osmium', { x: 0.4, hasEOL: true }), item('x', { y: 680 })])).toBe(
      'Osmium|x',
    );
    const shadow = [item('Total', { hasEOL: true }), item('Total', { x: 0.6, y: 699.4, hasEOL: true })];
    expect(textOf([...shadow, item('end', { y: 680 })])).toBe('Total|end');
    const bold = [
      item('a B'),
      item('Boo', { x: 10.4 }),
      item('ook', { x: 20.4 }),
      item('k end', { x: 30.4 }),
    ];
    expect(textOf(bold)).toBe('a Book end');
  });

  it('keep text that really occurs twice', () => {
    const cells = [0, 30, 60].map((x) => item('12', { x }));
    expect(textOf(cells)).toBe('121212');
    expect(textOf([item('aardvark '), item('bookkeeper', { x: 45 })])).toBe('aardvark bookkeeper');
    const rows = [700, 688, 676].map((y) => item('7', { y, hasEOL: true }));
    expect(textOf([item('a'), item('a', { x: 5, hasEOL: true }), item('aa', { y: 680 })])).toBe('aa|aa');
    expect(textOf([item('x', { y: 720, hasEOL: true }), ...rows]).startsWith('x|')).toBe(true);
  });

  it('join vertical wide characters, except for two of them or adjacent ones', () => {
    const column = (text: string, x: number) =>
      [...text].map((each, index) => item(each, { x, y: 700 - index * 11, width: 10, hasEOL: true }));
    expect(textOf([...column('東京都庁', 100), ...column('第12号', 80)].slice(0, -1))).toMatch(/^東京都庁\|/);
    expect(textOf(column('男女', 100))).toBe('男|女|');
    const apart = [...'甲乙丙'].map((each, index) =>
      item(each, { y: 700 - index * 30, width: 10, hasEOL: true }),
    );
    expect(textOf(apart)).toBe('甲|乙|丙|');
  });
});

describe('annotations of a PDF page', () => {
  it('are read with the names of fields, and the texts of notes', () => {
    const field = { subtype: 'Widget', fieldName: 'a' };
    const lines = annotationLines([
      { ...field, fieldType: 'Tx', fieldValue: 'Curie', alternativeText: 'Family name' },
      {
        ...field,
        fieldType: 'Ch',
        fieldValue: ['DE'],
        options: [{ exportValue: 'DE', displayValue: 'Germany' }],
      },
      { ...field, fieldType: 'Btn', checkBox: true, fieldValue: 'Yes', exportValue: 'Yes' },
      { ...field, fieldType: 'Btn', checkBox: true, fieldValue: 'Off', exportValue: 'Yes' },
      { ...field, fieldType: 'Btn', radioButton: true, fieldValue: 'red', buttonValue: 'red' },
      { ...field, fieldType: 'Btn', radioButton: true, fieldValue: 'red', buttonValue: 'blue' },
      { ...field, fieldType: 'Tx', fieldValue: 'secret', password: true },
      { ...field, fieldType: 'Tx', fieldValue: 'unseen', annotationFlags: 2 },
      { subtype: 'FreeText', contentsObj: { str: '' }, textContent: ['Check', 'this'] },
      { subtype: 'Highlight', contentsObj: { str: 'I disagree' } },
    ]);
    expect(lines).toEqual([
      'Family name: Curie',
      'a: Germany',
      'a: Yes',
      'a: red',
      'Note: Check\nthis',
      'Note: I disagree',
    ]);
  });
});
