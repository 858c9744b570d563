import { describe, expect, it } from '@jest/globals';
import type { Capabilities } from '../../../lib/models/capabilities.ts';
import { type ChatRequest, type FakeAnswer, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';

interface Listed {
  defaultModel: string | null;
  models: { id: string; capabilities?: Capabilities }[];
}

/** Starts a server whose model supports everything, and returns the requests that it gets. */
async function startServer(answer: (request: ChatRequest) => FakeAnswer = doAll) {
  const server = await startFakeOpenai({ answer });
  whenDone(server.stop);
  const service = await startService();
  const body = { apiKey: null, baseUrl: server.url, model: 'small-chat' };
  expect((await service.call('PUT', '/api/settings/models/a', body)).status).toBe(200);
  return { server, service };
}

function doAll({ response_format, tools }: ChatRequest): FakeAnswer {
  if (response_format !== undefined) return '{"class":"bird","legs":2}';
  if (tools !== undefined) return { calls: [{ name: 'getWeather', input: { city: 'Paris' } }] };
  return Array.from({ length: 30 }, (_, at) => `word${at} `);
}

function check(service: Service, model = 'small-chat', provider = 'a') {
  return service.call<Capabilities & { error: string }>('POST', `/api/settings/models/${provider}/check`, {
    model,
  });
}

describe('POST /api/settings/models/{provider}/check', () => {
  it('detects the capabilities of a model in three calls, and GET /api/models returns them', async () => {
    const { server, service } = await startServer();
    const before = (await service.call<Listed>('GET', '/api/models')).body;
    expect(before.models.every(({ capabilities }) => capabilities === undefined)).toBe(true);
    const { status, body } = await check(service);
    expect([status, server.chatRequests]).toEqual([200, 3]);
    expect(body).toEqual({
      ...{ tools: true, jsonSchema: true, system: true, thinking: false, vision: false },
      readTokensPerSecond: expect.any(Number),
      writeTokensPerSecond: expect.any(Number),
      checkedAt: expect.stringMatching(/^\d{4}-/),
    });
    const [id] = before.models.map((model) => model.id);
    await check(service, id);
    const listed = (await service.call<Listed>('GET', '/api/models')).body;
    expect(listed.defaultModel).toBe('small-chat');
    expect(listed.models.find((model) => model.id === id)?.capabilities).toMatchObject({ tools: true });
  });

  it('reports the missing capabilities of a small model, and describes tools to it in text afterwards', async () => {
    const { server, service } = await startServer((request) =>
      JSON.stringify(request.messages).includes('# Tools')
        ? '<tool_call>{"name":"getWeather","arguments":{"city":"Paris"}}</tool_call>'
        : 'Well, I do not know.',
    );
    server.refuses = ({ tools, response_format: form, messages }) => {
      if (messages[0]?.role === 'system') return [400, 'System role not supported'];
      if (form !== undefined) return [400, 'response_format is not supported'];
      return tools && [400, 'does not support tools'];
    };
    expect((await check(service)).body).toMatchObject({ tools: false, jsonSchema: false, system: false });
  });

  it('counts tools and schemas that the server ignores as missing, and tools as text as tools', async () => {
    const ignoring = await startServer(() => 'I would look it up.');
    expect((await check(ignoring.service)).body).toMatchObject({
      tools: false,
      jsonSchema: false,
      system: true,
    });
    const texts = await startServer((request) =>
      request.tools ? '<tool_call>{"name":"getWeather","arguments":{}}</tool_call>' : doAll(request),
    );
    expect((await check(texts.service)).body).toMatchObject({ tools: true });
  });

  it('calls no model of a provider, and fails with the reason if there is no model', async () => {
    const service = await startService({
      PROVIDER_B_API_KEY: 'k',
      PROVIDER_B_BASE_URL: 'http://127.0.0.1:9',
    });
    expect((await check(service, 'claude-sonnet-4-5', 'b')).body).toMatchObject({
      tools: true,
      vision: true,
      checkedAt: null,
    });
    expect((await check(service)).status).toBe(503);
    const { server, service: gone } = await startServer();
    server.failure = 'unauthorized';
    expect((await check(gone)).status).toBe(502);
  });

  it('leaves its result in the settings, even while the server is off', async () => {
    const { server, service } = await startServer();
    const { body: found } = await check(service);
    await server.stop();
    const { body } = await service.call<{ capabilities: unknown }>('GET', '/api/settings');
    expect(body.capabilities).toEqual(found);
  });

  it('keeps the results of other models, and has no result for a model at another URL', async () => {
    const { server, service } = await startServer();
    await check(service);
    await check(service, 'other');
    const models = async () => (await service.call<Listed>('GET', '/api/models')).body.models;
    const known = (await models()).filter(({ capabilities }) => capabilities !== undefined);
    const other = await startFakeOpenai();
    whenDone(other.stop);
    await service.call('PUT', '/api/settings/models/a', {
      apiKey: null,
      baseUrl: other.url,
      model: 'small-chat',
    });
    expect((await models()).every(({ capabilities }) => capabilities === undefined)).toBe(true);
    expect(server.chatRequests).toBe(6);
    expect(known.length).toBeLessThanOrEqual(2);
  });
});
