import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { braveWebSearch } from '../../../lib/adapters/brave/web-search.ts';
import { searxngWebSearch } from '../../../lib/adapters/searxng/web-search.ts';
import { tavilyWebSearch } from '../../../lib/adapters/tavily/web-search.ts';
import type { ServiceError } from '../../../lib/errors.ts';
import type { WebSearch } from '../../../lib/ports/web-search.ts';
import { startFakeSearch } from '../../support/fakes/fake-search.ts';

const fake = await startFakeSearch();
const settings = { baseUrl: `${fake.url}/`, apiKey: fake.key, timeoutMs: 1000 };
const PROVIDERS = {
  searxng: () => searxngWebSearch({ ...settings, name: 'SearXNG' }),
  brave: (apiKey = fake.key) => braveWebSearch({ ...settings, apiKey, name: 'Brave Search' }),
  tavily: (apiKey = fake.key) => tavilyWebSearch({ ...settings, apiKey, name: 'Tavily' }),
};
const ALL = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[];

afterEach(() => {
  fake.answer = undefined;
  fake.results = [];
});

function ask(search: WebSearch, query = 'owls', signal = new AbortController().signal) {
  return search.search(query, { limit: 3, signal });
}

async function failure(search: WebSearch, signal?: AbortSignal): Promise<ServiceError> {
  return ask(search, 'owls', signal).then(
    () => Promise.reject(new Error('it succeeded')),
    (error: ServiceError) => error,
  );
}

describe.each(ALL)('web search by %s', (protocol) => {
  const open = () => PROVIDERS[protocol]();

  it('sends the query, and returns the results in their order', async () => {
    fake.results = [
      { url: 'https://a.example/', title: 'A & B' },
      { url: 'https://b.example/' },
      { url: 'https://c.example/', title: 'C' },
      { url: 'https://d.example/', title: 'D' },
    ];
    expect(await ask(open(), 'Eulen? "Nacht" & 猫头鹰')).toEqual([
      { url: 'https://a.example/', title: 'A & B' },
      { url: 'https://b.example/', title: '' },
      { url: 'https://c.example/', title: 'C' },
    ]);
    expect(fake.asked.at(-1)).toMatchObject({ protocol, query: 'Eulen? "Nacht" & 猫头鹰' });
  });

  it('returns none for a query without results', async () => {
    expect(await ask(open())).toEqual([]);
  });

  it.each<[string, string, RequestListener]>([
    ['text that is not JSON', 'web_search_answer_unusable', (_, response) => response.end('<html>')],
    [
      'JSON of another kind',
      'web_search_answer_unusable',
      (_, response) => response.end('{"web":1,"results":1}'),
    ],
    [
      '10 MB',
      'web_search_answer_unusable',
      (_, response) => response.end(`{"results":["${'x'.repeat(1e7)}"]}`),
    ],
    ['status 500', 'web_search_failed', (_, response) => response.writeHead(500).end('{}')],
    [
      'a redirect',
      'web_search_failed',
      (_, response) => response.writeHead(302, { location: fake.url }).end(),
    ],
    ['a broken connection', 'web_search_failed', (_, response) => response.destroy()],
    ['nothing', 'web_search_timeout', () => undefined],
    ['an endless body', 'web_search_timeout', (_, response) => drip(response)],
  ])('fails for %s with %s', async (_, code, answer) => {
    fake.answer = answer;
    const error = await failure(open());
    expect(error.code).toBe(code);
    expect(error.message).not.toContain(fake.key);
  });

  it.each([
    [{ 'retry-after': '17' }, '17'],
    [{ 'x-ratelimit-reset': '2, 1419704' }, '2'],
    [{ 'retry-after': 'soon' }, '60'],
  ])('passes on a rate limit: %j', async (headers, seconds) => {
    fake.answer = (_, response) => response.writeHead(429, headers).end('{}');
    const error = await failure(open());
    expect([error.code, error.status, error.headers['retry-after']]).toEqual([
      'web_search_rate_limited',
      429,
      seconds,
    ]);
  });

  it('stops with the reason of its signal', async () => {
    fake.answer = () => undefined;
    const reason = new Error('stopped');
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 20);
    await expect(ask(open(), 'owls', stop.signal)).rejects.toBe(reason);
  });
});

function drip(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

describe('keys', () => {
  it.each(['brave', 'tavily'] as const)('of %s that are refused have their own code', async (protocol) => {
    const error = await failure(PROVIDERS[protocol]('wrong-key'));
    expect(error.code).toBe('web_search_key_refused');
    expect(error.message).not.toContain('wrong-key');
  });

  it('do not exist at SearXNG, which refuses a format', async () => {
    fake.answer = (_, response) => response.writeHead(403).end();
    const error = await failure(PROVIDERS.searxng());
    expect([error.code, error.message]).toEqual([
      'web_search_failed',
      expect.stringContaining('search.formats'),
    ]);
  });

  it.each([402, 432, 433])('whose plan is used up are reported (%i)', async (status) => {
    fake.answer = (_, response) => response.writeHead(status).end('{}');
    expect((await failure(PROVIDERS.tavily())).message).toContain('no searches left');
  });
});

describe('a server that the settings name', () => {
  const proxy = { http: undefined, https: undefined, no: undefined };
  const open = (policy: 'host' | 'cloud') =>
    searxngWebSearch({ ...settings, name: 'SearXNG', guard: { policy, proxy } });

  it('may be on this host, but on AWS not the loopback', async () => {
    expect(await ask(open('host'))).toEqual([]);
    expect((await failure(open('cloud'))).code).toBe('web_search_failed');
  });
});
