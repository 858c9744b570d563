import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { shareThread } from '../../async/share-thread.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { versionOf } from '../../paths/file-version.ts';
import { flush } from '../../paths/flush.ts';
import { type CopiedFile, type FileEntry, READ } from './entry-state.ts';

const BUFFER_BYTES = 1024 * 1024;

/** The file was written while it was copied. */
export class Changing extends Error {}

/**
 * A copy whose contents no longer match the stored hash, after a power failure, a disk error, or a partial
 * restore.
 */
export class DamagedCopy extends Error {}

/**
 * Writes copies one after another into a file (`FILE@OFFSET`), because one file per copy takes ten times as
 * long. Supports a single caller.
 */
export class CopyWriter {
  readonly #folder: string;
  readonly #file = randomUUID();
  readonly #share = shareThread();
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #handle: FileHandle | undefined;
  #end = 0;
  #filled = 0;
  #isBroken = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Copies a file; a small one takes about six system calls. Throws Changing if the file has changed since it
   * was found.
   */
  async add(entry: string, found: FileEntry): Promise<CopiedFile> {
    const fd = openSync(entry, READ);
    try {
      if (versionOf(fstatSync(fd)) !== found.version) throw new Changing();
      const copied = await this.#append(found, chunksOf(fd, found.size, 0));
      if (versionOf(fstatSync(fd)) !== found.version) throw new Changing();
      return copied;
    } finally {
      closeSync(fd);
    }
  }

  /** Copies an existing copy. Throws DamagedCopy. */
  take(folder: string, file: CopiedFile): Promise<CopiedFile> {
    return this.#append(file, readCopy(folder, file));
  }

  /** Flushes the copies to disk. Returns whether that succeeded. If not, none of the copies may be used. */
  async close(): Promise<boolean> {
    if (this.#handle === undefined) return true;
    await this.#flush();
    await this.#handle.sync().catch(() => {
      this.#isBroken = true;
    });
    await this.#handle.close();
    await flush(this.#folder);
    return !this.#isBroken;
  }

  async #append(file: FileEntry, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<CopiedFile> {
    this.#handle ??= await open(join(this.#folder, this.#file), 'wx', 0o600);
    const copy = `${this.#file}@${this.#end}`;
    const hash = createHash('sha256');
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (this.#filled + chunk.length > BUFFER_BYTES) await this.#flush();
      this.#filled += chunk.copy(this.#buffer, this.#filled);
      this.#end += chunk.length;
      await this.#share();
    }
    return { ...file, copy, hash: hash.digest('hex') };
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    await this.#handle?.appendFile(bytes).catch(() => {
      this.#isBroken = true; // the disk is full
    });
  }
}

/** Returns the file and the offset of a copy. */
export function copyPlace(copy: string): [file: string, offset: number] {
  const [file = '', offset] = copy.split('@');
  return [file, Number(offset)];
}

/**
 * Yields the contents of a copy. Throws DamagedCopy at the end if the contents don't match the stored hash.
 */
export async function* readCopy(folder: string, { copy, size, hash }: CopiedFile): AsyncGenerator<Buffer> {
  const [file, offset] = copyPlace(copy);
  const digest = createHash('sha256');
  const fd = openCopies(join(folder, file));
  try {
    for (const chunk of chunksOf(fd, size, offset)) {
      digest.update(chunk);
      yield chunk;
    }
  } finally {
    closeSync(fd);
  }
  if (digest.digest('hex') !== hash) throw new DamagedCopy();
}

export async function isCopyWhole(folder: string, file: CopiedFile): Promise<boolean> {
  const share = shareThread();
  try {
    for await (const _ of readCopy(folder, file)) await share();
    return true;
  } catch (error) {
    if (error instanceof DamagedCopy) return false;
    throw error;
  }
}

function openCopies(place: string): number {
  try {
    return openSync(place, 'r');
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? new DamagedCopy() : error;
  }
}

/** Yields at most `size` bytes. */
function* chunksOf(fd: number, size: number, offset: number): Generator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(size - at, BUFFER_BYTES));
    const read = readSync(fd, chunk, 0, chunk.length, offset + at);
    if (read === 0) return;
    yield chunk.subarray(0, read);
    at += read;
  }
}
