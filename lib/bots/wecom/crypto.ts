import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Unauthorized } from '../../errors.ts';

/** The keys from the page where the callback URL was set up. */
export interface WecomKeys {
  token: string;
  /** Base64 of 32 bytes, without the `=` at its end: 43 characters. */
  encodingAesKey: string;
  /** The company's ID, which ends every encrypted message. Messages for another company are refused. */
  corpId: string;
}

const BLOCK_BYTES = 32;
const RANDOM_BYTES = 16;
const LENGTH_BYTES = 4;

/** Returns the hexadecimal SHA-1 of the parts, sorted as bytes and joined. */
export function signParts(...parts: (string | Uint8Array)[]): string {
  const sorted = parts.map((part) => Buffer.from(part as string)).sort(Buffer.compare);
  return createHash('sha1').update(Buffer.concat(sorted)).digest('hex');
}

/**
 * Returns the Base64 of AES-256-CBC over 16 random bytes, the length, the text, and the company's ID, padded to blocks
 * of 32 bytes (the cipher's own padding would use 16).
 */
export function encryptText(
  keys: WecomKeys,
  text: string,
  random: Uint8Array = randomBytes(RANDOM_BYTES),
): string {
  const message = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(message.length);
  const plain = Buffer.concat([random, length, message, Buffer.from(keys.corpId)]);
  const padding = BLOCK_BYTES - (plain.length % BLOCK_BYTES);
  const { key, iv } = readKey(keys);
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padded = Buffer.concat([plain, Buffer.alloc(padding, padding)]);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64');
}

/**
 * Decrypts a text. Throws the same Unauthorized for every failure, so that an attacker learns nothing about the
 * padding.
 */
export function decryptText(keys: WecomKeys, encrypted: string): string {
  const text = openMessage(keys, decryptBlocks(keys, encrypted));
  if (text === undefined)
    throw new Unauthorized(
      'callback_not_verified',
      "This message can't be decrypted. Check IMB_ENCODING_AES_KEY.",
    );
  return text;
}

function decryptBlocks(keys: WecomKeys, encrypted: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64');
  if (bytes.length === 0 || bytes.length % BLOCK_BYTES > 0) return Buffer.alloc(0);
  const { key, iv } = readKey(keys);
  const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

function openMessage({ corpId }: WecomKeys, padded: Buffer): string | undefined {
  const plain = withoutPadding(padded);
  if (plain === undefined || plain.length < RANDOM_BYTES + LENGTH_BYTES) return undefined;
  const from = RANDOM_BYTES + LENGTH_BYTES;
  const end = from + plain.readUInt32BE(RANDOM_BYTES);
  if (end > plain.length || plain.toString('utf8', end) !== corpId) return undefined;
  return readUtf8(plain.subarray(from, end));
}

function withoutPadding(padded: Buffer): Buffer | undefined {
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > BLOCK_BYTES) return undefined;
  const end = padded.length - padding;
  return padded.subarray(end).every((byte) => byte === padding) ? padded.subarray(0, end) : undefined;
}

function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readKey({ encodingAesKey }: WecomKeys): { key: Buffer; iv: Buffer } {
  const key = Buffer.from(encodingAesKey, 'base64');
  return { key, iv: key.subarray(0, 16) };
}
