import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as lark from '@larksuiteoapi/node-sdk';
import * as fc from 'fast-check';
import { decrypt, openFeishuCallback, signCallback } from '../../../../lib/bots/feishu/callback.ts';
import { readEvent } from '../../../../lib/bots/feishu/event.ts';
import { InvalidInput, NotConfigured, ServiceError, Unauthorized } from '../../../../lib/errors.ts';
import { encryptFeishu, feishuCallback, feishuMessageEvent } from '../../../support/fakes/feishu-events.ts';
import { tries } from '../../../support/tries.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const TOKEN = 'verification-token';
const KEY = 'encrypt key';
const HOUR = 3_600_000;
const plain = { verificationToken: TOKEN };
const encrypted = { verificationToken: TOKEN, encryptKey: KEY };

interface Vectors {
  decrypt: { key: string; encrypt: string; plain?: string; json?: Record<string, string> }[];
  signature: { timestamp: string; nonce: string; encryptKey: string; rawBody: string; hex: string }[];
}
const { feishu } = JSON.parse(
  readFileSync(new URL('../../../golden/bot-vectors.json', import.meta.url), 'utf8'),
) as { feishu: Vectors };

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const open = (body: unknown, secrets: Parameters<typeof openFeishuCallback>[1], headers = {}) =>
  openFeishuCallback({ body: bytes(body), headers }, secrets, NOW);

describe("Feishu's own examples", () => {
  it.each(feishu.decrypt)('are decrypted with the key $key', ({ key, encrypt, plain: expected, json }) => {
    const text = decrypt(encrypt, key).toString();
    if (expected !== undefined) expect(text).toBe(expected);
    const { header } = json === undefined ? {} : (JSON.parse(text) as { header: Record<string, string> });
    if (json !== undefined) {
      expect(header).toMatchObject({ event_type: json['header.event_type'], token: json['header.token'] });
    }
  });

  it('have the same signature as ours', () => {
    for (const { hex, rawBody, ...parts } of feishu.signature) {
      expect(signCallback({ ...parts, body: bytes(rawBody) })).toBe(hex);
    }
  });

  it('include an event that is also a URL verification, which takes precedence', () => {
    const [, , contrived] = feishu.decrypt;
    const payload = open(
      { encrypt: contrived?.encrypt },
      { verificationToken: 'v', encryptKey: contrived?.key },
    );
    expect(readEvent(payload, '')).toEqual({ kind: 'challenge', challenge: '1212' });
  });
});

