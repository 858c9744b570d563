import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const SECRET = 'sk-0123456789-SECRET';
let answerList: Answer | undefined;
const requests: { url: string; headers: IncomingMessage['headers'] }[] = [];

/** Both protocols: lists in one response, and in pages with `after_id`. */
const provider = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  requests.push({ url: url.pathname + url.search, headers: request.headers });
  if (answerList !== undefined) return answerList(request, response);
  const json = (body: unknown) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url.pathname === '/a/v1/models')
    return json({ object: 'list', data: [{ id: 'gpt-z' }, { id: 'gpt-a' }, { id: 'gpt-a' }] });
  if (url.pathname === '/c/models')
    return json({ object: 'list', data: [{ id: 'models/gemini-2' }, { id: 'models/gemini-1' }] });
  const last = url.searchParams.get('after_id') === 'claude-1';
  const id = last ? 'claude-0' : 'claude-1';
  return json({
    data: [{ type: 'model', id, display_name: `Claude ${id.at(-1)}`, created_at: '2026-01-01T00:00:00Z' }],
    has_more: !last,
    first_id: id,
    last_id: id,
  });
});
await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
whenDone(async () => {
  provider.closeAllConnections();
  provider.close();
});
const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const [all, onlyB] = await Promise.all([
  startService({
    PROVIDER_A_API_KEY: SECRET,
    PROVIDER_A_BASE_URL: `${url}/a/v1`,
    PROVIDER_B_API_KEY: SECRET,
    PROVIDER_B_BASE_URL: `${url}/b`,
    PROVIDER_C_API_KEY: SECRET,
    PROVIDER_C_BASE_URL: `${url}/c/`,
  }),
  startService({ PROVIDER_B_BASE_URL: `${url}/b` }),
]);

function list(query = '', service = all) {
  return service.call<{
    provider: string;
    models: { id: string; name: string; capabilities?: { tools: boolean } }[];
    error: string;
  }>('GET', `/api/models${query}`);
}
afterEach(() => {
  answerList = undefined;
});

describe('GET /api/models', () => {
  it.each([
    [
      '',
      [
        { id: 'gpt-a', name: 'gpt-a' },
        { id: 'gpt-z', name: 'gpt-z' },
      ],
    ],
    [
      '?provider=a',
      [
        { id: 'gpt-a', name: 'gpt-a' },
        { id: 'gpt-z', name: 'gpt-z' },
      ],
    ],
    [
      '?provider=b',
      [
        { id: 'claude-0', name: 'Claude 0' },
        { id: 'claude-1', name: 'Claude 1' },
      ],
    ],
    [
      '?provider=c',
      [
        { id: 'gemini-1', name: 'gemini-1' },
        { id: 'gemini-2', name: 'gemini-2' },
      ],
    ],
  ])('lists by ID, over all pages: %s', async (query, models) => {
    const answer = await list(query);
    expect([answer.status, answer.body.provider]).toEqual([200, /[abc]$/.exec(query)?.[0] ?? 'a']);
    expect(answer.body.models.map(({ id, name }) => ({ id, name }))).toEqual(models);
  });

  it('returns the capabilities of models only if they are known', async () => {
    const abilities = async (query: string) => {
      const { body } = await list(query);
      return body.models.map(({ capabilities }) => capabilities?.tools);
    };
    expect(await abilities('?provider=b')).toEqual([true, true]);
    expect(await abilities('?provider=a')).toEqual([undefined, undefined]);
  });

  it('asks the first configured provider by default', async () => {
    const { body } = await list('', onlyB);
    expect([body.provider, body.models.length]).toEqual(['b', 2]);
  });

  it.each<[string, number, string, RegExp]>([
    ['a rejected key', 401, `{"error":{"message":"Incorrect API key ${SECRET}"}}`, /key/],
    ['a failure', 500, '{"error":{"message":"oops"}}', /failed/],
    ['invalid JSON', 200, '<html>', /The OpenAI-compatible endpoint/],
    ['a list in another format', 200, '{"models":7}', /list of models/],
  ])("returns 502 without the provider's message: %s", async (_what, status, body, words) => {
    answerList = (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    const answer = await list('?provider=a');
    expect(answer.status).toBe(502);
    expect(answer.body.error).toMatch(words);
    expect(answer.bytes.toString() + all.output()).not.toContain(SECRET);
  });
});
