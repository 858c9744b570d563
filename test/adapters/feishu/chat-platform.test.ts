import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as lark from '@larksuiteoapi/node-sdk';
import { feishuChatPlatform } from '../../../lib/adapters/feishu/chat-platform.ts';
import { feishuClient } from '../../../lib/adapters/feishu/client.ts';
import { decodeOpus } from '../../../lib/adapters/feishu/speech.ts';
import { InvalidInput, TooLarge, TooManyRequests, UpstreamFailed } from '../../../lib/errors.ts';
import type { BotContent } from '../../../lib/ports/chat-platform.ts';
import { type FakeFeishu, startFakeFeishu } from '../../support/fakes/fake-feishu.ts';
import { oggOpus } from '../../support/samples/ogg-opus.ts';

const final: BotContent = {
  ...{ kind: 'final', calls: [], text: '**Yes.**', workspace: '/w', seconds: 1, notices: [] },
};
const text: BotContent = { kind: 'text', text: 'hello' };

let feishu: FakeFeishu;
let now = 0;
beforeEach(async () => {
  feishu = await startFakeFeishu();
  now = 0;
});
afterEach(() => feishu.stop());

function open(settings = {}) {
  const { url: baseUrl, appId, appSecret } = feishu;
  return feishuChatPlatform(feishuClient({ baseUrl, appId, appSecret, ...settings }, { now: () => now }));
}

describe('send', () => {
  it.each([
    ['oc_chat', 'chat_id'],
    ['ou_person', 'open_id'],
    ['on_person', 'union_id'],
    ['a@b.example', 'email'],
    ['elsewhere', 'chat_id'],
  ])('sends to the recipient %s with the ID type %s', async (id, receiverType) => {
    const messageId = await open().send(id, text, { key: 'k' });
    expect(feishu.messages).toMatchObject([{ id: messageId, chatId: id, receiverType, text: 'hello' }]);
  });

  it('sends a message only once, and returns the same ID for it again', async () => {
    const platform = open();
    const first = await platform.send('oc_1', final, { key: 'k' });
    expect(await platform.send('oc_1', final, { key: 'k' })).toBe(first);
    expect(feishu.messages).toHaveLength(1);
  });

  it('sends and updates a card', async () => {
    const platform = open();
    const id = (await platform.send('oc_1', { ...final, text: 'First.' }, { key: 'k' })) ?? '';
    await platform.change?.(id, final);
    await platform.change?.(id, text);
    expect(feishu.messages[0]?.states.map(({ elements }) => elements[0])).toEqual([
      { tag: 'markdown', content: 'First.' },
      { tag: 'markdown', content: '**Yes.**' },
      { tag: 'markdown', content: 'hello' },
    ]);
  });

  it('shows plain text if Feishu rejects the Markdown of a card', async () => {
    feishu.refuseMarkdown = true;
    const platform = open();
    const id = (await platform.send('oc_1', final, { key: 'k' })) ?? '';
    await platform.change?.(id, { kind: 'error', text: 'broken' });
    expect(feishu.messages).toHaveLength(1);
    expect(feishu.messages[0]?.states.map(({ elements }) => elements[0])).toEqual([
      { tag: 'div', text: { tag: 'plain_text', content: '**Yes.**' } },
      { tag: 'div', text: { tag: 'plain_text', content: 'broken' } },
    ]);
  });

  it('sends a file once per key, even after a failure', async () => {
    const file = { name: 'a.json', bytes: Buffer.from('{"all": "of it"}') };
    feishu.failures = [{ status: 502, code: 0 }];
    await open().sendFile('oc_1', file, { key: 'k' });
    await open().sendFile('oc_1', file, { key: 'k' });
    expect(feishu.messages).toMatchObject([
      { chatId: 'oc_1', uuid: 'k', file: { name: 'a.json', text: '{"all": "of it"}' } },
    ]);
    feishu.failures = [{ status: 400, code: 99991672 }];
    await expect(open().sendFile('oc_1', file, { key: 'k2' })).rejects.toThrow('99991672');
  });

  it("reports a permanent rejection without Feishu's own message", async () => {
    const attempt = open().send('oc_foreign', text, { key: 'k' });
    await expect(attempt).rejects.toThrow(UpstreamFailed);
    await expect(attempt).rejects.toThrow('The bot is not in the Feishu chat (230002). Add it to the chat.');
    expect(feishu.calls).toHaveLength(1);
  });
});

