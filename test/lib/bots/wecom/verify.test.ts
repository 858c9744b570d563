import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encryptText, signParts } from '../../../../lib/bots/wecom/crypto.ts';
import { readWecomMessage } from '../../../../lib/bots/wecom/message.ts';
import { openWecomCallback, verifyUrl, type WecomQuery } from '../../../../lib/bots/wecom/verify.ts';
import { readCallbackXml, writeXml } from '../../../../lib/bots/wecom/xml.ts';
import { InvalidInput, Unauthorized } from '../../../../lib/errors.ts';
import {
  plainCallback,
  readWecomAnswer,
  sealedCallback,
  WECOM_KEYS,
  type WecomRequest,
  wecomMessage,
} from '../../../support/fakes/wecom-callbacks.ts';
import { tries } from '../../../support/tries.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const AT = '2026-03-01T12:00:00.000Z';
const open = ({ query, body }: WecomRequest, now = NOW) => openWecomCallback(WECOM_KEYS, query, body, now);

describe('verifyUrl', () => {
  const timestamp = '1772366400';
  const nonce = '42';
  const sign = (...content: string[]) => signParts(WECOM_KEYS.token, timestamp, nonce, ...content);

  it('returns the echo itself in plaintext mode, with either form of the signature', () => {
    const echostr = '1616140317555161061';
    for (const signed of [
      { msg_signature: sign(echostr) },
      { msg_signature: sign() },
      { signature: sign() },
      { msg_signature: sign().toUpperCase() },
    ]) {
      expect(verifyUrl(WECOM_KEYS, { ...signed, timestamp, nonce, echostr })).toBe(echostr);
    }
  });

  it('decrypts no message for an attacker who has seen an encrypted message', () => {
    const { query, body } = sealedCallback(wecomMessage({ text: 'secret' }), NOW);
    const echostr = String(readCallbackXml(body.toString())?.Encrypt);
    expect(() => verifyUrl(WECOM_KEYS, { ...query, echostr })).toThrow(Unauthorized);
  });

  it.each([
    ['no signature', {}],
    ['an empty one', { msg_signature: '' }],
    ['the signature of another echo', { msg_signature: sign('other') }],
    ['the signature with another token', { msg_signature: signParts('QDG6eL', timestamp, nonce, 'echo') }],
    ['a truncated signature', { msg_signature: sign('echo').slice(0, 39) }],
  ])('rejects %s', (_, signed) => {
    expect(() => verifyUrl(WECOM_KEYS, { ...signed, timestamp, nonce, echostr: 'echo' })).toThrow(
      Unauthorized,
    );
  });
});

describe('openCallback', () => {
  const xml = wecomMessage({ text: 'hello', messageId: '18446744073709551615' });

  it('opens an encrypted message, and a plaintext one signed over its body or over the query', () => {
    expect(open(sealedCallback(xml, NOW))).toMatchObject({ encrypted: true, fields: { Content: 'hello' } });
    for (const overBody of [true, false]) {
      expect(open(plainCallback(xml, { now: NOW, overBody }))).toMatchObject({
        encrypted: false,
        fields: { Content: 'hello', MsgId: '18446744073709551615' },
      });
    }
  });

  it('rejects an encrypted message with only its query signed, or with another encrypted part', () => {
    const sealed = sealedCallback(xml, NOW);
    const { query } = plainCallback(xml, { now: NOW });
    expect(() => open({ ...sealed, query })).toThrow(Unauthorized);
    const other = sealedCallback(wecomMessage({ text: 'other' }), NOW);
    expect(() => open({ query: sealed.query, body: other.body })).toThrow(Unauthorized);
  });

  it('rejects a body that was changed after it was signed', () => {
    const { query } = plainCallback(xml, { now: NOW, overBody: true });
    expect(() => open({ query, body: Buffer.from(xml.replace('hello', 'hullo')) })).toThrow(Unauthorized);
  });

  it('rejects a plaintext body with the signature of an encrypted message that an attacker saw', () => {
    // WeCom signs the joined parts, so moving the encrypted part into the nonce doesn't change the sum.
    const keys = { ...WECOM_KEYS, token: 'zzzz' };
    const timestamp = String(NOW / 1000);
    const nonce = '99';
    let encrypt = '';
    while (!/^[a-y]/.test(encrypt)) encrypt = encryptText(keys, xml); // sorts between the nonce and the token
    const msg_signature = signParts(keys.token, timestamp, nonce, encrypt);
    const moved: WecomQuery = { msg_signature, timestamp, nonce: `${nonce}${encrypt}` };
    expect(signParts(keys.token, timestamp, moved.nonce)).toBe(msg_signature);
    expect(() => openWecomCallback(keys, moved, Buffer.from(wecomMessage({ text: 'forged' })), NOW)).toThrow(
      Unauthorized,
    );
  });

  it('rejects signatures that are over an hour old, or in the future', () => {
    for (const signedAt of [NOW - HOUR - 1000, NOW + HOUR + 1000])
      expect(() => open(sealedCallback(xml, signedAt))).toThrow(Unauthorized);
    for (const signedAt of [NOW - HOUR + 1000, NOW + HOUR - 1000])
      expect(open(sealedCallback(xml, signedAt))).toMatchObject({ encrypted: true });
  });

  it('rejects signatures without the body after five minutes', () => {
    const late = 5 * 60_000 + 1000;
    expect(() => open(plainCallback(xml, { now: NOW - late }))).toThrow(Unauthorized);
    expect(open(plainCallback(xml, { now: NOW - late, overBody: true }))).toMatchObject({ encrypted: false });
  });

  it('reports nothing about a body before its sender is verified, and InvalidInput afterwards', () => {
    for (const body of ['', 'hello', '<xml', '{"a":1}', '<xml>text</xml>', '<html></html>']) {
      const query = { msg_signature: '0'.repeat(40), timestamp: String(NOW / 1000), nonce: '1' };
      expect(() => open({ query, body: Buffer.from(body) })).toThrow(Unauthorized);
      expect(() => open(plainCallback(body, { now: NOW }))).toThrow(InvalidInput);
      expect(() => open(sealedCallback(body, NOW))).toThrow(InvalidInput);
    }
  });

  it('opens or rejects any bytes, and throws nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
        ),
        fc.constantFrom(
          '',
          '<xml>',
          '<xml><Encrypt>',
          '<xml><Encrypt><![CDATA[',
          '<!DOCTYPE a [<!ENTITY b "c">]><xml>&b;',
        ),
        (text, before) => {
          expectRefusal(() => open(plainCallback(before + text, { now: NOW })));
          expectRefusal(() => open(sealedCallback(before + text, NOW)));
        },
      ),
      { numRuns: tries(1000), seed: 8 },
    );
  });

  it('does not expand entities', () => {
    const lol = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    );
    const bomb = `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}]><xml><FromUserName>&l30;</FromUserName></xml>`;
    expectRefusal(() =>
      expect(JSON.stringify(open(plainCallback(bomb, { now: NOW })))).not.toContain('lollol'),
    );
  });
});

