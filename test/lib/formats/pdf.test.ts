import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { pdf } from '../../../lib/formats/pdf.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';
import { makeCjkPdf, makePdf } from '../../support/samples/pdf.ts';

describe('text of a PDF', () => {
  it('is read page by page, and no passage crosses pages', async () => {
    const extracted = await extract(pdf, makePdf(['First page text', 'Second page text']));
    expect(extracted.source).toBe('First page text\n\f\nSecond page text');
    const chunks = chunkText(extracted).map(({ text, part }) => ({ text, part }));
    expect(chunks).toEqual([
      { text: 'First page text', part: { page: 1 } },
      { text: 'Second page text', part: { page: 2 } },
    ]);
  });

  it('is the visible text, or the invisible OCR text of a scan', async () => {
    const beside = ['0 900 Td', '-900 0 Td', '0 -900 Td', '900 0 Td'].map((far) => `seen) Tj ${far} (beside`);
    expect((await extract(pdf, makePdf(beside))).source).not.toContain('beside');
    expect((await extract(pdf, makePdf(['seen) Tj 3 Tr 0 -20 Td (behind']))).source).toBe('seen\nbehind');
  });

  it('is found without the table of objects', async () => {
    const { source } = await extract(pdf, makePdf(['Still here'], { broken: true }));
    expect(source).toBe('Still here');
  });

  it.each([
    ['GBK-EUC-H', 'GB1', 'c1bfd7d3bec0b2f8', '量子纠缠'],
    ['ETen-B5-H', 'CNS1', 'b671a46caac8c4f1', '量子糾纏'],
    ['90ms-RKSJ-H', 'Japan1', '97ca8e7182e082c282ea', '量子もつれ'],
    ['KSCms-UHC-H', 'Korea1', 'bee7c0dabef4c8fb', '양자얽힘'],
  ])('is read by the CMap %s, without a font', async (cmap, collection, hex, text) => {
    expect((await extract(pdf, makeCjkPdf(hex, { cmap, collection }))).source).toBe(text);
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['something else', Buffer.from('hello, not a PDF')],
    ['only a header', Buffer.from('%PDF-1.7\n')],
    ['noise after a header', Buffer.from(`%PDF-1.7\n${'\u0001\u0002 obj << >>'.repeat(500)}`)],
    ['a truncated file', makePdf(['gone']).subarray(0, 120)],
  ])('is rejected with a reason for %s', async (_what, bytes) => {
    await expect(extract(pdf, bytes)).rejects.toThrow(/^The PDF file /);
  });
});
