import { randomBytes } from 'node:crypto';
import { encryptText, signParts, type WecomKeys } from './crypto.ts';
import { writeXml } from './xml.ts';

export interface WecomReply {
  toUserName: string;
  fromUserName: string;
  /** Seconds since the epoch. */
  createTime: number;
  content: string;
}

/** Returns the reply for the response to the callback: the specification's `xml` with MsgType and Content. */
export function replyXml({ toUserName, fromUserName, createTime, content }: WecomReply): string {
  return writeXml({
    ToUserName: toUserName,
    FromUserName: fromUserName,
    CreateTime: createTime,
    MsgType: 'text',
    Content: content,
  });
}

/** Encrypts a reply to an encrypted message. `nonce` and `random` are for tests. */
export function sealReply(
  keys: WecomKeys,
  xml: string,
  {
    timestamp,
    nonce = randomBytes(8).toString('hex'),
    random,
  }: { timestamp: string; nonce?: string; random?: Uint8Array },
): string {
  const encrypt = encryptText(keys, xml, random);
  return writeXml({
    Encrypt: encrypt,
    MsgSignature: signParts(keys.token, timestamp, nonce, encrypt),
    TimeStamp: Number(timestamp),
    Nonce: nonce,
  });
}
