import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { PaperSource } from '../../../lib/api-contract/paper-sources.ts';
import { askSource, LIMITS } from '../../../lib/papers/ask-source.ts';
import { paperSearch } from '../../../lib/papers/search.ts';
import { HubBusy } from '../../../lib/ports/hub.ts';
import { type FakePaper, type PaperFault, startFakePapers } from '../../support/fakes/fake-papers.ts';
import { paperPorts } from '../../support/papers.ts';
import { waitedMs } from '../../support/processes/waited.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const owl: FakePaper = {
  title: 'A study of the owl',
  published: '2024-01-31T12:00:00Z',
  arxivId: '2401.00001',
  authors: ['Ada Byron'],
};
const ALL: PaperSource[] = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'];

async function start() {
  const fake = await startFakePapers({
    preprint_server: [owl],
    hub_a: [owl],
    semantic_scholar: [owl],
    openalex: [owl],
  });
  const ports = paperPorts(await tempFolder(), fake.url, 20);
  return { fake, ports, search: paperSearch(ports) };
}
const query = { keywords: ['owl'], maxResults: 10 };

describe('paper search', () => {
  it('merges an article from four sources, and calls each source once per quarter of an hour', async () => {
    const { fake, ports } = await start();
    let now = Date.now();
    const search = paperSearch({ ...ports, clock: { now: () => now } });
    const found = await search({ ...query, sources: ALL });
    expect(found).toMatchObject({ totalCount: 1, errors: {} });
    expect(found.articles).toEqual([
      expect.objectContaining({ id: '2401.00001', source: 'preprint_server', score: 1 }),
    ]);
    expect(await search({ ...query, keywords: [' OWL '.trim()], maxResults: 3, sources: ALL })).toEqual(
      found,
    );
    expect(fake.requests).toHaveLength(4);
    now += 15 * 60_000 + 1;
    await search({ ...query, sources: ALL });
    expect(fake.requests).toHaveLength(8);
  });

  it('calls arXiv and Hugging Face by default', async () => {
    const { fake, search } = await start();
    await search(query);
    expect(fake.requests.map(({ source }) => source).sort()).toEqual(['hub_a', 'preprint_server']);
  });

  it('shares its result with concurrent callers of the same search', async () => {
    const { fake, search } = await start();
    fake.delayMs = 50;
    const found = await Promise.all([1, 2, 3].map(() => search({ ...query, sources: ALL })));
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(fake.requests).toHaveLength(4);
  });

  it('continues for the others if one of its callers leaves, and ends when all have', async () => {
    const { fake, ports } = await start();
    fake.faults.hub_a = ['mute'];
    const search = paperSearch({ ...ports, limits: { ...LIMITS, deadlineMs: 60_000 } });
    const callers = [new AbortController(), new AbortController()];
    const searches = callers.map(({ signal }) => search({ ...query, sources: ['hub_a'] }, { signal }));
    const outcomes = searches.map((one) => one.catch((error: Error) => error.message));
    while (fake.requests.length === 0) await pause(5);
    callers[0]?.abort(new Error('left'));
    expect(await outcomes[0]).toBe('left');
    callers[1]?.abort(new Error('left too'));
    expect(await outcomes[1]).toBe('left too');
    fake.faults.hub_a = [];
    expect(await search({ ...query, sources: ['hub_a'] })).toMatchObject({ totalCount: 1 });
    expect(fake.requests).toHaveLength(2);
  });

  it.each<[PaperFault, RegExp]>([
    ['garbage', /^Hugging Face returned an answer that isn't JSON\.$/],
    [400, /^Hugging Face failed with status 400\./],
    [401, /^Hugging Face refused the request\. Check its API key\.$/],
    ['redirect', /^Hugging Face redirects/],
  ])('returns the other results, and the reason, if a source returns %s', async (fault, reason) => {
    const { fake, search } = await start();
    fake.faults.hub_a = [fault];
    const { articles, errors } = await search({ ...query, sources: ALL });
    expect(articles).toHaveLength(1);
    expect(errors).toEqual({ hub_a: expect.stringMatching(reason) });
    expect(fake.requests.filter(({ source }) => source === 'hub_a')).toHaveLength(1);
  });

  it('waits for an unresponsive source until the deadline at most, and skips it in the next search', async () => {
    const { fake, ports, search } = await start();
    const words = ['owl', 'study', 'the'];
    for (const word of words) await search({ keywords: [word], maxResults: 1, sources: ['hub_a'] });
    fake.faults.preprint_server = ['mute'];
    const clock = { now: () => 1_000_000 }; // no pause ends
    const impatient = paperSearch({ ...ports, clock, limits: { ...LIMITS, deadlineMs: 300 } });
    const [first, ...others] = await Promise.all(
      words.map((word) => impatient({ keywords: [word], maxResults: 1 })),
    );
    const found = [first, ...others, await impatient({ keywords: ['owl'], maxResults: 1 })];
    expect(found.map((answer) => answer?.articles.length)).toEqual([1, 1, 1, 1]);
    expect(found.map((answer) => answer?.errors.preprint_server).sort()).toEqual([
      'arXiv did not answer in time.',
      ...Array(3).fill(
        expect.stringMatching(/^arXiv did not answer in time\. The service retries in \d s\.$/),
      ),
    ]);
    expect(fake.requests.filter(({ source }) => source === 'preprint_server')).toHaveLength(1);
  });

  it('waits only briefly for a late source if other sources have found something', async () => {
    const { fake, ports } = await start();
    fake.faults.preprint_server = ['mute'];
    const search = paperSearch({ ...ports, limits: { ...LIMITS, patienceMs: 200 } });
    const ask = async () =>
      expect(await search(query)).toMatchObject({
        articles: [{}],
        errors: { preprint_server: 'The source did not answer within 0.2 s. Try again later.' },
      });
    expect(await waitedMs(ask)).toBeLessThan(LIMITS.patienceMs);
  });

  it('does not retry an unreachable source', async () => {
    const { ports } = await start();
    let tries = 0;
    const find = async () => {
      tries += 1;
      throw new HubBusy('arXiv cannot be reached', { unreachable: true });
    };
    const search = paperSearch({
      ...ports,
      limits: LIMITS,
      openCatalog: async () => ({ name: 'arXiv', find }),
    });
    const { articles, errors } = await search({ ...query, sources: ['preprint_server'] });
    expect([articles, errors, tries]).toEqual([[], { preprint_server: 'arXiv cannot be reached' }, 1]);
  });

  it.each<[PaperSource, PaperFault[]]>([
    ['preprint_server', [503, 'empty']],
    ['semantic_scholar', [503, 503]],
  ])('retries %s if it is busy, within the same turn', async (source, faults) => {
    const { fake, search } = await start();
    fake.faults[source] = [...faults, 'none'];
    expect(await search({ ...query, sources: [source] })).toMatchObject({ totalCount: 1, errors: {} });
    expect(fake.requests).toHaveLength(3);
  });

  it("reports an error in arXiv's feed", async () => {
    const { fake, search } = await start();
    fake.faults.preprint_server = ['refused'];
    const { errors } = await search({ ...query, sources: ['preprint_server'] });
    expect(errors).toEqual({ preprint_server: 'arXiv refused the query. Change the search terms.' });
  });

  it('gives up on a busy source that requests a pause beyond the deadline', async () => {
    const { fake, search } = await start();
    fake.faults.semantic_scholar = [429];
    fake.retryAfter = 60;
    const { errors } = await search({ ...query, sources: ['semantic_scholar'] });
    expect(errors.semantic_scholar).toBe('Semantic Scholar limits the request rate.');
    expect(fake.requests).toHaveLength(1);
  });

  it('sends nothing if the process was paused until its turn expired', async () => {
    const { fake, ports } = await start();
    let now = Date.now();
    const clock = { now: () => (now += 16_000) };
    const asked = askSource(
      { ...ports, clock },
      'preprint_server',
      { keywords: ['owl'], limit: 1 },
      AbortSignal.any([]),
    );
    await expect(asked).rejects.toThrow('arXiv did not answer in time.');
    expect(fake.requests).toEqual([]);
  });
});
