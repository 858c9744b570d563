import { crc32, deflateRawSync } from 'node:zlib';

/** Packs texts, or already compressed data, into a zip file. */
export function packZip(entries: Record<string, string | { packed: Buffer; size: number }>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const { packed, size, crc } = packEntry(content);
    // Version, flags, method (deflate), time, date; then checksums, sizes, and the lengths of the name and of
    // extra fields.
    const middle = [u16(20, 0, 8, 0, 0), u32(crc, packed.length, size), u16(name.length, 0)];
    const local = Buffer.concat([u32(0x04034b50), ...middle, Buffer.from(name), packed]);
    const rest = [u16(0, 0, 0), u32(0, offset), Buffer.from(name)];
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), ...middle, ...rest]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const count = directory.length;
  const end = [u32(0x06054b50), u16(0, 0, count, count), u32(listed.length, offset), u16(0)];
  return Buffer.concat([...locals, listed, ...end]);
}

function packEntry(content: string | { packed: Buffer; size: number }) {
  if (typeof content !== 'string') return { ...content, crc: 0 };
  const bytes = Buffer.from(content);
  return { packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
}

function u16(...values: number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer);
}

function u32(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}
