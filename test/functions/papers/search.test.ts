import { describe, expect, it } from '@jest/globals';
import type { FoundPapers } from '../../../lib/ports/papers.ts';
import { readStream } from '../../support/agent-client.ts';
import { inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type FakePaper, paperEnv, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const owl: FakePaper = {
  title: 'A study of the owl in flight',
  published: '2024-01-31T23:59:59Z',
  arxivId: '2401.00001',
  authors: ['Ada Byron', 'Mary Shelley'],
  abstract: 'Owls hunt at night.',
};
const printed = { ...owl, published: '2024-03-01T00:00:00Z', doi: '10.1000/owl' };
const later: FakePaper = {
  ...owl,
  title: 'The owl, a year on',
  published: '2024-02-01T00:00:00Z',
  arxivId: '2402.00002',
};
const fake = await startFakePapers({
  preprint_server: [owl, later],
  hub_a: [later, owl],
  semantic_scholar: [printed],
  openalex: [{ ...printed, arxivId: undefined } as FakePaper],
});
const provider = await startFakeOpenai();
whenDone(() => provider.stop());
const service = await startService({ ...paperEnv(fake), PROVIDER_A_BASE_URL: provider.url });

function search(body: unknown) {
  return service.call<FoundPapers & { error: string }>('POST', '/api/paper-study/search', body);
}

describe('POST /api/paper-study/search', () => {
  it('returns one article for duplicates of several sources', async () => {
    const sources = ['arxiv', 'huggingface', 'semantic-scholar', 'openalex', 'preprint_server'];
    const { status, body } = await search({ keywords: ['owl', 'flight'], sources });
    expect(status).toBe(200);
    expect(body).toEqual({
      articles: [
        {
          id: '2401.00001',
          isOpen: true,
          title: owl.title,
          authors: owl.authors,
          abstract: owl.abstract,
          url: 'https://arxiv.org/abs/2401.00001v2',
          pdfUrl: 'https://arxiv.org/pdf/2401.00001v2',
          publishedDate: '2024-01-31',
          source: 'preprint_server',
          doi: '10.1000/owl',
          score: expect.any(Number),
        },
        expect.objectContaining({ id: '2402.00002', source: 'hub_a', doi: null }),
      ],
      totalCount: 2,
      errors: {},
    });
    expect(body.articles[0]?.score).toBeGreaterThan(body.articles[1]?.score ?? 1);
  });

  it('filters by the days of the range, including all of the last one', async () => {
    const sources = ['hub_a'];
    const ids = async (range: object) =>
      (await search({ keywords: ['owl'], sources, ...range })).body.articles.map(({ id }) => id);
    expect(await ids({ dateTo: '2024-01-31' })).toEqual(['2401.00001']);
    expect(await ids({ dateFrom: '2024-02-01' })).toEqual(['2402.00002']);
    expect(await ids({ dateFrom: '2024-01-31', dateTo: '2024-02-01' })).toHaveLength(2);
  });

  it('returns at most maxResults articles, and the total number', async () => {
    const { body } = await search({ keywords: ['owl'], maxResults: 1, sources: ['hub_a'] });
    expect([body.articles.length, body.totalCount]).toEqual([1, 2]);
  });

  it('calls arXiv at most once in 3 seconds', async () => {
    for (const word of ['study', 'flight']) await search({ keywords: [word], sources: ['arxiv'] });
    const asked = fake.requests.filter(({ source }) => source === 'preprint_server').map(({ at }) => at);
    expect((asked.at(-1) ?? 0) - (asked.at(-2) ?? 0)).toBeGreaterThanOrEqual(3000);
  });

  it('returns 200 with the reason if a source fails', async () => {
    fake.faults.openalex = [400];
    const { status, body } = await search({ keywords: ['the owl'], sources: ['openalex', 'hub_a'] });
    expect([status, body.articles.length, body.errors]).toEqual([
      200,
      2,
      { openalex: 'OpenAlex failed with status 400. Try again later.' },
    ]);
    fake.faults.openalex = [];
  });

  it.each([
    ['no keywords', {}, 'keywords'],
    ['an empty list', { keywords: [] }, 'keywords'],
    ["keywords that aren't a list", { keywords: 'owl' }, 'keywords'],
    ['an empty keyword', { keywords: ['owl', ' '] }, 'keywords.1'],
    ['a keyword without a letter', { keywords: ['"*"'] }, 'keywords.0'],
    ['a long keyword', { keywords: ['x'.repeat(201)] }, 'keywords.0'],
    ['many keywords', { keywords: Array(11).fill('owl') }, 'keywords'],
    ['zero results', { keywords: ['owl'], maxResults: 0 }, 'maxResults'],
    ['31 results', { keywords: ['owl'], maxResults: 31 }, 'maxResults'],
    ['a fractional number of results', { keywords: ['owl'], maxResults: 1.5 }, 'maxResults'],
    ['an invalid day', { keywords: ['owl'], dateFrom: '2023-02-29' }, 'dateFrom'],
    ['a time', { keywords: ['owl'], dateTo: '2024-01-31T00:00:00Z' }, 'dateTo'],
    [
      'a range that ends before its start',
      { keywords: ['owl'], dateFrom: '2024-02-01', dateTo: '2024-01-31' },
      'dateTo',
    ],
    ['an unknown source', { keywords: ['owl'], sources: ['library'] }, 'sources.0'],
    ['no source', { keywords: ['owl'], sources: [] }, 'sources'],
    ['an unknown field', { keywords: ['owl'], query: 'owl' }, 'query'],
  ])('returns 400 for %s', async (_what, body, field) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(field) });
  });

  it('returns 405 for GET', async () => {
    expect((await service.call('GET', '/api/paper-study/search')).status).toBe(405);
  });
});

describe('agent with paper tools', () => {
  it('searches and reads papers, but not papers at a private address', async () => {
    const { id } = await makeWorkspace(service);
    provider.answer = inTurn(
      {
        calls: [
          { name: 'searchArticles', input: { keywords: ['owl'], sources: ['hub_a'] } },
          { name: 'readPaper', input: { url: `${fake.url}/paper.pdf` } },
          {
            name: 'searchArticles',
            input: { keywords: ['owl'], dateFrom: '2024-02-01', dateTo: '2024-01-31' },
          },
        ],
      },
      'Done.',
    );
    const messages = [{ role: 'user', content: 'What of owls?' }];
    const { frames } = await readStream(service, '/api/agent', {
      body: { workspaceId: id, cwd: '', messages },
    });
    const parts = frames.map(({ part }) => part);
    const found = parts.find(({ type }) => type === 'tool-output-available')?.output;
    expect(found).toMatchObject({
      totalCount: 2,
      errors: {},
      articles: [{ id: '2402.00002' }, { id: '2401.00001' }],
    });
    const refused = parts
      .filter(({ type }) => type === 'tool-output-error')
      .map(({ errorText }) => errorText);
    expect(refused.sort()).toEqual([
      'dateTo must not be before dateFrom.',
      expect.stringMatching(/^url must /),
    ]);
  });
});
