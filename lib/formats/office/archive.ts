import type { Entry, ZipFile } from 'yauzl';
import { Unreadable } from '../../errors.ts';

export type ZipReader = typeof import('yauzl');

/** The zip file of an office document or a book: its entries by name, decompressed and counted piece by piece. */
export interface Archive {
  /** The name of the format in errors: `DOCX`. */
  title: string;
  has(name: string): boolean;
  names(): string[];
  /** Throws Unreadable for an entry that is missing, encrypted, or damaged, and if the total becomes too large. */
  read(name: string): AsyncIterable<Uint8Array>;
}

/** The maximum number of entries. No document has more, and each costs memory before anything is read. */
const MAX_ENTRIES = 50_000;
/** The maximum number of bytes to unpack in total. The XML of a sheet with a million rows has 100 MB. */
const MAX_UNPACKED_BYTES = 300 * 1024 * 1024;
/**
 * The maximum decompression ratio. Documents have a ratio of 5 to 100, zip bombs one of 1,000. Small results
 * aren't limited.
 */
const MAX_TIMES = 500;
const SMALL_BYTES = 32 * 1024 * 1024;

/** The signature of an old-style container, in which Office stores an encrypted document as a stream of this name. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');

export async function openArchive(engine: ZipReader, bytes: Uint8Array, title: string): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, 8).equals(COMPOUND_FILE) && buffer.includes(ENCRYPTED_STREAM))
    throw lockedBy(title, 'a password');
  const { zip, entries } = await listEntries(engine, buffer).catch((error: unknown) => {
    throw broken(title, error);
  });
  let unpacked = 0;
  const count = (piece: Uint8Array) => {
    unpacked += piece.length;
    if (unpacked > MAX_UNPACKED_BYTES)
      throw new Unreadable('size', `The ${title} file unpacks to more than 300 MB.`);
  };
  return {
    title,
    has: (name) => entries.has(name),
    names: () => [...entries.keys()],
    read: (name) => unpack({ title, zip, entry: entries.get(name), count }),
  };
}

/** Of two entries with the same name, the last counts, as in a program that extracts them in order. */
async function listEntries(engine: ZipReader, buffer: Buffer) {
  const zip = await engine.fromBufferPromise(zipWithin(buffer), { lazyEntries: true });
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`more than ${MAX_ENTRIES} entries`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return { zip, entries };
}

const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02');
const FIRST_ENTRY = Buffer.from('PK\x03\x04');
const END_RECORD = Buffer.from('PK\x05\x06');
const END_BYTES = 22;
/** The maximum number of end records to try. A document may contain invalid ones by chance, or on purpose. */
const MAX_END_RECORDS = 100;

/**
 * Returns the zip file without bytes before its first entry or after its end. If the bytes contain no zip
 * file, returns them unchanged.
 */
export function zipWithin(buffer: Buffer): Buffer {
  let at = buffer.lastIndexOf(END_RECORD);
  for (let tries = 0; at > 0 && tries < MAX_END_RECORDS; tries++) {
    const found = zipEndingAt(buffer, at);
    if (found !== undefined) return found;
    at = buffer.lastIndexOf(END_RECORD, at - 1);
  }
  return buffer;
}

function zipEndingAt(buffer: Buffer, at: number): Buffer | undefined {
  if (at + END_BYTES > buffer.length) return undefined;
  const end = at + END_BYTES + buffer.readUInt16LE(at + 20);
  if (end > buffer.length) return undefined;
  const size = buffer.readUInt32LE(at + 12);
  const offset = buffer.readUInt32LE(at + 16);
  const isEntry = (place: number) => buffer.subarray(place, place + 4).equals(DIRECTORY_ENTRY);
  // A ZIP64 record has its numbers elsewhere, so only its end is needed.
  if (offset === 0xffffffff || size === 0xffffffff || isEntry(offset)) return buffer.subarray(0, end);
  // A truncated zip file may contain a complete one.
  const start = at - size - offset;
  const isMoved = start > 0 && isEntry(at - size) && !buffer.subarray(0, 4).equals(FIRST_ENTRY);
  return isMoved ? buffer.subarray(start, end) : undefined;
}

interface Packed {
  title: string;
  zip: ZipFile;
  entry: Entry | undefined;
  count(piece: Uint8Array): void;
}

async function* unpack({ title, zip, entry, count }: Packed): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw broken(title);
  if (entry.isEncrypted()) throw lockedBy(title, 'a password');
  if (isBomb(entry))
    throw new Unreadable('size', `The ${title} file unpacks to more than ${MAX_TIMES} times its size.`);
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      count(piece);
      yield piece;
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : broken(title, error);
  }
}

/**
 * Trusts the size that the entry declares, because the zip reader fails if the entry decompresses to more.
 */
function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * MAX_TIMES;
}

export function broken(title: string, cause?: unknown): Unreadable {
  return new Unreadable('broken', `The ${title} file can't be read. It may be damaged.`, { cause });
}

export function lockedBy(title: string, lock: string): Unreadable {
  return new Unreadable(
    'encrypted',
    `The ${title} file is protected by ${lock}. Remove the protection, then add it again.`,
  );
}
