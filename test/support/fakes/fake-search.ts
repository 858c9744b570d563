import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { listenHere } from './listen.ts';

export interface FakeSearch {
  url: string;
  key: string;
  /** The results of every query. */
  results: { url: string; title?: string }[];
  /** The queries that arrived, with the protocol that asked. */
  asked: { protocol: 'searxng' | 'brave' | 'tavily'; query: string; limit: number | undefined }[];
  /** Answers instead of the protocol, if it is set. */
  answer: RequestListener | undefined;
}

/** A server with the documented protocols of SearXNG, Brave, and Tavily. Ended after the test file. */
export async function startFakeSearch(): Promise<FakeSearch> {
  const fake: FakeSearch = { url: '', key: 'search-key', results: [], asked: [], answer: undefined };
  const server = createServer((request, response) => {
    if (fake.answer !== undefined) return void fake.answer(request, response);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const protocol = PROTOCOLS[`${request.method} ${pathname}`];
    void readJson(request).then((body) => {
      const [status, answer] = protocol?.(fake, { searchParams, headers: request.headers, body }) ?? [
        404,
        {},
      ];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  fake.url = await listenHere(server);
  return fake;
}

interface Asked {
  searchParams: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
}

const PROTOCOLS: Record<string, (fake: FakeSearch, asked: Asked) => [status: number, answer: object]> = {
  'GET /search': askSearxng,
  'GET /res/v1/web/search': askBrave,
  'POST /search': askTavily,
};

function askSearxng({ asked, results }: FakeSearch, { searchParams }: Asked): [number, object] {
  if (searchParams.get('format') !== 'json') return [403, {}];
  const query = searchParams.get('q') ?? '';
  asked.push({ protocol: 'searxng', query, limit: undefined });
  const found = results.map((each) => ({ ...each, content: 'A snippet.', engine: 'fake' }));
  return [200, { query, results: found, answers: [], suggestions: [] }];
}

function askBrave({ asked, results, key }: FakeSearch, { searchParams, headers }: Asked): [number, object] {
  if (headers['x-subscription-token'] !== key)
    return [422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 } }];
  const limit = Number(searchParams.get('count'));
  asked.push({ protocol: 'brave', query: searchParams.get('q') ?? '', limit });
  if (results.length === 0) return [200, { type: 'search' }];
  const found = results.map((each) => ({ ...each, description: 'A snippet.' }));
  return [200, { type: 'search', web: { type: 'search', results: found } }];
}

function askTavily({ asked, results, key }: FakeSearch, { headers, body }: Asked): [number, object] {
  if (headers.authorization !== `Bearer ${key}`)
    return [401, { detail: { error: 'Unauthorized: missing or invalid API key.' } }];
  const { query, max_results: limit } = body as { query: string; max_results: number };
  asked.push({ protocol: 'tavily', query, limit });
  const found = results.map((each) => ({ ...each, content: 'A snippet.', score: 0.9 }));
  return [200, { query, results: found, response_time: 0.1 }];
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  return text === '' ? undefined : JSON.parse(text);
}
