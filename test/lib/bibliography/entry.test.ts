import { describe, expect, it } from '@jest/globals';
import { haveSameAuthors } from '../../../lib/bibliography/compare-names.ts';
import { SAME_TITLE, titleLikeness } from '../../../lib/bibliography/compare-titles.ts';
import { readEntry } from '../../../lib/bibliography/entry.ts';
import { lists, paperOf, works } from '../../support/catalogs.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

/** Books whose authors end with a comma, or with a full given name, which only their record tells apart. */
const AMBIGUOUS: Record<string, string[]> = {
  ieee: ['who2016', 'zhou2016', 'ipcc2021'],
  'chicago-note-bibliography': ['kuhn1962'],
  'modern-language-association': ['kuhn1962', 'kingma2015'],
};

describe('readEntry', () => {
  it.each(Object.keys(lists))('reads title, authors, and year in the style %s', (style) => {
    const wrong = works
      .filter(({ id }) => !AMBIGUOUS[style]?.includes(id))
      .flatMap((work) => {
        const text = lists[style]?.[work.id];
        if (text === undefined) return [];
        const { title = '', names, year } = readEntry(text);
        const paper = paperOf(work);
        const isRead = (titleLikeness(title, work.title) ?? 0) >= SAME_TITLE;
        const hasAuthors = haveSameAuthors(names, paper.authors ?? []) !== false;
        const hasYear = year === work.issued['date-parts'][0][0];
        return isRead && hasAuthors && hasYear ? [] : [{ text, title, names, year }];
      });
    expect(wrong).toEqual([]);
  });
});

describe('readEntry with hostile text', () => {
  it.each([
    ['names', 'Smith, J., '.repeat(200)],
    ['initials', 'A. '.repeat(700)],
    ['capitals', 'AA '.repeat(700)],
    ['years', '(2020) '.repeat(300)],
    ['full stops', 'Owls. '.repeat(350)],
    ['quotes', '“'.repeat(2000)],
    ['brackets', '[('.repeat(1000)],
    ['DOIs', '10.1000/x '.repeat(200)],
    ['parentheses in a DOI', `10.1000/${')'.repeat(1900)}`],
    ['emphasis', '*_'.repeat(1000)],
  ])('takes bounded time for %s', async (_, text) => {
    expect(await cpuTimeOf(() => readEntry(text))).toBeLessThan(500);
  });
});
