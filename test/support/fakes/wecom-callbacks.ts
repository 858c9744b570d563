import { randomBytes } from 'node:crypto';
import { decryptText, encryptText, signParts, type WecomKeys } from '../../../lib/bots/wecom/crypto.ts';
import { readCallbackXml, writeXml } from '../../../lib/bots/wecom/xml.ts';

/**
 * The keys of WeCom's published example; test/lib/bots/wecom/crypto.test.ts checks our encryption with it.
 */
export const WECOM_KEYS: WecomKeys = {
  token: 'QDG6eK',
  corpId: 'wx5823bf96d3bd56c7',
  encodingAesKey: 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C',
};

export interface WecomTestMessage {
  from?: string;
  type?: string;
  text?: string;
  messageId?: string;
  /** Additional elements, or replacements. */
  fields?: Record<string, string | number>;
}

/** Returns the XML of a person's message. MsgId has 64 bits. */
export function wecomMessage({
  from = 'mycreate',
  type = 'text',
  text,
  messageId,
  fields,
}: WecomTestMessage = {}) {
  return writeXml({
    ToUserName: WECOM_KEYS.corpId,
    FromUserName: from,
    CreateTime: Math.floor(Date.now() / 1000),
    MsgType: type,
    ...(text === undefined ? {} : { Content: text }),
    MsgId: messageId ?? newWecomId(),
    AgentID: '218',
    ...fields,
  });
}

export function newWecomId(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}

export interface WecomRequest {
  query: { msg_signature: string; timestamp: string; nonce: string };
  body: Buffer;
}

/** Returns WeCom's request with a message. `now` is in milliseconds. */
export function sealedCallback(xml: string, now = Date.now(), keys = WECOM_KEYS): WecomRequest {
  const encrypt = encryptText(keys, xml);
  const body = writeXml({ ToUserName: keys.corpId, AgentID: '218', Encrypt: encrypt });
  return { query: signedQuery(now, keys, encrypt), body: Buffer.from(body) };
}

/** Returns a callback in plaintext, signed over only the query, or also over the body. */
export function plainCallback(xml: string, { now = Date.now(), overBody = false } = {}): WecomRequest {
  const body = Buffer.from(xml);
  return { query: signedQuery(now, WECOM_KEYS, ...(overBody ? [body] : [])), body };
}

function signedQuery(now: number, { token }: WecomKeys, ...content: (string | Uint8Array)[]) {
  const timestamp = String(Math.floor(now / 1000));
  const nonce = randomBytes(5).readUIntBE(0, 5).toString();
  return { msg_signature: signParts(token, timestamp, nonce, ...content), timestamp, nonce };
}

export function wecomPath(query: Record<string, string>): string {
  return `/api/bot/imb?${new URLSearchParams(query)}`;
}

/**
 * Handles a response as WeCom does: returns the text for the person, or undefined if there is none. Throws
 * for a response that WeCom would drop.
 */
export function readWecomAnswer(body: string): string | undefined {
  if (body === '') return undefined;
  const { Encrypt, MsgSignature, TimeStamp, Nonce, ...plain } = readCallbackXml(body) ?? {};
  if (Encrypt === undefined) return textOf(plain);
  const [encrypt, timestamp, nonce] = [Encrypt, TimeStamp, Nonce].map(String) as [string, string, string];
  if (signParts(WECOM_KEYS.token, timestamp, nonce, encrypt) !== MsgSignature)
    throw new Error('wrong signature');
  return textOf(readCallbackXml(decryptText(WECOM_KEYS, encrypt)) ?? {});
}

function textOf({ MsgType, Content, FromUserName }: Record<string, unknown>): string {
  if (MsgType !== 'text' || FromUserName !== WECOM_KEYS.corpId) throw new Error('no text of the company');
  return String(Content);
}
