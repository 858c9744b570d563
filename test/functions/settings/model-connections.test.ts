import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { Connections, Tested } from '../../../lib/settings/connection-schema.ts';
import type { Settings } from '../../../lib/settings/schema.ts';
import { startFakeOllama } from '../../support/fakes/fake-model-servers.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { serveUntilDone } from '../../support/processes/serve-until-done.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

const KEY = 'sk-0123456789-SECRET';
const service = await startService();
const openai = await startFakeOpenai();
whenDone(() => openai.stop());

function list(from: Service = service) {
  return from.call<Connections>('GET', '/api/settings/models');
}
function connect(provider: string, body: unknown, to: Service = service) {
  return to.call<Connections & { error: string }>('PUT', `/api/settings/models/${provider}`, body);
}
function remove(provider: string, from: Service = service) {
  return from.call<Connections>('DELETE', `/api/settings/models/${provider}`);
}
function test(provider: string, body: unknown = {}, at: Service = service) {
  return at.call<Tested & { error: string }>('POST', `/api/settings/models/${provider}/test`, body);
}
function stateOf({ connections }: Connections, provider: string) {
  return connections.find((each) => each.provider === provider);
}

describe('model connections in the settings', () => {
  it('are empty at first', async () => {
    const none = { source: 'none', hasKey: false, baseUrl: null, embeddingModel: null };
    const fresh = await startService();
    expect((await list(fresh)).body).toEqual({
      asksHost: true,
      connections: [
        { provider: 'a', name: 'The OpenAI-compatible endpoint', ...none },
        { provider: 'b', name: 'Anthropic', ...none },
        { provider: 'c', name: 'Gemini', ...none },
      ],
    });
  });

  it('apply to the next request in every function, and are removed with their default model', async () => {
    const fresh = await startService();
    expect((await fresh.call('GET', '/api/models')).status).toBe(503);
    const set = await connect('a', { apiKey: KEY, baseUrl: openai.url, model: 'gpt-x' }, fresh);
    expect(stateOf(set.body, 'a')).toMatchObject({ source: 'settings', hasKey: true, baseUrl: openai.url });
    expect((await fresh.call<Settings>('GET', '/api/settings')).body).toMatchObject({
      aiAvailable: true,
      llmProvider: 'a',
      llmModel: 'gpt-x',
      embedding: { configured: false, model: null },
    });
    expect((await fresh.call('GET', '/api/health')).body).toMatchObject({ aiAvailable: true });
    expect((await fresh.call('GET', '/api/models')).status).toBe(200);
    expect(openai.lastHeaders.authorization).toBe(`Bearer ${KEY}`);
    expect(stateOf((await remove('a', fresh)).body, 'a')).toMatchObject({ source: 'none', hasKey: false });
    expect((await fresh.call<Settings>('GET', '/api/settings')).body).toMatchObject({
      aiAvailable: false,
      llmProvider: null,
      llmModel: null,
    });
    expect((await fresh.call('GET', '/api/models')).status).toBe(503);
  });

  it('store a key only in the secret store, and in no response, audit entry, or log', async () => {
    const answers = [
      await connect('b', { apiKey: KEY, baseUrl: 'http://127.0.0.1:9/secret-path' }),
      await list(),
      await test('b'),
      await service.call('GET', '/api/settings'),
    ];
    for (const { bytes } of answers) expect(bytes.toString()).not.toContain(KEY);
    const audit = await service.call<AuditEntry[]>('GET', '/api/audit?action=models.connect');
    expect(audit.body[0]).toMatchObject({ about: 'b at 127.0.0.1:9', outcome: 'done' });
    expect(audit.bytes.toString()).not.toMatch(/SECRET|secret-path/);
    const file = join(service.dataDir, 'secrets.json');
    expect(await readFile(file, 'utf8')).toContain(KEY);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(service.output()).not.toContain(KEY);
    await remove('b');
    expect(await readFile(file, 'utf8')).not.toContain(KEY);
  });

  it('leave an entry in the audit log for each test, with the host only', async () => {
    await test('a', { apiKey: KEY, baseUrl: 'http://127.0.0.1:9/secret-path' });
    await test('b', { apiKey: KEY, baseUrl: 'http://169.254.169.254/' });
    await test('c');
    const audit = await service.call<AuditEntry[]>('GET', '/api/audit?action=models.test&limit=3');
    expect(audit.body.map(({ about, outcome }) => [about, outcome])).toEqual([
      ['c as set up', 'failed'],
      ['b at 169.254.169.254', 'refused'],
      ['a at 127.0.0.1:9', 'done'],
    ]);
    expect(audit.bytes.toString()).not.toMatch(/SECRET|secret-path/);
  });

  it('send a key only to the URL with which it was stored', async () => {
    await connect('a', { apiKey: KEY, baseUrl: openai.url });
    const other = await startFakeOllama();
    const baseUrl = `http://127.0.0.1:${other.port}/v1`;
    const moved = await connect('a', { baseUrl });
    expect([moved.status, moved.headers['x-error-code'], moved.headers['x-error-field']]).toEqual([
      400,
      'missing_value',
      'apiKey',
    ]);
    expect((await test('a', { baseUrl })).status).toBe(400);
    expect(other.asked).toEqual([]);
    expect((await test('a', { baseUrl, apiKey: null })).body).toMatchObject({ ok: true });
    expect(other.asked).toEqual([{ path: '/v1/models', authorization: 'Bearer none' }]);
    // The same URL keeps its key, so only the embedding model changes.
    const same = await connect('a', { baseUrl: `${openai.url}/`, embeddingModel: 'text-embedding-3-small' });
    expect(stateOf(same.body, 'a')).toMatchObject({ hasKey: true, embeddingModel: 'text-embedding-3-small' });
    expect((await service.call<Settings>('GET', '/api/settings')).body.embedding).toEqual({
      configured: true,
      model: 'text-embedding-3-small',
    });
    await remove('a');
  });

  it('follow no redirect', async () => {
    const target = await startFakeOllama();
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/v1/models` }).end(),
    );
    const baseUrl = `${await serveUntilDone(redirecting)}/v1`;
    for (const provider of ['a', 'b', 'c'])
      expect((await test(provider, { apiKey: KEY, baseUrl })).body).toMatchObject({
        ok: false,
        code: 'model_unreachable',
        message: expect.stringContaining('redirects to another address'),
      });
    expect(target.asked).toEqual([]);
  });

  it.each([
    [
      'a cloud metadata address',
      { apiKey: KEY, baseUrl: 'http://169.254.169.254/latest' },
      'model_address_refused',
    ],
    [
      'the same, mapped',
      { apiKey: KEY, baseUrl: 'http://[::ffff:169.254.169.254]/' },
      'model_address_refused',
    ],
    ['the same, as a number', { apiKey: KEY, baseUrl: 'http://2852039166/' }, 'model_address_refused'],
    ['credentials in the URL', { baseUrl: 'http://user:pass@127.0.0.1/v1' }, 'invalid_value'],
    [
      'a trailing hash, which would cut off the appended path',
      { baseUrl: 'http://127.0.0.1:1/stop#' },
      'invalid_value',
    ],
    ['a trailing question mark', { baseUrl: 'http://127.0.0.1:1/stop?' }, 'invalid_value'],
    ['another scheme', { baseUrl: 'file:///etc/passwd' }, 'invalid_value'],
    ['a URL without its scheme', { apiKey: KEY, baseUrl: '192.0.2.1:1/v1' }, 'invalid_value'],
    ['a host name as the scheme', { apiKey: KEY, baseUrl: 'gpu:1234' }, 'invalid_value'],
    ['neither a key nor a URL', {}, 'missing_value'],
    ['a line feed in the key', { apiKey: 'sk-1\nX-Header: 1' }, 'invalid_value'],
  ])('reject %s', async (_, body, code) => {
    const answer = await connect('c', body);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, code]);
    expect(stateOf((await list()).body, 'c')?.source).toBe('none');
  });
});

describe('provider configured by the environment', () => {
  it('is shown without its secrets, and is read-only', async () => {
    const set = await startService({
      PROVIDER_A_API_KEY: KEY,
      PROVIDER_B_BASE_URL: `https://user:${KEY}@proxy.example.org/v1`,
    });
    const { body, bytes } = await list(set);
    expect(stateOf(body, 'a')).toMatchObject({ name: 'OpenAI', source: 'environment', hasKey: true });
    expect(stateOf(body, 'b')).toMatchObject({
      source: 'environment',
      hasKey: false,
      baseUrl: 'https://proxy.example.org/v1',
    });
    expect(bytes.toString()).not.toContain('SECRET');
    for (const provider of ['a', 'b']) {
      const answer = await connect(provider, { apiKey: 'sk-other', baseUrl: openai.url }, set);
      expect([answer.status, answer.headers['x-error-code']]).toEqual([409, 'model_set_in_environment']);
    }
  });
});

