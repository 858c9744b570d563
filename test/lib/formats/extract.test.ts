import { describe, expect, it } from '@jest/globals';
import { decodeText } from '../../../lib/formats/decode.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { fileKind } from '../../../lib/formats/file-kinds.ts';
import { textRuns } from '../../../lib/formats/text-runs.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { makePdf } from '../../support/pdf.ts';

const read = (html: string) => extract('html', Buffer.from(html));

describe('the text of a PDF', () => {
  it('comes page by page, and no passage crosses pages', async () => {
    const extracted = await extract('pdf', makePdf(['First page text', 'Second page text']));
    expect(extracted.source).toBe('First page text\n\f\nSecond page text');
    const chunks = chunkText(extracted).map(({ text, page }) => ({ text, page }));
    expect(chunks).toEqual([
      { text: 'First page text', page: 1 },
      { text: 'Second page text', page: 2 },
    ]);
  });

  it('is found though the table of objects is not', async () => {
    const { source } = await extract('pdf', makePdf(['Still here'], { broken: true }));
    expect(source).toBe('Still here');
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['something else', Buffer.from('hello, not a PDF')],
    ['only a head', Buffer.from('%PDF-1.7\n')],
    ['noise behind a head', Buffer.from(`%PDF-1.7\n${'\u0001\u0002 obj << >>'.repeat(500)}`)],
    ['a file cut in the middle', makePdf(['gone']).subarray(0, 120)],
  ])('is refused with a reason for %s', async (_what, bytes) => {
    await expect(extract('pdf', bytes)).rejects.toThrow(/^PDF: /);
  });
});

describe('the text of HTML', () => {
  it('is what a reader sees, each passage with its place in the source', async () => {
    const source = '<nav>menu</nav><h1>Title</h1>\n<p>Tom &amp; Jerry &copy;</p><script>var x</script><p>end';
    const extracted = await read(source);
    expect(extracted.text).toBe('Title\nTom & Jerry ©\nend');
    const [chunk] = chunkText(extracted);
    expect(source.slice(chunk?.startChar, chunk?.endChar)).toMatch(/^Title[\s\S]*end$/);
  });

  it('ends behind an entity, not within it', async () => {
    const source = '<p>Tom &amp; Jerry &copy;</p>';
    const [chunk] = chunkText(await read(source));
    expect(source.slice(chunk?.startChar, chunk?.endChar)).toBe('Tom &amp; Jerry &copy;');
  });

  it('goes on behind a script that closes in itself, in XHTML', async () => {
    const { text } = await read(
      '<?xml version="1.0"?><html><body><script src="x"/><p>not lost</p></body></html>',
    );
    expect(text).toContain('not lost');
  });

  it.each([
    ['nested too deeply', '<div>'.repeat(20_000)],
    ['over 10 MB', 'x'.repeat(10 * 1024 * 1024 + 1)],
  ])('is refused with a reason when it is %s, and offers no runs', async (_what, source) => {
    const refuse = async () => {
      await expect(read(source)).rejects.toThrow(/^HTML /);
      expect(textRuns('a.html', source)).toEqual([]);
    };
    expect(await cpuTimeOf(refuse)).toBeLessThan(5000);
  });

  it('stands word for word in the runs of the source', () => {
    const source = '<p>one<b>two</b> three &amp; four</p>';
    const runs = textRuns('a.html', source).map(({ start, end }) => source.slice(start, end));
    expect(runs).toEqual(['one', 'two', ' three ', ' four']);
    expect(textRuns('a.md', source)).toEqual([{ start: 0, end: source.length }]);
  });
});

describe('decodeText', () => {
  const latin = Uint8Array.of(0x93, 0x68, 0x69, 0x94, 0x80, 0xe9);
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42, 0);
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffä'), '\ufeffä'],
    ['UTF-16 with a mark', utf16, '\ufeffAB'],
    ['windows-1252', latin, '“hi”€é'],
    ['nothing', new Uint8Array(), ''],
  ])('reads %s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['a NUL far behind', Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.alloc(4)])],
    ['control characters', Buffer.alloc(1000, 1)],
    ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x41, 0, 0, 0)],
  ])('takes %s for binary', (_what, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });
});

describe('fileKind', () => {
  it.each([
    ['a/B.PDF', 'pdf'],
    ['x.xhtml', 'html'],
    ['notes.md', 'markdown'],
    ['data.csv', 'rows'],
    ['lib/x.ts', 'code'],
    ['Makefile', 'text'],
    ['.env', undefined],
    ['photo.jpg', undefined],
    ['noending', undefined],
  ])('of %s is %s', (path, kind) => {
    expect(fileKind(path)).toBe(kind);
  });
});
