import type { Readable } from 'node:stream';

/** Objects: bytes under a key, as S3 keeps them. Keys are `/`-separated and made by the service, never by a caller. */
export interface Objects {
  /** Replaces atomically: a reader sees the old bytes or the new ones. */
  put(key: string, body: Uint8Array | Readable): Promise<void>;
  /** The bytes as a stream with their size, or undefined when there is no such object. */
  get(key: string): Promise<{ size: number; body: Readable } | undefined>;
  /** The whole object in memory, or undefined. */
  getBytes(key: string): Promise<Uint8Array | undefined>;
  /** Harmless when it is not there. */
  delete(key: string): Promise<void>;
  /** Removes everything under a prefix, which ends in a slash. */
  deletePrefix(prefix: string): Promise<void>;
  /** An address to which anyone who holds it may PUT exactly `size` bytes until it expires. */
  presignPut(key: string, options: { size: number; expiresInSeconds: number }): Promise<PresignedRequest>;
}

export interface PresignedRequest {
  url: string;
  /** Headers that the client must send along. */
  headers: Record<string, string>;
  /** ISO 8601. */
  expiresAt: string;
}
