import { expect, it } from '@jest/globals';
import { TooManyRequests } from '../../../../lib/errors.ts';
import type { WebSearch } from '../../../../lib/ports/web-search.ts';
import { foldFrames } from '../../../../lib/research/fold-frames.ts';
import { framesSoFar } from '../../../../lib/run-events/follow-frames.ts';
import { startResearchRig } from '../../../support/research.ts';

const OWLS = 'https://birds.example/owls';
const PAGES: Record<string, string> = { [OWLS]: '<p>Owls hunt at night in 12 forests.</p>' };

async function report(search: WebSearch['search'], sources: ('files' | 'web')[] = ['files', 'web']) {
  const rig = await startResearchRig({}, () => undefined);
  const asked: string[] = [];
  const webSearch: WebSearch = {
    ...{ name: 'Fake Search', host: 'search.example' },
    search(query, options) {
      asked.push(query);
      return search(query, options);
    },
  };
  const web = {
    fetchPublic: async (url: string) => {
      const bytes = Buffer.from(PAGES[url] ?? '');
      return { url, status: bytes.length === 0 ? 404 : 200, contentType: 'text/html', bytes };
    },
  };
  const ports = { ...rig.ports, web };
  const opened = { ...ports, webSearch: { webFor: () => ({ ...ports, webSearch }) } };
  const { runId } = await rig.begin({ question: 'When do owls hunt?', sources });
  await rig.work(opened);
  return { asked, ...foldFrames(await framesSoFar(rig.ports.records, runId)) };
}

it('a report with the source web cites pages that the search finds, and lists those that fail', async () => {
  const { asked, evidence, looked } = await report(async () => [
    { url: OWLS, title: 'Owls of the north' },
    { url: 'https://gone.example/', title: 'Gone' },
    { url: 'javascript:alert(1)', title: 'Script' },
  ]);
  expect(asked).toEqual(['When do owls hunt?']);
  expect(evidence[0]).toMatchObject({
    quote: 'Owls hunt at night in 12 forests.',
    path: expect.stringMatching(/^sources\/web\/birds-example-owls-/),
    source: { kind: 'web', title: 'Owls of the north', url: OWLS },
  });
  expect(looked).toContainEqual(expect.objectContaining({ url: 'https://gone.example/', used: false }));
});

it('a report searches nothing without the source web', async () => {
  expect((await report(async () => [{ url: OWLS, title: '' }], ['files'])).asked).toEqual([]);
});

it('a report continues without the web if the search fails, and says why', async () => {
  const { looked } = await report(async () => {
    throw new TooManyRequests('web_search_rate_limited', 'Fake Search limits the number of searches.', 9);
  });
  expect(looked).toContainEqual(
    expect.objectContaining({ used: false, reason: 'Fake Search limits the number of searches.' }),
  );
});
