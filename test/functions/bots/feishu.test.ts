import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeFeishu, feishuEnvironment, startFakeFeishu } from '../../support/fakes/fake-feishu.ts';
import { feishuCallback, feishuMessageEvent } from '../../support/fakes/feishu-events.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

const TOKEN = 'verification-token';
const PUSH_SECRET = 'push-secret';
const bearer = { authorization: `Bearer ${PUSH_SECRET}` };
const event = feishuMessageEvent(TOKEN, { content: { text: '/help' } });

let feishu: FakeFeishu;
let on: Record<string, string>;
/** One unencrypted service with the push, one with everything disabled, one encrypted. */
let plain: Service;
let off: Service;
let encrypted: Service;

beforeAll(async () => {
  feishu = await startFakeFeishu();
  whenDone(() => feishu.stop());
  on = {
    AUTH_MODE: 'token',
    ...feishuEnvironment(feishu, TOKEN),
  };
  [plain, off, encrypted] = await Promise.all([
    startService({ ...on, IMA_PUSH_SECRET: PUSH_SECRET }),
    startService({ ...on, IMA_BOT_ENABLED: 'false', IMA_PUSH_SECRET: PUSH_SECRET }),
    startService({ ...on, IMA_VERIFICATION_TOKEN: '', IMA_ENCRYPT_KEY: 'key' }),
  ]);
});
afterEach(() => {
  feishu.failures = [];
  feishu.messages = [];
});