describe('access token', () => {
  it('is fetched once for concurrent callers and cached until shortly before it expires', async () => {
    const platform = open();
    await Promise.all(['oc_1', 'oc_2', 'oc_3'].map((id) => platform.send(id, text, { key: id })));
    now = (7200 - 181) * 1000;
    await platform.send('oc_4', text, { key: '4' });
    expect(feishu.tokensIssued).toBe(1);
    now += 2000;
    await platform.send('oc_5', text, { key: '5' });
    expect(feishu.tokensIssued).toBe(2);
  });

  it('is fetched again once after Feishu rejects it', async () => {
    const platform = open();
    await platform.send('oc_1', text, { key: '1' });
    feishu.expireTokens();
    await Promise.all(['oc_2', 'oc_3'].map((id) => platform.send(id, text, { key: id })));
    expect(feishu.tokensIssued).toBe(2);
    feishu.failures = [99991663, 99991663].map((code) => ({ status: 400, code }));
    await expect(platform.send('oc_4', text, { key: '4' })).rejects.toThrow('99991663');
    expect(feishu.tokensIssued).toBe(3);
  });

  it('is refused with the name of the setting to check, but without the secret', async () => {
    const attempt = open({ appSecret: 'wrong-secret' }).send('oc_1', text, { key: '1' });
    await expect(attempt).rejects.toThrow('IMA_APP_SECRET');
    await expect(attempt).rejects.not.toThrow('wrong-secret');
    await expect(open().send('oc_1', text, { key: '1' })).resolves.toMatch(/^om_/);
  });
});

describe('requests to a busy Feishu', () => {
  it.each([
    ['its rate limit', { status: 400, code: 99991400, headers: { 'x-ogw-ratelimit-reset': '0' } }],
    ['its rate limit, as 429', { status: 429, code: 0, headers: { 'x-ogw-ratelimit-reset': '0' } }],
    ['the message limit', { status: 400, code: 230020, headers: { 'retry-after': '0' } }],
    ['a failure of Feishu', { status: 502, code: 0 }],
  ])('are retried after %s', async (_, failure) => {
    feishu.failures = [failure];
    await expect(open().send('oc_1', text, { key: 'k' })).resolves.toMatch(/^om_/);
    expect(feishu.messages).toHaveLength(1);
  });

  it('are not retried beyond the deadline of the caller', async () => {
    feishu.failures = [{ status: 429, code: 99991400, headers: { 'x-ogw-ratelimit-reset': '30' } }];
    await expect(open().send('oc_1', text, { key: 'k' })).rejects.toMatchObject({
      headers: { 'retry-after': '30' },
    });
  });

  it("report that Feishu can't be reached", async () => {
    await feishu.stop();
    await expect(open().send('oc_1', text, { key: 'k' })).rejects.toThrow("Can't reach Feishu.");
  });

  it('fail after five attempts', async () => {
    const failure = { status: 429, code: 99991400, headers: { 'x-ogw-ratelimit-reset': '0' } };
    feishu.failures = Array.from({ length: 9 }, () => failure);
    await expect(open().send('oc_1', text, { key: 'k' })).rejects.toThrow(TooManyRequests);
    expect(feishu.calls).toHaveLength(5);
  });
});

