import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { splitParts } from '../../../lib/formats/join-parts.ts';
import { pdf } from '../../../lib/formats/pdf.ts';
import { withoutRunningLines } from '../../../lib/formats/running-lines.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';
import { makePdf } from '../../support/samples/pdf.ts';

interface Line {
  text: string;
  y: number;
  size?: number;
}

const TOP = 760;
const FOOT = 30;
const BODY = 500;
const body = (page: number): Line => ({
  y: BODY,
  text: `Otters were counted at ${['Lund', 'Kiel', 'Oslo', 'Bern'][page % 4]}.`,
});

/** Places lines on a page of 612 by 792 points. */
function setPage(lines: Line[]): string {
  const set = lines.map(({ text, y, size = 12 }) => `) Tj /F1 ${size} Tf 1 0 0 1 72 ${y} Tm (${text}`);
  return set.join('');
}

async function readPages(pages: Line[][]) {
  return splitParts(await extractSet(pages));
}

async function extractSet(pages: Line[][]) {
  const extracted = await extract(pdf, makePdf(pages.map(setPage)));
  return { ...extracted, text: extracted.source };
}

function pagesOf(count: number, linesOf: (page: number) => Line[]): Line[][] {
  return Array.from({ length: count }, (_, index) => linesOf(index));
}

describe('running headers, footers, and page numbers of a PDF', () => {
  const pages = pagesOf(5, (page) => [
    { y: TOP, text: 'Annual Report 2020' },
    body(page),
    { y: FOOT, text: `Page ${page + 11} of 15` },
  ]);

  it('are in no passage, except the first header', async () => {
    const chunks = chunkText(await extractSet(pages));
    expect(chunks.map(({ text }) => text)).toEqual([
      'Annual Report 2020\nOtters were counted at Lund.',
      ...[1, 2, 3, 4].map((page) => body(page).text),
    ]);
    expect(chunks.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5].map((page) => ({ page })));
  });

  it('leave all other lines and characters in their places', async () => {
    const { source } = await extractSet(pages);
    const whole = pages.map((lines) => lines.map(({ text }) => text).join('\n')).join('\n\f\n');
    expect(source).toHaveLength(whole.length);
    for (const [index] of pages.entries()) {
      const { text } = body(index);
      expect(source.indexOf(text, index * 20)).toBe(whole.indexOf(text, index * 20));
    }
    expect(chunkText(await extractSet(pages)).map(({ startLine }) => startLine)).toEqual([1, 6, 10, 14, 18]);
  });

  it('can differ between left and right pages', async () => {
    const read = await readPages(
      pagesOf(8, (page) => [{ y: TOP, text: page % 2 === 0 ? 'Marsh and River' : 'The Otter' }, body(page)]),
    );
    expect(read.map((text) => text.trim().split('\n').length)).toEqual([2, 2, 1, 1, 1, 1, 1, 1]);
  });

  it('can name the chapter next to the page number', async () => {
    const read = await readPages(
      pagesOf(8, (page) => [
        { y: TOP, text: `Chapter ${1 + Math.floor(page / 4)}: Rivers ${page + 3}` },
        body(page),
      ]),
    );
    expect(read.map((text) => text.trim().split('\n').length)).toEqual([2, 1, 1, 1, 2, 1, 1, 1]);
  });

  it('can be missing on some pages', async () => {
    const read = await readPages(
      pagesOf(6, (page) => [
        ...(page === 0 || page === 3 ? [] : [{ y: FOOT, text: String(page + 1) }]),
        body(page),
      ]),
    );
    expect(read.map((text) => text.trim())).toEqual(
      pagesOf(6, (page) => [body(page)]).map(([line]) => line?.text),
    );
  });

  it.each<[string, number, (page: number) => Line[]]>([
    ['a document of two pages', 2, (page) => [{ y: TOP, text: 'Annual Report' }, body(page)]],
    ['the same sentence in the text', 5, (page) => [{ y: 600, text: 'See the appendix.' }, body(page)]],
    [
      "numbers that aren't page numbers",
      5,
      (page) => [{ y: TOP, text: String((page * 37) % 11) }, body(page)],
    ],
    ['titles, which are larger', 5, (page) => [{ y: TOP, size: 24, text: `Week ${page + 1}` }, body(page)]],
    [
      'numbered sections, one per page',
      5,
      (page) => [{ y: TOP, text: `${page + 1} ${'ABCDE'[page]}` }, body(page)],
    ],
    [
      'a line at a different position each time',
      5,
      (page) => [{ y: TOP - page * 12, text: 'Otters' }, body(page)],
    ],
    ['text on fewer pages', 6, (page) => [...(page < 3 ? [{ y: TOP, text: 'Part one' }] : []), body(page)]],
    ['the only text of a page', 4, () => [{ y: TOP, text: 'For internal use' }]],
  ])('do not include: %s', async (_what, count, linesOf) => {
    const set = pagesOf(count, linesOf);
    expect(await readPages(set)).toEqual(set.map((lines) => lines.map(({ text }) => text).join('\n')));
  });

  it('are found in linear time in 1,000 pages full of numbers', () => {
    const place = { fromTop: 0.05, fromBottom: 0.95, height: 10 };
    const page = Array.from({ length: 60 }, () => ({ text: '1 '.repeat(60), place }));
    const started = performance.now();
    expect(withoutRunningLines(Array.from({ length: 1000 }, () => page))).toHaveLength(1000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
