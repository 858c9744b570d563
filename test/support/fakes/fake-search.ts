import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from '../temp-folder.ts';

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
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET' && pathname === '/search') {
      if (searchParams.get('format') !== 'json') return void response.writeHead(403).end('Forbidden');
      fake.asked.push({ protocol: 'searxng', query: searchParams.get('q') ?? '', limit: undefined });
      const results = fake.results.map((each) => ({ ...each, content: 'A snippet.', engine: 'fake' }));
      return void send(200, { query: searchParams.get('q'), results, answers: [], suggestions: [] });
    }
    if (request.method === 'GET' && pathname === '/res/v1/web/search') {
      if (request.headers['x-subscription-token'] !== fake.key)
        return void send(422, {
          type: 'ErrorResponse',
          error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 },
        });
      const limit = Number(searchParams.get('count'));
      fake.asked.push({ protocol: 'brave', query: searchParams.get('q') ?? '', limit });
      if (fake.results.length === 0) return void send(200, { type: 'search' });
      const results = fake.results.map((each) => ({ ...each, description: 'A snippet.' }));
      return void send(200, { type: 'search', web: { type: 'search', results } });
    }
    if (request.method === 'POST' && pathname === '/search') {
      if (request.headers.authorization !== `Bearer ${fake.key}`)
        return void send(401, { detail: { error: 'Unauthorized: missing or invalid API key.' } });
      let text = '';
      request.on('data', (piece) => {
        text += piece;
      });
      return void request.on('end', () => {
        const body = JSON.parse(text) as { query: string; max_results: number };
        fake.asked.push({ protocol: 'tavily', query: body.query, limit: body.max_results });
        const results = fake.results.map((each) => ({ ...each, content: 'A snippet.', score: 0.9 }));
        send(200, { query: body.query, results, response_time: 0.1 });
      });
    }
    send(404, {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
