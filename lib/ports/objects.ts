import type { Readable } from 'node:stream';

/** Objects: bytes under a key, like in S3. Keys are `/`-separated and created by the service, never by a caller. */
export interface Objects {
  /** Replaces the object atomically: a reader sees either the old bytes or the new ones. */
  put(key: string, body: Uint8Array | Readable): Promise<void>;
  /** Returns the bytes as a stream with their size; undefined if the object doesn't exist. */
  get(key: string): Promise<{ size: number; body: Readable } | undefined>;
  /** Returns the whole object in memory, or undefined. */
  getBytes(key: string): Promise<Uint8Array | undefined>;
  /**
   * Returns whether the object certainly no longer exists. In the minutes after versioning was enabled, S3
   * may not find an object that exists, so only a delete marker is proof.
   */
  isDeleted(key: string): Promise<boolean>;
  /** Does nothing if the object doesn't exist. */
  delete(key: string): Promise<void>;
  /** Removes everything under a prefix, which ends in a slash. */
  deletePrefix(prefix: string): Promise<void>;
  /** Yields pages of the keys under a prefix, which ends in a slash, in byte order. With `after`, only later keys. */
  keys(prefix: string, after?: string): AsyncIterable<string[]>;
  /** Returns a URL to which any holder can PUT exactly `size` bytes until it expires. */
  presignPut(key: string, options: { size: number; expiresInSeconds: number }): Promise<PresignedRequest>;
}

export interface PresignedRequest {
  url: string;
  /** Headers that the client must send. */
  headers: Record<string, string>;
  /** ISO 8601. */
  expiresAt: string;
}