describe('POST /api/bot/ima', () => {
  it('answers the URL verification', async () => {
    const check = { type: 'url_verification', challenge: 'ajls384kdjx98XX', token: TOKEN };
    const { status, body, headers } = await plain.call('POST', '/api/bot/ima', check);
    expect([status, body]).toEqual([200, { challenge: 'ajls384kdjx98XX' }]);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('accepts a message whatever its content type, and replies through the platform', async () => {
    const body = JSON.stringify(event, null, 3);
    const answer = await plain.call('POST', '/api/bot/ima', body, { 'content-type': 'text/plain' });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    await eventually(
      async () => feishu.messages,
      (messages) => messages.length > 0,
    );
    expect(feishu.messages[0]).toMatchObject({ chatId: 'oc_chat', card: { header: { template: 'green' } } });
  });

  it.each([
    ['another event', { ...event, header: { ...event.header, event_type: 'im.chat.updated_v1' } }],
    ['an event in an unknown format', { header: { token: TOKEN }, event: 7 }],
    ['a message from an app', feishuMessageEvent(TOKEN, { senderType: 'app' })],
  ])('returns 200 for %s, and does nothing', async (_, body) => {
    const answer = await plain.call('POST', '/api/bot/ima', body);
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  });

  it.each<[string, () => Service, unknown, number, RegExp]>([
    ['the bot is disabled', () => off, event, 503, /IMA_BOT_ENABLED/],
    ['the token is not set', () => encrypted, event, 503, /IMA_VERIFICATION_TOKEN/],
    ['it is encrypted and no key is set', () => plain, { encrypt: 'AAAA' }, 503, /IMA_ENCRYPT_KEY/],
    [
      'the token is wrong',
      () => plain,
      feishuMessageEvent('other'),
      401,
      /^This callback could not be verified as coming from Feishu\./,
    ],
    [
      'there is no token',
      () => plain,
      {},
      401,
      /^This callback could not be verified as coming from Feishu\./,
    ],
    ["the body isn't JSON", () => plain, '{"broken', 400, /JSON/],
    ['there is no body', () => plain, undefined, 400, /JSON/],
    ['the body is over 1 MB', () => plain, 'x'.repeat(1024 * 1024 + 1), 413, /1048576 bytes/],
  ])('rejects a request if %s', async (_, service, body, status, error) => {
    const answer = await service().call<{ error: string }>('POST', '/api/bot/ima', body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(error)]);
  });

  it('rejects other methods', async () => {
    expect((await plain.call('GET', '/api/bot/ima')).status).toBe(405);
  });

  it('checks the signature of the original bytes, through the gateway', async () => {
    const service = await startService({ ...on, IMA_ENCRYPT_KEY: 'key' });
    const { body, headers } = feishuCallback(feishuMessageEvent(TOKEN, { senderType: 'app' }), {
      encryptKey: 'key',
    });
    const spaced = Buffer.concat([body, Buffer.from('\n')]);
    expect((await service.call('POST', '/api/bot/ima', spaced, headers)).status).toBe(401);
    expect((await service.call('POST', '/api/bot/ima', body, headers)).status).toBe(200);
    expect(service.output()).not.toContain(TOKEN);
  });
});

describe('POST /api/bot/ima/push', () => {
  const push = (body: unknown, headers: Record<string, string> = bearer, service = plain) =>
    service.call<Record<string, unknown>>('POST', '/api/bot/ima/push', body, headers);

  it('sends a card, with or without a custom title', async () => {
    const { status, body } = await push({ chatId: 'oc_1', title: 'Weekly', content: '# All is well' });
    expect([status, body]).toEqual([200, { ok: true, messageId: feishu.messages[0]?.id }]);
    await push({ chatId: 'oc_1', content: 'x', type: 'card' });
    expect(feishu.messages.map(({ card }) => [card?.header, card?.elements])).toEqual([
      [
        { title: { tag: 'plain_text', content: 'Weekly' }, template: 'blue' },
        [{ tag: 'markdown', content: '**All is well**' }],
      ],
      [
        { title: { tag: 'plain_text', content: 'Agent Message' }, template: 'blue' },
        [{ tag: 'markdown', content: 'x' }],
      ],
    ]);
  });

  it('sends a text', async () => {
    const { status, body } = await push({ chatId: 'oc_2', content: 'plain', type: 'text' });
    expect([status, body]).toEqual([200, { ok: true }]);
    expect(feishu.messages).toMatchObject([{ chatId: 'oc_2', text: 'plain' }]);
  });

  it('sends the message again when the same push is repeated', async () => {
    for (let count = 0; count < 2; count++) await push({ chatId: 'oc_3', content: 'again' });
    expect(feishu.messages).toHaveLength(2);
  });

  it('sends a message once per Idempotency-Key, and returns the same response', async () => {
    const headers = { ...bearer, 'idempotency-key': 'nightly-1' };
    const [first, again] = [
      await push({ chatId: 'oc_4', content: 'x' }, headers),
      await push({ chatId: 'oc_4', content: 'x' }, headers),
    ];
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(feishu.messages).toHaveLength(1);
    expect((await push({ chatId: 'oc_4', content: 'y' }, headers)).status).toBe(409);
    expect((await push({ chatId: 'oc_4', content: 'x' }, { 'idempotency-key': 'nightly-1' })).status).toBe(
      401,
    );
  });

  const good = { chatId: 'oc_1', content: 'x' };
  it.each<[string, () => Service, unknown, Record<string, string>, number, RegExp]>([
    ['no secret is set', () => encrypted, {}, {}, 503, /IMA_PUSH_SECRET/],
    ['there is no credential', () => plain, good, {}, 401, /credential/],
    [
      'the key is too long',
      () => plain,
      good,
      { ...bearer, 'idempotency-key': 'x'.repeat(201) },
      400,
      /idempotency-key/,
    ],
    ['the secret is wrong', () => plain, {}, { authorization: 'Bearer other' }, 401, /credential/],
    ['the scheme is wrong', () => plain, good, { authorization: `Basic ${PUSH_SECRET}` }, 401, /credential/],
    ['the credential is wrong and the bot is disabled', () => off, {}, {}, 401, /credential/],
    ['the bot is disabled', () => off, {}, bearer, 503, /IMA_BOT_ENABLED/],
    ['chatId is missing', () => plain, { content: 'x' }, bearer, 400, /chatId/],
    ['content is missing', () => plain, { chatId: 'oc_1' }, bearer, 400, /content/],
    ['content is empty', () => plain, { ...good, content: '' }, bearer, 400, /content/],
    ["chatId isn't a string", () => plain, { ...good, chatId: 7 }, bearer, 400, /chatId/],
    ['the type is unknown', () => plain, { ...good, type: 'video' }, bearer, 400, /type/],
    ['a field is unknown', () => plain, { ...good, titel: 'x' }, bearer, 400, /titel/],
    [
      'the bot is not in the chat',
      () => plain,
      { ...good, chatId: 'oc_foreign' },
      bearer,
      502,
      /not in the Feishu chat/,
    ],
  ])('rejects a request if %s', async (_, service, body, headers, status, error) => {
    const answer = await push(body, headers, service());
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(error)]);
    expect(feishu.messages).toHaveLength(0);
  });
});
