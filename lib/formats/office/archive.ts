import type { Entry, ZipFile } from 'yauzl';
import { Unreadable } from '../../errors.ts';

export type ZipReader = typeof import('yauzl');

/** A zip file as office documents and books are packed: its entries by name, unpacked piece by piece and counted. */
export interface Archive {
  /** Name of the format in errors: `DOCX`. */
  title: string;
  has(name: string): boolean;
  names(): string[];
  /** Throws Unreadable for an entry that is not there, is encrypted or damaged, and where all of it becomes too much. */
  read(name: string): AsyncIterable<Uint8Array>;
}

/** No document has more; each entry costs memory before anything is read. */
const MAX_ENTRIES = 50_000;
/** All that is read together: a sheet of a million rows is 100 MB of XML. */
const MAX_UNPACKED_BYTES = 300 * 1024 * 1024;
/** Documents unpack to 5 to 100 times their size, bombs to 1,000 times; what stays small may do as it likes. */
const MAX_TIMES = 500;
const SMALL_BYTES = 32 * 1024 * 1024;

/** Where Office puts an encrypted document: a container of the old kind, with a stream of this name. */
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

/** The last of two entries with one name counts, as for a program that unpacks them in turn. */
async function listEntries(engine: ZipReader, buffer: Buffer) {
  const zip = await engine.fromBufferPromise(buffer, { lazyEntries: true });
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`more than ${MAX_ENTRIES} entries`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return { zip, entries };
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

/** Trusts the size that the entry declares: the zip reader fails for one that unpacks to more. */
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
