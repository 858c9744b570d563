import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decryptText, encryptText, signParts } from '../../../../lib/bots/wecom/crypto.ts';
import { replyXml, sealReply } from '../../../../lib/bots/wecom/reply.ts';
import { verifyUrl } from '../../../../lib/bots/wecom/verify.ts';
import { readCallbackXml } from '../../../../lib/bots/wecom/xml.ts';
import { Unauthorized } from '../../../../lib/errors.ts';
import { WECOM_KEYS } from '../../../support/fakes/wecom-callbacks.ts';

interface Vectors {
  token: string;
  corpId: string;
  encodingAESKey: string;
  keyHex: string;
  verifyUrl: Record<'msg_signature' | 'timestamp' | 'nonce' | 'echostr' | 'plain' | 'randomPrefix', string>;
  receive: Record<'msg_signature' | 'timestamp' | 'nonce' | 'encrypt', string> & { contains: string[] };
  reply: Record<
    'random' | 'to' | 'from' | 'content' | 'encrypt' | 'timestamp' | 'nonce' | 'msg_signature',
    string
  > & { createTime: number };
  threePart: { token: string; timestamp: string; nonce: string; hex: string }[];
}
const { wecom: vectors } = JSON.parse(
  readFileSync(new URL('../../../golden/bot-vectors.json', import.meta.url), 'utf8'),
) as { wecom: Vectors };

describe("WeCom's own examples", () => {
  it('use the keys of the other tests', () => {
    expect(WECOM_KEYS).toEqual({
      token: vectors.token,
      corpId: vectors.corpId,
      encodingAesKey: vectors.encodingAESKey,
    });
    expect(Buffer.from(WECOM_KEYS.encodingAesKey, 'base64').toString('hex')).toBe(vectors.keyHex);
  });

  it('verify a URL with the content of the echo', () => {
    expect(verifyUrl(WECOM_KEYS, vectors.verifyUrl)).toBe(vectors.verifyUrl.plain);
  });

  it('verify a URL even if a plus became a space', () => {
    const { echostr } = vectors.verifyUrl;
    expect(echostr).toContain('+');
    expect(verifyUrl(WECOM_KEYS, { ...vectors.verifyUrl, echostr: echostr.replaceAll('+', ' ') })).toBe(
      vectors.verifyUrl.plain,
    );
  });

  it('encrypt the echo to the same bytes', () => {
    const { plain, randomPrefix, echostr } = vectors.verifyUrl;
    expect(encryptText(WECOM_KEYS, plain, Buffer.from(randomPrefix))).toBe(echostr);
  });

  it('open a message and keep all digits of its ID', () => {
    const { encrypt, timestamp, nonce, msg_signature, contains } = vectors.receive;
    expect(signParts(WECOM_KEYS.token, timestamp, nonce, encrypt)).toBe(msg_signature);
    const xml = decryptText(WECOM_KEYS, encrypt);
    for (const part of contains) expect(xml).toContain(part);
    expect(readCallbackXml(xml)).toMatchObject({
      Content: 'hello',
      MsgId: '4561255354251345929',
      AgentID: '218',
    });
  });

  it('encrypt the reply to the same bytes', () => {
    const { to, from, createTime, content, random, timestamp, nonce, encrypt, msg_signature } = vectors.reply;
    const xml = replyXml({ toUserName: to, fromUserName: from, createTime, content });
    const sealed = sealReply(WECOM_KEYS, xml, { timestamp, nonce, random: Buffer.from(random) });
    expect(sealed).toBe(
      `<xml><Encrypt><![CDATA[${encrypt}]]></Encrypt><MsgSignature><![CDATA[${msg_signature}]]></MsgSignature><TimeStamp>${timestamp}</TimeStamp><Nonce><![CDATA[${nonce}]]></Nonce></xml>`,
    );
  });

  it.each(vectors.threePart)('sign a query without a body: $hex', ({ token, timestamp, nonce, hex }) => {
    expect(signParts(token, timestamp, nonce)).toBe(hex);
  });
});

describe('encryptText and decryptText', () => {
  it('restore texts of every length', () => {
    for (let length = 0; length <= 70; length++) {
      const text = `${'x'.repeat(length)}字`;
      const encrypted = encryptText(WECOM_KEYS, text);
      expect(Buffer.from(encrypted, 'base64').length % 32).toBe(0);
      expect(decryptText(WECOM_KEYS, encrypted)).toBe(text);
    }
  });

  it('reject text for another company, or without a company', () => {
    for (const corpId of ['wx5823bf96d3bd56c8', 'wx5823bf96d3bd56c', '']) {
      const encrypted = encryptText({ ...WECOM_KEYS, corpId }, 'hello');
      expect(() => decryptText(WECOM_KEYS, encrypted)).toThrow(Unauthorized);
    }
  });

  const body = Buffer.concat([
    Buffer.alloc(16),
    Buffer.from([0, 0, 0, 5]),
    Buffer.from('hello'),
    Buffer.from(WECOM_KEYS.corpId),
  ]);
  const pad = (byte: number, count: number) => Buffer.concat([body, Buffer.alloc(count, byte)]);
  const rest = 64 - body.length;

  it.each([
    ['padding of 0', pad(0, rest)],
    ['padding of 33', pad(33, rest)],
    ['inconsistent padding', Buffer.concat([pad(rest, rest - 2), Buffer.from([1, rest])])],
    [
      'a length beyond the end',
      Buffer.concat([Buffer.alloc(16), Buffer.from([255, 255, 255, 255]), pad(rest, rest).subarray(20)]),
    ],
    ['a block of only padding', Buffer.alloc(32, 32)],
    [
      "text that isn't UTF-8",
      Buffer.concat([
        body.subarray(0, 20),
        Buffer.from([255, 254, 253, 252, 251]),
        pad(rest, rest).subarray(25),
      ]),
    ],
  ])('reject %s with the same message', (_, plain) => {
    expect(() => decryptText(WECOM_KEYS, seal(plain))).toThrow(
      new Unauthorized('invalid_credential', "This message can't be decrypted. Check IMB_ENCODING_AES_KEY."),
    );
  });

  it('accept the unchanged originals', () => {
    expect(decryptText(WECOM_KEYS, seal(pad(rest, rest)))).toBe('hello');
  });

  it.each(['', 'AAAA', '%%%%', 'A'.repeat(43), 'x'.repeat(10_000)])('reject %.20j', (text) => {
    expect(() => decryptText(WECOM_KEYS, text)).toThrow(Unauthorized);
  });
});

function seal(plain: Buffer): string {
  const key = Buffer.from(WECOM_KEYS.encodingAesKey, 'base64');
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
}
