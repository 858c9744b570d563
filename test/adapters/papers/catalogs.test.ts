import { describe, expect, it } from '@jest/globals';
import { arxivCatalog } from '../../../lib/adapters/arxiv/catalog.ts';
import { readFeed } from '../../../lib/adapters/arxiv/feed.ts';
import { huggingFaceCatalog } from '../../../lib/adapters/hugging-face/catalog.ts';
import { openAlexCatalog } from '../../../lib/adapters/openalex/catalog.ts';
import { semanticScholarCatalog } from '../../../lib/adapters/semantic-scholar/catalog.ts';
import type { PaperSource } from '../../../lib/api-contract/paper-sources.ts';
import type { CatalogQuery, FoundPaper } from '../../../lib/ports/papers.ts';
import { type FakePaper, startFakePapers } from '../../support/fakes/fake-papers.ts';

const owl: FakePaper = {
  title: 'On “owls” & their <prey>',
  published: '2024-01-31T23:59:30Z',
  arxivId: '2401.00001',
  doi: '10.1000/owl',
  authors: ['Ada Byron', 'Đặng Văn Ngữ'],
  abstract: 'Owls hunt at night, and owls rest by day.',
};
const fake = await startFakePapers();
const settings = { baseUrl: `${fake.url}/`, trusted: true, token: 'the-key' };
const catalogs = {
  preprint_server: arxivCatalog(settings),
  hub_a: huggingFaceCatalog(settings),
  semantic_scholar: semanticScholarCatalog(settings),
  openalex: openAlexCatalog(settings),
};
const SOURCES = Object.keys(catalogs) as PaperSource[];

/** Returns the papers from a source with this response, and the requests that it got. */
async function find(source: PaperSource, papers: FakePaper[], query: Partial<CatalogQuery> = {}) {
  fake.papers[source] = papers;
  const found = await catalogs[source].find(
    { keywords: ['owls'], limit: 30, ...query },
    { signal: AbortSignal.timeout(60_000) },
  );
  const request = fake.requests.at(-1);
  return {
    found,
    asked: request?.url.searchParams ?? new URLSearchParams(),
    headers: request?.headers ?? {},
  };
}

function folded(paper: FoundPaper | undefined) {
  const fold = (text: string | undefined) => text?.replace(/\s+/g, ' ').trim();
  return { ...paper, title: fold(paper?.title), abstract: fold(paper?.abstract) };
}

const COMMON = { title: owl.title, authors: owl.authors, abstract: owl.abstract };
const READ: Record<PaperSource, object> = {
  preprint_server: {
    ...COMMON,
    id: 'http://arxiv.org/abs/2401.00001v2',
    arxivId: 'http://arxiv.org/abs/2401.00001v2',
    url: 'https://arxiv.org/abs/2401.00001v2',
    pdfUrl: 'https://arxiv.org/pdf/2401.00001v2',
    publishedDate: owl.published,
    doi: owl.doi,
    isOpen: true,
  },
  hub_a: {
    ...COMMON,
    id: '2401.00001',
    arxivId: '2401.00001',
    url: 'https://huggingface.co/papers/2401.00001',
    pdfUrl: 'https://arxiv.org/pdf/2401.00001',
    publishedDate: owl.published,
    doi: null,
    isOpen: true,
  },
  semantic_scholar: {
    ...COMMON,
    id: `s2-${owl.title}`,
    arxivId: '2401.00001',
    url: 'https://www.semanticscholar.org/paper/x',
    pdfUrl: '',
    publishedDate: '2024-01-31',
    doi: owl.doi,
    isOpen: true,
    license: undefined,
  },
  openalex: {
    ...COMMON,
    id: 'W0',
    arxivId: 'http://arxiv.org/abs/2401.00001',
    url: 'https://doi.org/10.1000/owl',
    pdfUrl: null,
    publishedDate: '2024-01-31',
    doi: 'https://doi.org/10.1000/owl',
  },
};

