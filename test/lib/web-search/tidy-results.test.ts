import { describe, expect, it } from '@jest/globals';
import { toWebQuery } from '../../../lib/web-search/find-pages.ts';
import { tidyResults } from '../../../lib/web-search/tidy-results.ts';

const urls = (...all: string[]) =>
  tidyResults(
    all.map((url) => ({ url, title: '' })),
    10,
  ).map(({ url }) => url);

describe('tidyResults', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,owls',
    'file:///etc/passwd',
    'http://plain.example/',
    'https://user:pass@owls.example/',
    'https://owls.example:8443/',
    'owls.example',
    '',
    `https://owls.example/${'a'.repeat(2000)}`,
    `https://owls.example/${'猫'.repeat(500)}`,
  ])('leaves out %j', (url) => {
    expect(urls(url)).toEqual([]);
  });

  it('keeps each page once, in its normal form', () => {
    expect(
      urls(
        'https://Owls.example/a#b',
        'https://owls.example:443/a',
        'https://bücher.example/é',
        'https://a.example',
      ),
    ).toEqual(['https://owls.example/a', 'https://xn--bcher-kva.example/%C3%A9', 'https://a.example/']);
  });

  it('makes titles one line of limited length, without characters that reorder text', () => {
    const title = `Owls\n\u202eslwo\u0000 ${'x'.repeat(500)}\ud800`;
    const [result] = tidyResults([{ url: 'https://a.example/', title }], 5);
    expect(result?.title).toMatch(/^Owls slwo x+$/);
    expect(result?.title.length).toBe(300);
  });

  it('uses the URL of a page without a title', () => {
    expect(tidyResults([{ url: 'https://a.example/', title: ' \u200b ' }], 5)[0]?.title).toBe(
      'https://a.example/',
    );
  });

  it('returns at most as many as wanted', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ url: `https://a.example/${at}`, title: 't' }));
    expect(tidyResults(many, 3)).toHaveLength(3);
  });
});

describe('toWebQuery', () => {
  it('keeps 50 words and 400 characters, in one line', () => {
    expect(toWebQuery(' When\n do\towls hunt? ')).toBe('When do owls hunt?');
    expect(toWebQuery('owl '.repeat(90)).split(' ')).toHaveLength(50);
    expect(toWebQuery('猫'.repeat(900))).toHaveLength(400);
    expect(toWebQuery('a\ud800')).toBe('a\ufffd');
  });
});
