import { crc32, deflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { broken, type ZipReader, zipWithin } from './archive.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const ZIP64_EXTRA = 1;
const MAX_32_BITS = 0xffffffff;
const UTF_8 = 0x0800;
const VERSION = 20;
const STORED = 0;
const DEFLATED = 8;

/** A range of the file from one entry's header to the next, with all its contents. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Returns a zip file in which some entries are replaced, and missing ones are added. All others are copied as
 * they are compressed, with their dates and attributes, which no library that writes zip files does. Throws
 * Unreadable for a damaged file.
 */
export async function replaceEntries(
  engine: ZipReader,
  bytes: Uint8Array,
  contents: Map<string, Uint8Array>,
  title: string,
): Promise<Uint8Array> {
  const buffer = zipWithin(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { entries, directory, comment } = await listRaw(engine, buffer).catch((error: unknown) => {
    throw broken(title, error);
  });
  const output: Output = { pieces: [], length: 0, records: new Map() };
  const byOffset = Map.groupBy(entries, (entry) => entry.relativeOffsetOfLocalHeader);
  const due = new Map(contents);
  for (const { start, end } of stretches([...byOffset.keys()], directory)) {
    const here = byOffset.get(start) ?? [];
    const copied = here.filter((entry) => !contents.has(nameOf(entry)));
    for (const entry of copied) output.records.set(entry, copiedRecord(entry, output.length));
    if (copied.length > 0 || here.length === 0) write(output, buffer.subarray(start, end));
    packDue(output, here, due);
  }
  for (const [name, content] of due) output.records.set(name, pack(output, Buffer.from(name), content));
  const records = [...entries, ...due.keys()].flatMap((entry) => output.records.get(entry) ?? []);
  const size = records.reduce((sum, record) => sum + record.length, 0);
  return Buffer.concat([
    ...output.pieces,
    ...records,
    endRecord(records.length, size, output.length, comment),
  ]);
}

/**
 * Returns an uncompressed zip file of these entries, in this order, with fixed dates. Equal contents produce
 * equal bytes. If compressed, the bytes would depend on the zlib release.
 */
export function storeEntries(contents: Map<string, Uint8Array>): Uint8Array {
  return writeEntries(contents, STORED);
}

/** Returns a compressed zip file of these entries, in this order, with fixed dates. */
export function zipEntries(contents: Map<string, Uint8Array>): Uint8Array {
  return writeEntries(contents, DEFLATED);
}

function writeEntries(contents: Map<string, Uint8Array>, method: number): Uint8Array {
  const output: Output = { pieces: [], length: 0, records: new Map() };
  const records = [...contents].map(([name, content]) => {
    const nameBytes = Buffer.from(name);
    const fields = { ...packedFields(nameBytes, undefined, content, method), offset: output.length };
    return packWith(output, nameBytes, fields);
  });
  const size = records.reduce((sum, record) => sum + record.length, 0);
  const end = endRecord(records.length, size, output.length, Buffer.alloc(0));
  return Buffer.concat([...output.pieces, ...records, end]);
}

interface Output {
  pieces: Buffer[];
  length: number;
  /** Each entry's record in the directory; a new entry's record by its name. */
  records: Map<Entry | string, Buffer>;
}

function write(output: Output, piece: Buffer): void {
  output.pieces.push(piece);
  output.length += piece.length;
}

/** Writes the replacements that are due at a position. Of two entries with the same name, one remains. */
function packDue(output: Output, entries: Entry[], due: Map<string, Uint8Array>): void {
  for (const entry of entries) {
    const content = due.get(nameOf(entry));
    if (content === undefined) continue;
    due.delete(nameOf(entry));
    output.records.set(entry, pack(output, entry.fileNameRaw, content, entry));
  }
}

function pack(output: Output, name: Buffer, content: Uint8Array, entry?: Entry): Buffer {
  const fields = { ...packedFields(name, entry, content), offset: output.length };
  return packWith(output, name, fields, entry);
}

function packWith(output: Output, name: Buffer, fields: PackedFields, entry?: Entry): Buffer {
  write(output, Buffer.concat([localHeader(fields), name, fields.packed]));
  return Buffer.concat([centralRecord(fields, entry), name]);
}

async function listRaw(engine: ZipReader, buffer: Buffer) {
  const zip = await engine.fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false });
  // The declared type is boolean, but the value is a position.
  const directory = Number(zip.readEntryCursor);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const sizes = entries.flatMap((entry) => [entry.compressedSize, entry.uncompressedSize]);
  if (sizes.some((size) => size >= MAX_32_BITS)) throw new Error('an entry of over 4 GB');
  if (entries.some((entry) => entry.relativeOffsetOfLocalHeader >= directory))
    throw new Error('an entry that begins after the directory');
  return { entries, directory, comment: zip.comment as unknown as Buffer };
}

