import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LIST_PRICES, LIST_PRICES_AS_OF } from '../../../lib/prices/list-prices.ts';
import type { Settings } from '../../../lib/settings/schema.ts';
import { type Service, startService } from '../../support/service.ts';

const TOKEN = 'hf_0123456789-SECRET';
const service = await startService();
const connected = await startService({
  PROVIDER_A_API_KEY: 'key',
  IMA_BOT_ENABLED: 'true',
  IMA_CONNECTION: 'websocket',
  IMA_APP_ID: 'cli_1',
  IMA_APP_SECRET: 'x',
});

function read(from: Service = service) {
  return from.call<Settings>('GET', '/api/settings');
}
function update(body: unknown, to: Service = service) {
  return to.call<Settings & { error: string }>('PUT', '/api/settings', body);
}

describe('GET /api/settings', () => {
  it('returns an empty configuration for a new service', async () => {
    const none = { configured: false, baseUrl: null };
    const fresh = await startService();
    expect((await read(fresh)).body).toEqual({
      aiAvailable: false,
      llmProvider: null,
      llmModel: null,
      contextTokens: null,
      capabilities: null,
      contextWindow: null,
      reportedTokens: null,
      providers: { a: none, b: none, c: none },
      embedding: { configured: false, model: null },
      semanticSearch: 'on',
      citationJudge: 'off',
      citationJudgeSource: 'environment',
      workspaceRoots: [fresh.root],
      hubAToken: { configured: false, source: null },
      webSearch: { provider: null, source: null, baseUrl: null, hasKey: false },
      codeHostToken: { configured: false },
      bots: {
        ima: { enabled: false, connection: 'webhook', missing: expect.arrayContaining(['IMA_BOT_ENABLED']) },
        imb: { enabled: false, missing: expect.arrayContaining(['IMB_BOT_ENABLED']) },
      },
      cluster: { configured: false },
      reportTimezone: 'UTC',
      prices: {},
      listPrices: { asOf: LIST_PRICES_AS_OF, models: LIST_PRICES },
    });
  });

  it('lists the missing settings of a bot that polls for its messages', async () => {
    expect((await read(connected)).body.bots.ima).toEqual({
      enabled: true,
      connection: 'websocket',
      missing: [],
    });
  });

  it('returns the settings of the environment, without secrets', async () => {
    const secret = 'sk-0123456789-SECRET';
    const full = await startService({
      PROVIDER_A_API_KEY: secret,
      PROVIDER_B_BASE_URL: `https://user:${secret}@proxy.example.org/v1?key=${secret}`,
      EMBEDDING_API_KEY: secret,
      EMBEDDING_MODEL: 'embed-1',
      CITATION_JUDGE: 'on',
      LLM_PROVIDER: 'b',
      LLM_MODEL: 'model-1',
      HUB_A_TOKEN: secret,
      CODE_HOST_TOKEN: secret,
      IMA_BOT_ENABLED: 'true',
      IMA_APP_ID: 'cli_1',
      KUBECONFIG_PATH: '/nowhere',
      REPORT_TIMEZONE: 'Europe/Berlin',
    });
    const answer = await read(full);
    expect(answer.body).toMatchObject({
      aiAvailable: true,
      llmProvider: 'b',
      llmModel: 'model-1',
      providers: {
        a: { configured: true },
        b: { configured: true, baseUrl: 'https://proxy.example.org/v1' },
      },
      embedding: { configured: true, model: 'embed-1' },
      citationJudge: 'on',
      hubAToken: { configured: true, source: 'env' },
      codeHostToken: { configured: true },
      bots: {
        ima: { enabled: true, missing: ['IMA_APP_SECRET', 'IMA_VERIFICATION_TOKEN'] },
        imb: { enabled: false },
      },
      cluster: { configured: true },
      reportTimezone: 'Europe/Berlin',
    });
    expect(answer.bytes.toString()).not.toContain('-SECRET');
    const set = await update({ hubAToken: TOKEN, llmProvider: 'a' }, full);
    expect(set.body).toMatchObject({
      llmProvider: 'a',
      hubAToken: { source: 'env' },
      notInForce: { hubAToken: 'HUB_A_TOKEN is set in the environment, which overrides the value here' },
    });
  });
});