describe('paper source', () => {
  it.each(SOURCES)('parses the results of %s', async (source) => {
    const { found } = await find(source, [owl]);
    expect(found.map(folded)).toEqual([READ[source]]);
  });

  it.each(SOURCES)('returns nothing for an empty result of %s', async (source) => {
    expect((await find(source, [])).found).toEqual([]);
  });

  it.each(SOURCES)('identifies the client to %s', async (source) => {
    expect((await find(source, [owl])).headers['user-agent']).toBe('workspace-research-service');
  });

  it('sends the key in a header to Semantic Scholar, in the URL to OpenAlex, and to no other source', async () => {
    for (const source of SOURCES) await find(source, [owl]);
    const shown = SOURCES.map((source) => {
      const { url, headers } = fake.requests.findLast((request) => request.source === source) ?? {
        headers: {},
      };
      return [url?.search.includes('the-key'), JSON.stringify(headers).includes('the-key')];
    });
    expect(shown).toEqual([
      [false, false],
      [false, false],
      [false, true],
      [true, false],
    ]);
  });

  it('asks OpenAlex which DOIs are retracted, without a search', async () => {
    const { asked } = await find('openalex', [owl], {
      keywords: [],
      retractedOf: ['10.1000/a', '10.1000/b'],
    });
    expect(asked.get('filter')).toBe('is_retracted:true,doi:10.1000/a|10.1000/b');
    expect(asked.has('search')).toBe(false);
  });

  it.each<[PaperSource, string, string]>([
    ['preprint_server', 'search_query', 'all:"barn owl" AND all:"night (field: x) "'],
    ['hub_a', 'q', 'barn owl night (field: x)"'],
    ['semantic_scholar', 'query', 'barn owl night (field: x)"'],
    ['openalex', 'search', '"barn owl" AND "night (field: x) "'],
  ])('asks %s for all keywords, as phrases if supported', async (source, name, value) => {
    const { asked } = await find(source, [owl], { keywords: ['barn owl', 'night (field: x)"'] });
    expect(asked.get(name)).toBe(value);
  });

  it.each<[PaperSource, string, string[]]>([
    [
      'preprint_server',
      'search_query',
      [
        'all:"owls" AND submittedDate:[202401010000 TO 202402010000]',
        'all:"owls" AND submittedDate:[202401010000 TO 999912312359]',
        'all:"owls" AND submittedDate:[199001010000 TO 202402010000]',
      ],
    ],
    ['semantic_scholar', 'publicationDateOrYear', ['2024-01-01:2024-01-31', '2024-01-01:', ':2024-01-31']],
    [
      'openalex',
      'filter',
      [
        'from_publication_date:2024-01-01,to_publication_date:2024-01-31',
        'from_publication_date:2024-01-01',
        'to_publication_date:2024-01-31',
      ],
    ],
    ['hub_a', 'limit', ['120', '120', '120']],
  ])('asks %s for a range of days in its own format', async (source, name, values) => {
    const [dateFrom, dateTo] = ['2024-01-01', '2024-01-31'];
    const asked = [];
    for (const range of [{ dateFrom, dateTo }, { dateFrom }, { dateTo }])
      asked.push((await find(source, [owl], range)).asked.get(name));
    expect(asked).toEqual(values);
  });

  it.each(SOURCES)('accepts the last valid day as a filter of %s', async (source) => {
    const late = { ...owl, published: '9999-12-31T10:00:00Z' };
    expect((await find(source, [late], { dateTo: '9999-12-31' })).found).toHaveLength(1);
  });

  it.each(SOURCES)('reports a response of %s in an unknown format', async (source) => {
    fake.faults[source] = ['strange'];
    await expect(find(source, [owl])).rejects.toThrow("returned an answer that can't be read");
    fake.faults[source] = [];
  });

  it("splits hyphenated words, which semantic_scholar can't find", async () => {
    const { asked } = await find('semantic_scholar', [owl], { keywords: ['self-supervised'] });
    expect(asked.get('query')).toBe('self supervised');
  });
});

describe('readFeed', () => {
  it('does not expand entities that a feed declares', () => {
    const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`);
    const bomb = `<!DOCTYPE feed [<!ENTITY e0 "owl">${entities.join('')}]><feed><entry><id>1</id><title>&e9;</title></entry></feed>`;
    const [entry] = readFeed(bomb)?.entries ?? [];
    expect((entry?.title ?? '').length).toBeLessThan(1000);
  });

  it('reads no file that a feed references', () => {
    const feed = `<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed><entry><id>1</id><title>&x;</title></entry></feed>`;
    expect(JSON.stringify(readFeed(feed) ?? '')).not.toContain('root:');
  });

  it('keeps numbers and IDs as they are written', () => {
    const [entry] =
      readFeed('<feed><entry><id>2401.10000</id><title>1984</title></entry></feed>')?.entries ?? [];
    expect(entry).toMatchObject({ id: '2401.10000', title: '1984' });
  });

  it.each(['', 'no', '<html><body/></html>', '<feed><entry>', '{}'])('finds no feed in %j', (text) => {
    expect(readFeed(text)).toBeUndefined();
  });

  it('reads an entry with only an ID', () => {
    const [entry] = readFeed('<feed><entry><id>1</id><author><name/></author></entry></feed>')?.entries ?? [];
    expect(entry).toMatchObject({ id: '1', title: '', summary: '', links: [], published: null, doi: null });
  });

  it('reads text elements with attributes', () => {
    const title = '<title type="html">On &amp;lt;owls&amp;gt;</title>';
    const [entry] = readFeed(`<feed><entry><id>1</id>${title}</entry></feed>`)?.entries ?? [];
    expect(entry?.title).toBe('On &lt;owls&gt;');
  });

  it('reads an empty feed', () => {
    expect(readFeed('<feed><totalResults>0</totalResults></feed>')).toEqual({ total: 0, entries: [] });
  });
});