it('settings still show the window that a server reports if another one is set', async () => {
  const list = { object: 'list', data: [{ id: 'm', max_model_len: 4096 }] };
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list)),
  );
  const fresh = await startService();
  const windows = async () => (await fresh.call<Settings>('GET', '/api/settings')).body;
  await connect('a', { apiKey: null, baseUrl: await serveUntilDone(server), model: 'm' }, fresh);
  const reported = { contextTokens: 4096, from: 'server' };
  // A slow server is omitted from the first response.
  const known = await eventually(windows, ({ contextWindow }) => contextWindow !== null);
  expect(known).toMatchObject({ contextWindow: reported, reportedTokens: null });
  await fresh.call('PUT', '/api/settings', { contextTokens: 16_384 });
  const set = { contextTokens: 16_384, from: 'settings' };
  expect(await windows()).toMatchObject({ contextWindow: set, reportedTokens: 4096 });
});

describe('connection test', () => {
  it('lists the models with their purpose', async () => {
    const ollama = await startFakeOllama();
    const baseUrl = `http://127.0.0.1:${ollama.port}/v1`;
    const { body } = await test('a', { baseUrl, model: 'llama3.2:3b' });
    expect(body).toMatchObject({ ok: true, code: null, message: null });
    expect(body.models.map(({ id, kind }) => [id, kind])).toContainEqual([
      'nomic-embed-text:latest',
      'embedding',
    ]);
    expect((await test('a', { baseUrl, model: 'gpt-9' })).body).toMatchObject({
      ok: false,
      code: 'model_not_found',
      message: expect.stringContaining('does not offer gpt-9'),
    });
  });

  it('lists model names as text on one line', async () => {
    const list = { object: 'list', data: [{ id: 'm\u202e1\nx\u0007' }] };
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list)),
    );
    const { body } = await test('a', { baseUrl: await serveUntilDone(server) });
    expect(body.models).toEqual([{ id: 'm1 x ', name: 'm1 x ', kind: 'chat' }]);
  });

  it.each([
    [401, 'model_credential_refused', /refused the key/],
    [403, 'model_credential_refused', /refused the key/],
    [404, 'model_not_found', /does not know the model or the URL/],
    [429, 'model_rate_limited', /rate limit/],
    [500, 'model_failed', /failed/],
  ])('explains %i in plain words', async (status, code, message) => {
    const baseUrl = await serveUntilDone(
      createServer((_, response) =>
        response.writeHead(status, { 'retry-after-ms': '1' }).end('{"x":"sk-1"}'),
      ),
    );
    const { body } = await test('b', { apiKey: KEY, baseUrl });
    expect(body).toMatchObject({ ok: false, code, message: expect.stringMatching(message), models: [] });
    expect(body.message).not.toMatch(/sk-1|\(\d+\)$|provider [abc]/);
  });

  it("names a server on the host that isn't running", async () => {
    const off = await startFakeOpenai();
    await off.stop();
    const { body } = await test('a', { baseUrl: off.url });
    expect(body.message).toBe(
      `No model server answers at ${new URL(off.url).host}. Start it, then try again.`,
    );
  });

  it("reports that no server answers there, or that a web page isn't a model server", async () => {
    expect((await test('a', { baseUrl: 'http://127.0.0.1:9/v1' })).body).toMatchObject({
      ok: false,
      code: 'model_unreachable',
    });
    const page = await serveUntilDone(createServer((_, response) => response.end('<html>')));
    expect((await test('a', { baseUrl: page })).body).toMatchObject({
      ok: false,
      code: 'model_answer_unusable',
    });
  });

  it('needs a connection, either stored or in the request', async () => {
    expect((await test('c')).headers['x-error-code']).toBe('model_not_configured');
  });
});
