import { createDecipheriv, createHash } from 'node:crypto';
import * as z from 'zod';
import { InvalidInput, NotConfigured } from '../../errors.ts';
import { constantTimeEqual } from '../../secrets/constant-time-equal.ts';
import { parseBoundedJson } from '../../validation/bounded-json.ts';
import { notVerified } from '../not-verified.ts';

export interface FeishuSecrets {
  verificationToken: string;
  /** If set, every event must be encrypted and signed with it. */
  encryptKey?: string | undefined;
}

export interface FeishuCallback {
  /** The body as received, because the signature covers these bytes. */
  body: Uint8Array;
  /** Header names are in lower case. */
  headers: Record<string, string | undefined>;
}

/**
 * In seconds. Feishu retries for 7.1 hours. A callback with an older signature is a replay that
 * de-duplication may no longer recognize.
 */
const MAX_AGE_SECONDS = 8 * 60 * 60;
const MAX_AHEAD_SECONDS = 10 * 60;
const BLOCK = 16;

const payloadSchema = z.looseObject({
  type: z.string().optional(),
  token: z.string().optional(),
  header: z.looseObject({ token: z.string().optional() }).optional(),
});
/** A verified callback, not yet parsed as an event. */
export type FeishuPayload = z.infer<typeof payloadSchema>;

/**
 * Returns the callback's payload once it's certain that Feishu sent it. Throws Unauthorized with the same
 * text for every failure (a decryption error must not reveal how far decryption got), InvalidInput for a body
 * that isn't a JSON object, NotConfigured if the body is encrypted and IMA_ENCRYPT_KEY isn't set. `now` is in
 * milliseconds.
 */
export function openFeishuCallback(
  callback: FeishuCallback,
  secrets: FeishuSecrets,
  now: number,
): FeishuPayload {
  const { encryptKey, verificationToken } = secrets;
  const envelope = readEnvelope(callback.body);
  if (encryptKey === undefined) return checkToken(readPlain(envelope), verificationToken);
  const payload = checkToken(readEncrypted(envelope, encryptKey), verificationToken);
  // Feishu's check of the URL isn't signed. The response repeats its content.
  if (!isChallenge(payload)) checkSignature(callback, encryptKey, now);
  return payload;
}

export function isChallenge({ type }: FeishuPayload): boolean {
  return type === 'url_verification';
}

function readEnvelope(body: Uint8Array): Record<string, unknown> {
  const value = parseJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new InvalidInput('body_unreadable', 'The body must be a JSON object.');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseBoundedJson(new TextDecoder().decode(bytes), 'body');
  } catch {
    return undefined;
  }
}

function readPlain(envelope: Record<string, unknown>): FeishuPayload {
  if (envelope.encrypt !== undefined) {
    throw new NotConfigured('bot_not_configured', 'Feishu encrypts its events. Set IMA_ENCRYPT_KEY.');
  }
  return readPayload(envelope);
}

function readEncrypted({ encrypt }: Record<string, unknown>, encryptKey: string): FeishuPayload {
  if (typeof encrypt !== 'string') throw notVerified('Feishu');
  return readPayload(parseJson(decrypt(encrypt, encryptKey)));
}

function readPayload(value: unknown): FeishuPayload {
  const payload = payloadSchema.safeParse(value);
  if (!payload.success) throw notVerified('Feishu');
  return payload.data;
}

/**
 * Decrypts AES-256-CBC with the SHA-256 of the key. The first block is the IV. Throws Unauthorized for anything else.
 */
export function decrypt(encrypted: string, encryptKey: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64');
  const key = createHash('sha256').update(encryptKey).digest();
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, BLOCK));
    return Buffer.concat([decipher.update(bytes.subarray(BLOCK)), decipher.final()]);
  } catch {
    throw notVerified('Feishu');
  }
}

/**
 * Since version 2 of events, the token is in the header. In earlier events, and in the check of the URL, it's
 * next to the type.
 */
function checkToken(payload: FeishuPayload, expected: string): FeishuPayload {
  const token = payload.header?.token ?? payload.token ?? '';
  if (!constantTimeEqual(expected, token)) throw notVerified('Feishu');
  return payload;
}

function checkSignature({ body, headers }: FeishuCallback, encryptKey: string, now: number): void {
  const timestamp = headers['x-lark-request-timestamp'] ?? '';
  const nonce = headers['x-lark-request-nonce'] ?? '';
  const expected = signCallback({ timestamp, nonce, encryptKey, body });
  if (!constantTimeEqual(expected, headers['x-lark-signature'] ?? '')) throw notVerified('Feishu');
  const age = now / 1000 - Number(timestamp);
  if (!(age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS)) throw notVerified('Feishu');
}

/** Computes Feishu's signature: SHA-256, in hexadecimal. `timestamp` is in seconds. */
export function signCallback(parts: {
  timestamp: string;
  nonce: string;
  encryptKey: string;
  body: Uint8Array;
}): string {
  const { timestamp, nonce, encryptKey, body } = parts;
  return createHash('sha256')
    .update(timestamp + nonce + encryptKey)
    .update(body)
    .digest('hex');
}
