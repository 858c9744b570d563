import { inflateRawSync } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_END = 0x06054b50;
const DESCRIPTOR = 0x08074b50;
const HEADER_BYTES = 30;
const DIRECTORY_END_BYTES = 22;
/** The sizes follow the contents. */
const HAS_DESCRIPTOR = 0x8;
const STORED = 0;
const DEFLATED = 8;

/** An alternative name of an entry, which some programs prefer. */
const UNICODE_PATH = 0x7075;

/** What of an entry the directory says. */
type Listed = Pick<
  Entry,
  | 'fileName'
  | 'fileNameRaw'
  | 'compressionMethod'
  | 'compressedSize'
  | 'uncompressedSize'
  | 'crc32'
  | 'generalPurposeBitFlag'
  | 'relativeOffsetOfLocalHeader'
>;

/**
 * Checks that a ZIP file reads the same from its directory and from its beginning, as programs do that unpack a stream: each entry
 * has the same header in both, they follow each other without a gap, and nothing else is in the file.
 */
export async function isSameFromStart(bytes: Buffer): Promise<boolean> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  const listed: Listed[] = [];
  for await (const entry of zip.eachEntry()) listed.push(entry);
  const inOrder = listed.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  );
  let at = 0;
  for (const entry of inOrder) {
    if (entry.relativeOffsetOfLocalHeader !== at) return false;
    const end = endOfEntry(bytes, entry);
    if (end === undefined) return false;
    at = end;
  }
  return at === directoryStart(bytes);
}

/** Returns undefined if the entry isn't as the directory lists it. */
function endOfEntry(bytes: Buffer, entry: Listed): number | undefined {
  const { relativeOffsetOfLocalHeader: at, generalPurposeBitFlag: flags, compressionMethod: method } = entry;
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) return undefined;
  const nameEnd = at + HEADER_BYTES + bytes.readUInt16LE(at + 26);
  const start = nameEnd + bytes.readUInt16LE(at + 28);
  const isSame =
    bytes.readUInt16LE(at + 6) === flags &&
    bytes.readUInt16LE(at + 8) === method &&
    bytes.subarray(at + HEADER_BYTES, nameEnd).equals(entry.fileNameRaw) &&
    entry.fileNameRaw.toString() === entry.fileName &&
    !hasOtherName(bytes.subarray(nameEnd, start));
  const end = start + entry.compressedSize;
  if (!isSame || end > bytes.length || !fillsSize(bytes.subarray(start, end), entry)) return undefined;
  const sizes = bytes.subarray(at + 14, at + 26);
  if ((flags & HAS_DESCRIPTOR) === 0) return sizes.equals(sizesOf(entry)) ? end : undefined;
  // Where stored contents end is only known from the directory.
  return method === STORED ? undefined : endOfDescriptor(bytes, end, entry);
}

function hasOtherName(extra: Buffer): boolean {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === UNICODE_PATH) return true;
  return false;
}

/** Compressed contents may be shorter than their size, and other entries may follow within it. */
function fillsSize(packed: Buffer, { compressionMethod, uncompressedSize }: Listed): boolean {
  if (compressionMethod === STORED) return packed.length === uncompressedSize;
  if (compressionMethod !== DEFLATED) return false;
  try {
    const options = { info: true, maxOutputLength: Math.max(1, uncompressedSize) } as const;
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as Inflated;
    return buffer.length === uncompressedSize && engine.bytesWritten === packed.length;
  } catch {
    return false;
  }
}

/** With the option `info`, which the types of Node don't know. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

function endOfDescriptor(bytes: Buffer, at: number, entry: Listed): number | undefined {
  const sizes = sizesOf(entry);
  const isSigned = at + 4 <= bytes.length && bytes.readUInt32LE(at) === DESCRIPTOR;
  const start = isSigned ? at + 4 : at;
  const end = start + sizes.length;
  return bytes.subarray(start, end).equals(sizes) ? end : undefined;
}

function sizesOf({ crc32, compressedSize, uncompressedSize }: Listed): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc32, 0);
  sizes.writeUInt32LE(compressedSize, 4);
  sizes.writeUInt32LE(uncompressedSize, 8);
  return sizes;
}

/** Undefined if the directory isn't followed by its end, which is the end of the file but for a comment. */
function directoryStart(bytes: Buffer): number | undefined {
  for (let at = bytes.length - DIRECTORY_END_BYTES; at >= 0; at--) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_END) continue;
    if (bytes.readUInt16LE(at + 20) !== bytes.length - at - DIRECTORY_END_BYTES) continue;
    const start = bytes.readUInt32LE(at + 16);
    return start + bytes.readUInt32LE(at + 12) === at ? start : undefined;
  }
  return undefined;
}
