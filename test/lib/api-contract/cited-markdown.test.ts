import { describe, expect, it } from '@jest/globals';
import { citeByKey, citedMarkdown, isStyleName } from '../../../lib/api-contract/cited-markdown.ts';

const SOURCES = new Map([
  [1, { key: 'sand2021' }],
  [2, { key: 'hill2019', page: '3' }],
  [3, { key: 'hill2019', page: '7' }],
  [4, { key: 'DBLP:conf/x-', page: undefined }],
]);

describe('citeByKey', () => {
  it.each([
    ['Owls hunt. [1]', 'Owls hunt. [@sand2021]'],
    ['Owls hunt [1][2].', 'Owls hunt [@sand2021; @hill2019, p. 3].'],
    ['Owls hunt [2, 3].', 'Owls hunt [@hill2019, pp. 3, 7].'],
    ['Owls hunt[1].', 'Owls hunt [@sand2021].'],
    ['Owls hunt [4].', 'Owls hunt [@{DBLP:conf/x-}].'],
    ['Owls hunt [9].', 'Owls hunt .'],
    ['`a[1]` is code, and x[1] too.', '`a[1]` is code, and x[1] too.'],
    ['Ask @ann or a@b.org, see https://x.org/@ann.', 'Ask \\@ann or a@b.org, see https://x.org/@ann.'],
    ['', ''],
  ])('writes %j as %j', (text, cited) => {
    expect(citeByKey(text, SOURCES)).toBe(cited);
  });
});

describe('citedMarkdown', () => {
  const items = [
    { id: 'a_b', type: 'article' as const, title: 'Owls *and* \u0085 <mice>', DOI: '10.1000/a_b' },
  ];

  it('has the style, and the items as YAML whose texts are Markdown', () => {
    const written = citedMarkdown({ text: 'Owls [@a_b].\n', items, style: 'apa', heading: 'Sources' });
    expect(written.split('\n')).toEqual([
      '---',
      'csl: "https://www.zotero.org/styles/apa"',
      'reference-section-title: "Sources"',
      expect.stringContaining(
        'references: [{"id":"a_b","type":"article","title":"Owls \\\\*and\\\\* \\u0085 \\\\<mice\\\\>"',
      ),
      '---',
      '',
      'Owls [@a_b].',
      '',
    ]);
  });

  it.each([
    ['apa', true],
    ['china-national-standard-gb-t-7714-2015-numeric', true],
    ['', false],
    ['../../etc/passwd', false],
    ['APA', false],
    ['a\nb: c', false],
  ])('accepts names of styles: %j is %s', (name, isOne) => {
    expect(isStyleName(name)).toBe(isOne);
  });
});