describe('PUT /api/settings', () => {
  it('changes the given settings, returns all, and resets with null', async () => {
    const changed = await update({ llmProvider: 'c', llmModel: 'gemini-x', reportTimezone: 'Asia/Tokyo' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      llmProvider: 'c',
      llmModel: 'gemini-x',
      reportTimezone: 'Asia/Tokyo',
    });
    expect((await read()).body).toEqual(changed.body);
    expect(changed.body).not.toHaveProperty('notInForce');
    const back = await update({ llmModel: null });
    expect(back.body).toMatchObject({ llmProvider: 'c', llmModel: null, reportTimezone: 'Asia/Tokyo' });
    const none = await update({ llmProvider: null, reportTimezone: null });
    expect(none.body).toMatchObject({ llmProvider: null, reportTimezone: 'UTC' });
    expect((await update({})).body).toEqual(none.body);
  });

  it('stores a token in the secret store only, and removes it', async () => {
    const answer = await update({ hubAToken: TOKEN });
    expect(answer.body.hubAToken).toEqual({ configured: true, source: 'settings' });
    expect(answer.bytes.toString()).not.toContain(TOKEN);
    expect(await readFile(join(service.dataDir, 'secrets.json'), 'utf8')).toContain(TOKEN);
    for (const file of ['service.sqlite', 'service.sqlite-wal'])
      expect(await readFile(join(service.dataDir, file), 'latin1').catch(() => '')).not.toContain(TOKEN);
    expect(service.output()).not.toContain(TOKEN);
    expect((await update({ hubAToken: null })).body.hubAToken).toEqual({ configured: false, source: null });
    expect(await readFile(join(service.dataDir, 'secrets.json'), 'utf8')).not.toContain(TOKEN);
  });

  it("turns the citation judge on and off, and restores the environment's value with null", async () => {
    const judge = async (citationJudge: unknown, of = service) =>
      (await update({ citationJudge }, of)).body.citationJudge;
    expect([await judge('on'), await judge('off'), await judge(null)]).toEqual(['on', 'off', 'off']);
    const on = await startService({ CITATION_JUDGE: 'on' });
    expect([await judge('off', on), await judge(null, on)]).toEqual(['off', 'on']);
  });

  it('keeps all of several concurrent changes', async () => {
    await Promise.all([
      update({ llmProvider: 'a' }),
      update({ llmModel: 'm-1' }),
      update({ reportTimezone: 'Europe/Paris' }),
    ]);
    expect((await read()).body).toMatchObject({
      llmProvider: 'a',
      llmModel: 'm-1',
      reportTimezone: 'Europe/Paris',
    });
  });

  it('applies to the other functions', async () => {
    const health = async (of: Service) =>
      (await of.call<{ aiAvailable: boolean }>('GET', '/api/health')).body.aiAvailable;
    expect(await health(connected)).toBe(true);
    await update({ llmProvider: 'b' }, connected);
    const after = await startService({
      PROVIDER_A_API_KEY: 'key',
      DATA_DIR: connected.dataDir,
      DATA_DIR_SHARED: 'true',
    });
    // Which hasn't read them before; with-settings.test.ts covers functions that have.
    expect(await health(after)).toBe(false);
  });

  it.each([
    ['an unknown field', { llmKey: 'x' }, 'llmKey'],
    ['an unknown provider', { llmProvider: 'd' }, 'llmProvider'],
    ['an empty model', { llmModel: '' }, 'llmModel'],
    ['a model with a line break', { llmModel: 'a\nb' }, 'llmModel'],
    ['a number as the model', { llmModel: 1 }, 'llmModel'],
    ['an empty token', { hubAToken: '' }, 'hubAToken'],
    ["a token that isn't a valid header value", { hubAToken: 'a\r\nb' }, 'hubAToken'],
    ['a citation judge that is neither on nor off', { citationJudge: true }, 'citationJudge'],
    ['an unknown time zone', { reportTimezone: 'Mars/Base' }, 'reportTimezone'],
    ['a body that is not JSON', '{', 'json'],
    ['a list', [], 'body'],
  ])('returns 400 for %s, and changes nothing', async (_what, body, word) => {
    const before = (await read()).body;
    const answer = await update(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(word);
    expect((await read()).body).toEqual(before);
  });
});