describe('openCallback', () => {
  const event = feishuMessageEvent(TOKEN);

  it('opens an unencrypted event by its token, even in the old format', () => {
    expect(open(event, plain)).toEqual(event);
    expect(open({ token: TOKEN, type: 'event_callback', event: {} }, plain)).toMatchObject({ event: {} });
  });

  it('opens an encrypted and signed event with any JSON formatting', () => {
    const body = bytes(
      `{ "encrypt" :\n "${encryptFeishu(JSON.stringify(event), KEY).replaceAll('/', '\\/')}" }`,
    );
    const signed = { timestamp: String(NOW / 1000), nonce: 'n' };
    const headers = {
      'x-lark-request-timestamp': signed.timestamp,
      'x-lark-request-nonce': signed.nonce,
      'x-lark-signature': signCallback({ ...signed, encryptKey: KEY, body }),
    };
    expect(openFeishuCallback({ body, headers }, encrypted, NOW)).toEqual(event);
  });

  it('opens a URL verification without a signature, but not without the token', () => {
    const challenge = (token: string) => ({
      encrypt: encryptFeishu(JSON.stringify({ type: 'url_verification', challenge: 'c', token }), KEY),
    });
    expect(open(challenge(TOKEN), encrypted)).toMatchObject({ challenge: 'c' });
    expect(() => open(challenge('other'), encrypted)).toThrow(Unauthorized);
  });

  it.each([
    ['of the last retry of Feishu', 7.1 * HOUR, true],
    ['of a replay from yesterday', 24 * HOUR, false],
    ['of a future time', -HOUR, false],
  ])('handles an event %s, signed %d ms ago: %s', (_, age, taken) => {
    const callback = feishuCallback(event, { encryptKey: KEY }, NOW - age);
    const attempt = () => openFeishuCallback(callback, encrypted, NOW);
    if (taken) expect(attempt()).toEqual(event);
    else expect(attempt).toThrow(Unauthorized);
  });

  const signed = feishuCallback(event, { encryptKey: KEY }, NOW);
  it.each([
    ['a wrong token', feishuCallback(feishuMessageEvent('other'), {}), plain],
    ['no token', { body: bytes({ type: 'event_callback' }), headers: {} }, plain],
    ["a token that isn't a string", { body: bytes({ header: { token: 1 } }), headers: {} }, plain],
    [
      'a wrong token with a valid signature',
      feishuCallback(feishuMessageEvent('x'), { encryptKey: KEY }, NOW),
      encrypted,
    ],
    ['another encrypt key', feishuCallback(event, { encryptKey: 'other' }, NOW), encrypted],
    ['no signature', { body: signed.body, headers: {} }, encrypted],
    ['a changed body', { body: bytes(`${signed.body.toString()} `), headers: signed.headers }, encrypted],
    [
      'another nonce',
      { body: signed.body, headers: { ...signed.headers, 'x-lark-request-nonce': 'x' } },
      encrypted,
    ],
    [
      'another time',
      { body: signed.body, headers: { ...signed.headers, 'x-lark-request-timestamp': '1' } },
      encrypted,
    ],
    ['an unencrypted event if a key is set', feishuCallback(event, {}), encrypted],
    [
      'an unencrypted URL verification if a key is set',
      { body: bytes({ type: 'url_verification', token: TOKEN }), headers: {} },
      encrypted,
    ],
    ['invalid Base64', { body: bytes({ encrypt: '***' }), headers: {} }, encrypted],
    ['truncated data', { body: bytes({ encrypt: 'AAAA' }), headers: {} }, encrypted],
    [
      'wrong padding',
      { body: bytes({ encrypt: Buffer.alloc(48).toString('base64') }), headers: {} },
      encrypted,
    ],
    ['a number as encrypt', { body: bytes({ encrypt: 7 }), headers: {} }, encrypted],
    [
      "an encrypted text that isn't JSON",
      { body: bytes({ encrypt: encryptFeishu('hello', KEY) }), headers: {} },
      encrypted,
    ],
  ])('rejects %s, always with the same message', (_, callback, secrets) => {
    const attempt = () => openFeishuCallback(callback, secrets, NOW);
    expect(attempt).toThrow(Unauthorized);
    expect(attempt).toThrow('This callback could not be verified as coming from Feishu.');
  });

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['a number', '7'],
    ['a string', '"text"'],
    ['an incomplete object', '{'],
    ['endless arrays', '['.repeat(100_000)],
    ['endless objects', '{"a":'.repeat(50_000)],
    ['an invalid byte', '\u0000'],
  ])('rejects %s, which is not a JSON object', (_, text) => {
    for (const secrets of [plain, encrypted]) expect(() => open(text, secrets)).toThrow(InvalidInput);
  });

  it('names the variable if an event is encrypted and no key is set', () => {
    expect(() => open({ encrypt: 'AAAA' }, plain)).toThrow(NotConfigured);
    expect(() => open({ encrypt: 'AAAA' }, plain)).toThrow('IMA_ENCRYPT_KEY');
  });
});

it('openCallback rejects or reads any input, and throws nothing else', () => {
  const { body, headers } = feishuCallback(feishuMessageEvent(TOKEN), { encryptKey: KEY }, NOW);
  const changed = fc
    .array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((edits) => {
      const bytes = Buffer.from(body);
      for (const [at, byte] of edits) bytes[at] = byte;
      return bytes;
    });
  const odd = fc.json().map((text) => Buffer.from(text));
  const inside = fc.jsonValue().map((value) => {
    const event = { ...feishuMessageEvent(TOKEN), event: value };
    return feishuCallback(event, { encryptKey: KEY }, NOW);
  });
  const raw = fc.oneof(changed, odd, fc.uint8Array()).map((bytes) => ({ body: bytes, headers }));
  fc.assert(
    fc.property(fc.oneof(raw, inside), (callback) => {
      try {
        const event = readEvent(openFeishuCallback(callback, encrypted, NOW), '2026-03-01T12:00:00.000Z');
        expect(['message', 'press', 'challenge', 'ignored']).toContain(event.kind);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }),
    { numRuns: tries(2000) },
  );
});

describe("Feishu's own SDK", () => {
  const logging = { logger: quiet(), loggerLevel: lark.LoggerLevel.fatal };

  it('reads the callbacks of the tests, which are therefore realistic', async () => {
    const seen: unknown[] = [];
    const take = async (event: unknown) => void seen.push(event);
    const dispatcher = new lark.EventDispatcher({ ...logging, encryptKey: KEY, verificationToken: TOKEN });
    dispatcher.register({ 'im.message.receive_v1': take });
    const event = feishuMessageEvent(TOKEN);
    const { body, headers } = feishuCallback(event, { encryptKey: KEY });
    const parsed = JSON.parse(body.toString()) as object;
    await dispatcher.invoke(Object.assign(Object.create({ headers }), parsed));
    expect(seen).toMatchObject([{ event_id: event.header.event_id, message: event.event.message }]);
  });

  it('answers the URL verification like our service', () => {
    const check = { type: 'url_verification', challenge: 'c-1', token: TOKEN };
    const body = { encrypt: encryptFeishu(JSON.stringify(check), KEY) };
    const { challenge } = lark.generateChallenge(body, { encryptKey: KEY });
    expect(readEvent(open(body, encrypted), '')).toEqual({ kind: 'challenge', ...challenge });
  });
});

function quiet() {
  const nothing = () => {};
  return { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing };
}