describe('download', () => {
  it('downloads a file, including JSON that is just a number', async () => {
    const bytes = Buffer.from('{"code": 7}');
    feishu.resources.set('om_1/f1', bytes);
    expect(Buffer.from(await open().download('om_1', 'f1', { maxBytes: 100 }))).toEqual(bytes);
  });

  it('rejects a file over the size limit', async () => {
    feishu.resources.set('om_1/f1', Buffer.alloc(2_000_000));
    await expect(open().download('om_1', 'f1', { maxBytes: 1000 })).rejects.toThrow(TooLarge);
  });

  it.each([
    ['a missing file', 'om_1', 'f2'],
    ['a name with path traversal', '../../auth', '../x?y=#'],
  ])('rejects %s', async (_, messageId, key) => {
    await expect(open().download(messageId, key, { maxBytes: 1000 })).rejects.toThrow(/refused the request/);
    expect(feishu.calls[0]).toMatch(/^GET \/im\/v1\/messages\/[^/]+\/resources\/[^/]+$/);
  });

  it('stops when its signal is aborted', async () => {
    feishu.failures = [{ status: 503, code: 0 }];
    const signal = AbortSignal.timeout(50);
    await expect(open().download('om_1', 'f1', { maxBytes: 1000, signal })).rejects.toThrow(/timeout|abort/i);
  });
});

describe('quoted message', () => {
  it('is returned in the format of a message callback', async () => {
    const body = { content: '{"text":"hi"}' };
    feishu.said.set('om_9', { message_id: 'om_9', msg_type: 'text', body, mentions: [{ key: '@_user_1' }] });
    expect(await open().fetchMessage?.('om_9')).toEqual({
      message_id: 'om_9',
      message_type: 'text',
      content: '{"text":"hi"}',
      mentions: [{ key: '@_user_1' }],
    });
  });

  it.each([
    [230110, /deleted/],
    [99991672, /lacks a permission .* im:message:readonly/],
  ])('is rejected with %i', async (code, told) => {
    feishu.failures = [{ status: 400, code }];
    await expect(open().fetchMessage?.('om_9')).rejects.toThrow(told);
  });
});

describe('speech recognition', () => {
  it('resamples audio to the rate that Feishu accepts', async () => {
    expect(await decodeOpus(oggOpus(2))).toHaveLength(32_000);
    const noise = await decodeOpus(oggOpus(1, Buffer.from('f8a5b4c3d2e1f00f1e2d3c4b5a69788796', 'hex')));
    expect(noise.some((sample) => Math.abs(sample) > 0.001)).toBe(true);
  });

  it('returns text, and sends long recordings in parts of under a minute', async () => {
    const transcribe = open().transcribe;
    expect(await transcribe?.(oggOpus(2))).toBe('what is in the notes');
    expect(feishu.heard.map(({ length }) => length)).toEqual([2 * 32_000]);
    expect(await transcribe?.(oggOpus(100))).toBe('what is in the notes what is in the notes');
    expect(feishu.heard.map(({ length }) => length / 32_000)).toEqual([2, 55, 45]);
  });

  it.each([
    ['another file type', Buffer.from('hello')],
    ['an Ogg without Opus', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(500)])],
    ['half a header', oggOpus(1).subarray(0, 40)],
    ['hours of silence in few bytes', oggOpus(600)],
  ])('rejects %s', async (_, bytes) => {
    await expect(open().transcribe?.(bytes)).rejects.toThrow(InvalidInput);
    expect(feishu.heard).toHaveLength(0);
  });
});

it('fake Feishu accepts a card that the official SDK sends and updates', async () => {
  const client = new lark.Client({
    appId: feishu.appId,
    appSecret: feishu.appSecret,
    domain: feishu.url,
    loggerLevel: lark.LoggerLevel.error,
  });
  const content = JSON.stringify({ config: { update_multi: true }, header: {}, elements: [] });
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: 'chat_id' },
    data: { receive_id: 'oc_1', msg_type: 'interactive', content },
  });
  const message_id = sent.data?.message_id ?? '';
  const changed = await client.im.v1.message.patch({ path: { message_id }, data: { content } });
  expect(changed.code).toBe(0);
  expect(feishu.messages).toMatchObject([{ id: message_id, chatId: 'oc_1' }]);
});
