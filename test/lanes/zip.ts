import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** A file in a zip. */
export interface ZipEntry {
  path: string;
  /** Unpacked. */
  size: number;
  /** Its permissions, if the program that created the zip stored them. */
  mode: number;
  read(): Buffer;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;

/**
 * Returns the files of a zip below 4 GB, by its central directory. This suffices for Lambda's packages, and
 * needs no program.
 */
export function readZip(file: string): ZipEntry[] {
  const zip = readFileSync(file);
  const end = findEnd(zip);
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const nameEnd = at + ENTRY_BYTES + (nameBytes ?? 0);
    const path = zip.toString('utf8', at + ENTRY_BYTES, nameEnd);
    const header = at;
    const [size, mode] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 40) & 0o777 || 0o644];
    if (!path.endsWith('/')) entries.push({ path, size, mode, read: () => unpack(zip, header) });
    at = nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
}

export function unzip(file: string, folder: string): void {
  for (const { path, mode, read } of readZip(file)) {
    const target = join(folder, path);
    if (!target.startsWith(`${folder}/`)) throw new Error(`${file}: ${path} leads out of the folder`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, read(), { mode });
  }
}

function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT);
  for (let at = zip.length - END_BYTES; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('not a zip');
}

/** The local header has a name and an extra field with their own lengths before the bytes. */
function unpack(zip: Buffer, header: number): Buffer {
  const local = zip.readUInt32LE(header + 42);
  const start = local + LOCAL_HEADER_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + zip.readUInt32LE(header + 20));
  return zip.readUInt16LE(header + 10) === STORED ? bytes : inflateRawSync(bytes);
}
