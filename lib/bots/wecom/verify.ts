import { InvalidInput } from '../../errors.ts';
import { constantTimeEqual } from '../../secrets/constant-time-equal.ts';
import { notVerified } from '../not-verified.ts';
import type { SignedContent } from './bound-signatures.ts';
import { decryptText, signParts, type WecomKeys } from './crypto.ts';
import { readCallbackXml } from './xml.ts';

/** The maximum number of bytes in a callback. A message has a few KB. */
export const MAX_CALLBACK_BYTES = 64 * 1024;
/**
 * In milliseconds. Events are remembered for longer (lib/bots/inbox/receive.ts), so a replay is either
 * refused or recognized.
 */
const MAX_AGE_MS = 60 * 60_000;
/**
 * In milliseconds. Someone who sees a request with a signature over only its query could send another body
 * with it first.
 */
const MAX_AGE_WITHOUT_BODY_MS = 5 * 60_000;
/**
 * The signature covers the parts joined without separators. A nonce that also contained the encrypted part of
 * an observed message would sign any plaintext body, so nonces must be shorter than any encrypted part.
 */
const NONCE = /^[\w-]{1,64}$/;
const TIMESTAMP = /^\d{1,12}$/;

export interface WecomQuery {
  msg_signature?: string | undefined;
  /** The signature's name if the message isn't encrypted. */
  signature?: string | undefined;
  /** Seconds since the epoch. */
  timestamp: string;
  nonce: string;
}

/** A verified callback. bindSignature checks whether its signature was used with another body. */
export interface WecomCallback extends SignedContent {
  fields: Record<string, unknown>;
  /** True if the reply must be encrypted too. */
  encrypted: boolean;
}

/**
 * Returns the response to WeCom's check of the URL: the decrypted `echostr`, or in plaintext mode the echo itself.
 * Throws Unauthorized.
 */
export function verifyUrl(keys: WecomKeys, query: WecomQuery & { echostr: string }): string {
  const echo = query.echostr.replaceAll(' ', '+'); // Base64 has no spaces, so they are decoded plus signs
  if (isSigned(keys, query, echo)) return onlyEcho(tryDecrypt(keys, echo) ?? echo);
  if (isSigned(keys, query)) return query.echostr;
  throw notVerified('WeCom');
}

/** An encrypted message is signed like an echo, so anyone who has seen one could have this decrypt it. */
function onlyEcho(text: string): string {
  if (readCallbackXml(text) !== undefined) throw notVerified('WeCom');
  return text;
}

function tryDecrypt(keys: WecomKeys, text: string): string | undefined {
  try {
    return decryptText(keys, text);
  } catch {
    return undefined;
  }
}

/**
 * Opens a callback. The signature of an encrypted one covers its encrypted part; that of a plaintext one
 * covers the whole body or, by the specification, only the query. Errors reveal nothing about the contents
 * before the sender is verified. Throws Unauthorized, and InvalidInput if the body isn't XML.
 */
export function openWecomCallback(
  keys: WecomKeys,
  query: WecomQuery,
  body: Uint8Array,
  now: number,
): WecomCallback {
  const fields = readCallbackXml(Buffer.from(body).toString());
  const sealed = typeof fields?.Encrypt === 'string' ? fields.Encrypt : undefined;
  const content = sealed ?? body;
  if (!isSignedCallback(keys, query, { content, encrypted: sealed !== undefined, now }))
    throw notVerified('WeCom');
  const opened = sealed === undefined ? fields : readCallbackXml(decryptText(keys, sealed));
  if (opened === undefined)
    throw new InvalidInput('body_unreadable', "body isn't the XML of a message.", { field: 'body' });
  return { fields: opened, encrypted: sealed !== undefined, signature: signatureOf(query), content };
}

function isSignedCallback(
  keys: WecomKeys,
  query: WecomQuery,
  { content, encrypted, now }: { content: string | Uint8Array; encrypted: boolean; now: number },
): boolean {
  if (isSigned(keys, query, content)) return isFresh(query, now, MAX_AGE_MS);
  return !encrypted && isSigned(keys, query) && isFresh(query, now, MAX_AGE_WITHOUT_BODY_MS);
}

/** Returns true if only the query is signed, so that the signature would fit any content. */
export function signsNoContent(keys: WecomKeys, query: WecomQuery): boolean {
  return isSigned(keys, query);
}

/** Returns the hexadecimal signature, as `signParts` does. */
export function signatureOf({ msg_signature, signature }: WecomQuery): string {
  return (msg_signature ?? signature ?? '').toLowerCase();
}

function isSigned({ token }: WecomKeys, query: WecomQuery, ...content: (string | Uint8Array)[]): boolean {
  const { timestamp, nonce } = query;
  if (!NONCE.test(nonce) || !TIMESTAMP.test(timestamp)) return false;
  return constantTimeEqual(signParts(token, timestamp, nonce, ...content), signatureOf(query));
}

function isFresh({ timestamp }: WecomQuery, now: number, maxAgeMs: number): boolean {
  return Math.abs(now - Number(timestamp) * 1000) <= maxAgeMs;
}
