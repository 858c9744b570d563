import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { html } from '../../../lib/formats/html.ts';
import { markdown } from '../../../lib/formats/markdown.ts';
import { quotableRuns } from '../../../lib/formats/quotable-runs.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';

const read = (source: string) => extract(html, Buffer.from(source));

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
    await expect(read(source)).rejects.toThrow(/^HTML /);
    expect(await quotableRuns(html, source)).toEqual([]);
  });

  it('stands word for word in the runs of the source', async () => {
    const source = '<p>one<b>two</b> three &amp; four</p>';
    const runs = (await quotableRuns(html, source)).map(({ start, end }) => source.slice(start, end));
    expect(runs).toEqual(['one', 'two', ' three ', ' four']);
    expect(await quotableRuns(markdown, source)).toEqual([{ start: 0, end: source.length }]);
  });
});