function nameOf({ fileNameRaw }: Entry): string {
  return fileNameRaw.toString();
}

/** Returns everything in the file before its directory. */
function stretches(offsets: number[], directory: number): Stretch[] {
  const starts = [...new Set([0, ...offsets])].sort((one, other) => one - other);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? directory }));
}

interface PackedFields {
  flags: number;
  method: number;
  time: number;
  date: number;
  crc: number;
  packed: Buffer;
  size: number;
  nameLength: number;
  offset: number;
}

/** A new entry has the format's first date, as in Office. */
function packedFields(
  name: Buffer,
  entry: Entry | undefined,
  content: Uint8Array,
  method = DEFLATED,
): Omit<PackedFields, 'offset'> {
  return {
    flags: (entry?.generalPurposeBitFlag ?? 0) & UTF_8,
    method,
    time: entry?.lastModFileTime ?? 0,
    date: entry?.lastModFileDate ?? 0x21,
    crc: crc32(content),
    packed: method === STORED ? Buffer.from(content) : deflateRawSync(content),
    size: content.length,
    nameLength: name.length,
  };
}

function localHeader(fields: PackedFields): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, fields);
  return header;
}

function centralRecord(fields: PackedFields, entry: Entry | undefined): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(CENTRAL, 0);
  record.writeUInt16LE(entry?.versionMadeBy ?? VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  writeCommon(record, 8, fields);
  record.writeUInt16LE(entry?.internalFileAttributes ?? 0, 36);
  record.writeUInt32LE(entry?.externalFileAttributes ?? 0, 38);
  record.writeUInt32LE(fields.offset, 42);
  return record;
}

/** Writes the fields that both kinds of records have in the same order. */
function writeCommon(to: Buffer, at: number, fields: PackedFields): void {
  to.writeUInt16LE(fields.flags, at);
  to.writeUInt16LE(fields.method, at + 2);
  to.writeUInt16LE(fields.time, at + 4);
  to.writeUInt16LE(fields.date, at + 6);
  to.writeUInt32LE(fields.crc, at + 8);
  to.writeUInt32LE(fields.packed.length, at + 12);
  to.writeUInt32LE(fields.size, at + 16);
  to.writeUInt16LE(fields.nameLength, at + 20);
}

/**
 * Returns the record of a copied entry at its new position. All numbers fit into 32 bits, so an extra field
 * isn't needed.
 */
function copiedRecord(entry: Entry, offset: number): Buffer {
  const record = Buffer.alloc(46);
  const extra = withoutZip64(entry.extraFieldRaw);
  record.writeUInt32LE(CENTRAL, 0);
  record.writeUInt16LE(entry.versionMadeBy, 4);
  record.writeUInt16LE(entry.versionNeededToExtract, 6);
  record.writeUInt16LE(entry.generalPurposeBitFlag, 8);
  record.writeUInt16LE(entry.compressionMethod, 10);
  record.writeUInt16LE(entry.lastModFileTime, 12);
  record.writeUInt16LE(entry.lastModFileDate, 14);
  record.writeUInt32LE(entry.crc32, 16);
  record.writeUInt32LE(entry.compressedSize, 20);
  record.writeUInt32LE(entry.uncompressedSize, 24);
  record.writeUInt16LE(entry.fileNameRaw.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt16LE(entry.fileCommentRaw.length, 32);
  record.writeUInt16LE(entry.internalFileAttributes, 36);
  record.writeUInt32LE(entry.externalFileAttributes, 38);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, entry.fileNameRaw, extra, entry.fileCommentRaw]);
}

function withoutZip64(extra: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) !== ZIP64_EXTRA) kept.push(extra.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function endRecord(count: number, size: number, offset: number, comment: Buffer): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(END, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([record, comment]);
}
