import { describe, expect, it } from '@jest/globals';
import { extract } from '../../../lib/formats/extract.ts';
import { html } from '../../../lib/formats/html.ts';
import { markdown } from '../../../lib/formats/markdown.ts';
import { quotableRuns } from '../../../lib/formats/quotable-runs.ts';
import { chunkText } from '../../../lib/indexing/read/chunk.ts';

const read = (source: string) => extract(html, Buffer.from(source));

describe('HTML text', () => {
  it('is the visible text, with the source position of each passage', async () => {
    const source = '<nav>menu</nav><h1>Title</h1>\n<p>Tom &amp; Jerry &copy;</p><script>var x</script><p>end';
    const extracted = await read(source);
    expect(extracted.text).toBe('Title\nTom & Jerry ©\nend');
    const [chunk] = chunkText(extracted);
    expect(source.slice(chunk?.startChar, chunk?.endChar)).toMatch(/^Title[\s\S]*end$/);
  });

  it('ends after an entity, not within it', async () => {
    const source = '<p>Tom &amp; Jerry &copy;</p>';
    const [chunk] = chunkText(await read(source));
    expect(source.slice(chunk?.startChar, chunk?.endChar)).toBe('Tom &amp; Jerry &copy;');
  });

  it('continues after a self-closing script in XHTML', async () => {
    const { text } = await read(
      '<?xml version="1.0"?><html><body><script src="x"/><p>not lost</p></body></html>',
    );
    expect(text).toContain('not lost');
  });

  it('keeps superscripts, and omits struck-out text', async () => {
    const source =
      '<p>Owls hunt<sup>3</sup> in 12<sup><a>4</a></sup> forests<sup>[5]</sup> of 10<sup>-2</sup> km<sup>2</sup>, the 1<sup>st</sup>. ' +
      'It is <del>not</del><s>n’t <b>at all</b></s> <span style="text-decoration: line-through red">un</span>safe.</p>';
    expect((await read(source)).text.replace(/ +/g, ' ')).toBe(
      'Owls hunt³ in 12⁴ forests[5] of 10⁻² km², the 1st. It is safe.',
    );
  });

  it.each([
    'hidden',
    'hidden=""',
    'style="display:none"',
    'style="color: red; DISPLAY : none !important"',
    'style="display:block;display:none"',
    'style="d\\69splay:none"',
    'style="display:/* */none"',
    'style="display:none/* and so on"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="opacity: 0.0"',
    'style="font-size:0"',
    'style="font-size:0px"',
    'style="position:absolute;left:-9999px"',
    'style="position:fixed; top:-100em"',
    'style="position:absolute;clip:rect(0,0,0,0)"',
    'style="text-indent:-9999px"',
    'style="max-height:0;overflow:hidden"',
    'style="color:#fff;background:#ffffff"',
    'style="color:white;background-color:rgb(255, 255, 255)"',
    'style="color:transparent"',
  ])('excludes text hidden by %s', async (attribute) => {
    const source = `<p>One</p><div ${attribute}>two <br><b>three</b></div><p>four</p>`;
    expect((await read(source)).text).toBe('One\nfour');
    const runs = (await quotableRuns(html, source)).map(({ start, end }) => source.slice(start, end));
    expect(runs).toEqual(['One', 'four']);
  });

  it.each([
    ['hidden="until-found"', 'two'],
    ['aria-hidden="true"', 'two'],
    ['style="display:none;display:block"', 'two'],
    ['style="opacity:0;transition:opacity 1s"', 'two'],
    ['style="opacity:0" data-w-id="7"', 'two'],
    ['style="color:#fff;background:#000"', 'two'],
    ['style="font-size:0.5em"', 'two'],
    ['style="margin-left:-20px;height:0"', 'two'],
    ['style="font-size:0"', '<b style="font-size:13px">two</b>'],
    ['style="font-size:0"', '<b class="large">two</b>'],
    ['style="visibility:hidden"', '<b style="visibility:visible">two</b>'],
    ['style="color:#fff;background:#fff"', '<b style="color:red">two</b>'],
    ['style=":;;none;"', 'two'],
  ])('includes text that %s leaves visible: %s', async (attribute, content) => {
    expect((await read(`<p>One</p><div ${attribute}>${content}</div>`)).text).toBe('One\ntwo');
  });

  it.each([
    ['zeros', `opacity:${'0'.repeat(3900)}!`],
    ['unclosed comments', '/*'.repeat(1990)],
    ['declarations', 'a:b;'.repeat(990)],
  ])('is read quickly with long styles of %s', async (_what, style) => {
    expect((await read(`<p style="${style}">x</p>`.repeat(2500))).text).toMatch(/^x\nx/);
  });

  it.each([
    ['nested too deeply', '<div>'.repeat(20_000)],
    ['over 10 MB', 'x'.repeat(10 * 1024 * 1024 + 1)],
  ])('is rejected with a reason if it is %s, and offers no runs', async (_what, source) => {
    await expect(read(source)).rejects.toThrow(/^The HTML /);
    expect(await quotableRuns(html, source)).toEqual([]);
  });

  it('appears word for word in the runs of the source', async () => {
    const source = '<p>one<b>two</b> three &amp; four</p>';
    const runs = (await quotableRuns(html, source)).map(({ start, end }) => source.slice(start, end));
    expect(runs).toEqual(['one', 'two', ' three ', ' four']);
    expect(await quotableRuns(markdown, source)).toEqual([{ start: 0, end: source.length }]);
  });

  it.each([
    ['article', '<article>%</article>'],
    ['main', '<main><div>%</div></main>'],
    ['section', '<section>%</section>'],
    ['a main role', '<div role="main">%</div>'],
  ])('has headers, asides, and footers in %s', async (_where, around) => {
    const content =
      '<header><h1>Title</h1></header><p>One</p><aside>note</aside><div role="complementary">two</div><footer>Sources</footer>';
    const { text, headings } = await read(
      `<header>Site</header>${around.replace('%', content)}<aside>Ads</aside><footer>Legal</footer>`,
    );
    expect(text).toBe('Title\nOne\nnote\ntwo\nSources');
    expect([...headings]).toEqual([0]);
  });

  it('has no navigation, at any position', async () => {
    const source =
      '<article><nav>menu</nav><div role="search">find</div><p>One</p><svg><text>drawn</text></svg></article>';
    expect((await read(source)).text).toBe('One');
  });

  it('has no heading if it is in a skipped element', async () => {
    const { text, headings } = await read(
      '<header><h1>Site</h1></header><p>One</p><nav><h2>Menu</h2></nav><h2>Two</h2>',
    );
    expect(text).toBe('One\n\nTwo');
    expect([...headings]).toEqual([text.indexOf('Two')]);
  });

  it('is its header if there is no other text', async () => {
    const { text } = await read(
      '<title>Page</title><body><header><h1>Quarz</h1><p>Only here.</p></header><nav>menu</nav></body>',
    );
    expect(text).toBe('Page\n\nQuarz\nOnly here.');
  });
});