/** Expects an error of the service. */
function expectRefusal(attempt: () => unknown): void {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof InvalidInput || error instanceof Unauthorized)) throw error;
  }
}

describe('readMessage', () => {
  const read = (message: Parameters<typeof wecomMessage>[0]) =>
    readWecomMessage(readCallbackXml(wecomMessage(message)) ?? {}, AT);

  it('reads a text with its lines, its markup, and all digits of its ID', () => {
    const text = '/help\n<b>two</b> &amp; ]]> three';
    expect(read({ from: 'li', text, messageId: '4561255354251345929' })?.message).toEqual({
      kind: 'message',
      platform: 'imb',
      chatId: 'li',
      chatType: 'p2p',
      senderId: 'li',
      messageId: '4561255354251345929',
      content: { type: 'text', text },
      receivedAt: AT,
    });
  });

  it.each([
    ['voice', { MediaId: 'm1', Format: 'amr' }, { type: 'audio', key: 'm1', durationMs: null }],
    ['file', { MediaId: 'm1', FileName: 'a.md' }, { type: 'file', key: 'm1', name: 'a.md' }],
    ['file', { MediaId: 'm1' }, { type: 'file', key: 'm1', name: 'file' }],
    ['image', { MediaId: 'm1', PicUrl: 'http://x' }, { type: 'other', name: 'image' }],
    ['location', { Location_X: '1' }, { type: 'other', name: 'location' }],
    ['voice', {}, { type: 'other', name: 'voice' }],
  ])('reads %s %j', (type, fields, content) => {
    expect(read({ type, fields: fields as Record<string, string> })?.message.content).toEqual(content);
  });

  it('ignores events', () => {
    expect(read({ type: 'event', fields: { Event: 'enter_agent', MsgId: '' } })).toBeUndefined();
  });

  it.each([
    ['FromUserName', { FromUserName: '' }],
    ['FromUserName', { FromUserName: 'x'.repeat(121) }],
    ['FromUserName', { FromUserName: '@all' }],
    ['FromUserName', { FromUserName: '@ALL' }],
    ['FromUserName', { FromUserName: 'li|wang' }],
    ['FromUserName', { FromUserName: 'li wang' }],
    ['MsgType', { MsgType: '' }],
    ['MsgId', { MsgId: '' }],
    ['MsgId', { MsgId: '1'.repeat(121) }],
    ['MsgId', { MsgId: '1 2' }],
  ])('names %s if it is missing or wrong', (name, fields) => {
    expect(() => read({ text: 'hello', fields })).toThrow(
      new RegExp(`^body has (a missing or invalid|no) ${name}\\.`),
    );
  });

  it('rejects an element that occurs twice', () => {
    const xml = wecomMessage({ text: 'hello' }).replace('</xml>', '<Content>more</Content></xml>');
    expect(() => readWecomMessage(readCallbackXml(xml) ?? {}, AT)).toThrow(InvalidInput);
  });
});

describe('writeXml', () => {
  it('writes every valid XML text losslessly', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(']', '>', '<', '&', '[', 'x', '字', '😀', '\n') }),
        (content) => {
          const read = readWecomAnswer(
            writeXml({ FromUserName: WECOM_KEYS.corpId, MsgType: 'text', Content: `.${content}.` }),
          );
          expect(read).toBe(`.${content}.`);
        },
      ),
      { seed: 8 },
    );
  });

  it("omits characters that XML doesn't allow", () => {
    expect(writeXml({ A: 'a\0b\u000bc\ud800d\uffff' })).toBe('<xml><A><![CDATA[abc\ufffdd]]></A></xml>');
  });
});
