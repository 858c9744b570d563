import { describe, expect, it } from '@jest/globals';
import { tidyPapers } from '../../../lib/papers/tidy-papers.ts';
import type { FoundPaper } from '../../../lib/ports/papers.ts';

function paper(fields: Partial<FoundPaper> = {}): FoundPaper {
  return {
    id: 'x',
    title: 'A title',
    authors: ['Ada Byron'],
    abstract: 'About owls.',
    url: 'https://example.org/x',
    pdfUrl: null,
    publishedDate: '2024-01-31',
    doi: null,
    arxivId: null,
    ...fields,
  };
}

const JANUARY = { dateFrom: '2024-01-01', dateTo: '2024-01-31' };

describe('tidyPapers', () => {
  it.each([
    ['keeps the first moment of the first day', '2024-01-01T00:00:00Z', JANUARY, true],
    ['keeps the last moment of the last day', '2024-01-31T23:59:59Z', JANUARY, true],
    ['drops the moment before', '2023-12-31T23:59:59Z', JANUARY, false],
    ['drops the moment after', '2024-02-01T00:00:00Z', JANUARY, false],
    ['drops a moment that is the next day in UTC', '2024-01-31T20:00:00-05:00', JANUARY, false],
    ['drops an invalid day', '2024-01-32', JANUARY, false],
    ['keeps a range of one day', '2024-01-31', { dateFrom: '2024-01-31', dateTo: '2024-01-31' }, true],
    ['keeps an open end', '2999-01-01', { dateFrom: '2024-01-01' }, true],
    ['keeps an open start', '1911-01-01', { dateTo: '2024-01-31' }, true],
    ['drops a missing day if a range is requested', null, JANUARY, false],
    ['drops a year alone if a range is requested', '2024', JANUARY, false],
    ['keeps a missing day without a range', null, {}, true],
  ])('%s', (_what, publishedDate, range, kept) => {
    expect(tidyPapers([paper({ publishedDate })], range)).toHaveLength(kept ? 1 : 0);
  });

  it('normalizes texts, IDs, and days', () => {
    const [tidied] = tidyPapers(
      [
        paper({
          title: ' On  the\n <i>flight</i> of <sub>1</sub> owl, if a < b ',
          authors: [' Ada\nByron ', ''],
          abstract: '<jats:p>About  owls.</jats:p>',
          publishedDate: '2024-01-31T10:00:00Z',
          doi: 'https://doi.org/10.48550/arXiv.2401.00001',
          pdfUrl: 'javascript:alert(1)',
        }),
      ],
      {},
    );
    expect(tidied).toEqual(
      paper({
        title: 'On the flight of 1 owl, if a < b',
        doi: '10.48550/arxiv.2401.00001',
        arxivId: '2401.00001',
      }),
    );
  });

  it('removes characters that reorder text or control a terminal', () => {
    const [tidied] = tidyPapers(
      [paper({ title: 'Owls\u202e\u001b[31m at\u0000 night', authors: ['A\u2066da'] })],
      {},
    );
    expect(tidied).toMatchObject({ title: 'Owls [31m at night', authors: ['Ada'] });
  });

  it.each([
    ['no title', { title: ' \n' }],
    ['no URL', { url: '' }],
    ['a URL with another scheme', { url: 'file:///etc/passwd' }],
  ])('drops a paper with %s', (_what, fields) => {
    expect(tidyPapers([paper(fields)], {})).toEqual([]);
  });

  it('limits a response to the size of a record, whatever a source sends', () => {
    const long = (length: number) => '\u{1F989}'.repeat(length);
    const huge = paper({ title: long(9999), abstract: long(99_999), authors: Array(9999).fill(long(999)) });
    const tidied = tidyPapers(Array(30).fill(huge), {});
    expect(tidied.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(tidied))).toBeLessThan(350 * 1024);
    expect(tidied.every(({ title, abstract }) => title.isWellFormed() && abstract.isWellFormed())).toBe(true);
  });
});
