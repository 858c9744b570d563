import { crc32, deflateRawSync } from 'node:zlib';

/** How the local headers of a ZIP file differ from its directory. */
export interface Packing {
  localName?: (path: string) => string;
  /** Further entries, which the directory doesn't list. */
  added?: [string, string][];
  isFirst?: boolean;
  /** An entry after the compressed contents of the first one, within their size. */
  within?: [string, string];
  /** Added to the sizes in local headers. */
  localSize?: number;
}

/** Returns a compressed ZIP file whose sizes follow the contents of each entry, as streams write it, but for `localSize`. */
export function packByHand(files: Map<string, Buffer>, packing: Packing): Buffer {
  const { added = [], isFirst = false } = packing;
  const hidden = added.map(([path, text]) => entryOf(path, Buffer.from(text)));
  const pieces = isFirst ? hidden : [];
  const directory: Buffer[] = [];
  let length = Buffer.concat(pieces).length;
  for (const [path, content] of files) {
    const { entry, listed } = packOne(path, content, packing, directory.length === 0, length);
    pieces.push(entry);
    length += entry.length;
    directory.push(listed);
  }
  if (!isFirst) pieces.push(...hidden);
  const start = Buffer.concat(pieces).length;
  const listed = Buffer.concat(directory);
  const counts = numbers(2, 0, 0, files.size, files.size);
  return Buffer.concat([
    ...pieces,
    listed,
    numbers(4, 0x06054b50),
    counts,
    numbers(4, listed.length, start),
    numbers(2, 0),
  ]);
}

function packOne(
  path: string,
  content: Buffer,
  { within, localSize, localName = (name) => name }: Packing,
  isFirst: boolean,
  at: number,
): { entry: Buffer; listed: Buffer } {
  const hidden = within && isFirst ? [entryOf(within[0], Buffer.from(within[1]))] : [];
  const packed = Buffer.concat([deflateRawSync(content), ...hidden]);
  const sizes = numbers(4, crc32(content), packed.length, content.length);
  const isStreamed = localSize === undefined;
  const shown = isStreamed
    ? numbers(4, 0, 0, 0)
    : numbers(4, crc32(content), packed.length + localSize, content.length);
  const end = isStreamed ? [numbers(4, 0x08074b50), sizes] : [];
  const head = [numbers(4, 0x02014b50), numbers(2, 20, 20, isStreamed ? 8 : 0, 8, 0, 0), sizes];
  const tail = [numbers(2, Buffer.byteLength(path), 0, 0, 0, 0), numbers(4, 0, at), Buffer.from(path)];
  return {
    entry: Buffer.concat([local(localName(path), isStreamed, shown), packed, ...end]),
    listed: Buffer.concat([...head, ...tail]),
  };
}

function entryOf(path: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  return Buffer.concat([
    local(path, false, numbers(4, crc32(content), packed.length, content.length)),
    packed,
  ]);
}

function local(path: string, isStreamed: boolean, sizes: Buffer): Buffer {
  const head = [numbers(4, 0x04034b50), numbers(2, 20, isStreamed ? 8 : 0, 8, 0, 0), sizes];
  return Buffer.concat([...head, numbers(2, Buffer.byteLength(path), 0), Buffer.from(path)]);
}

function numbers(bytes: 2 | 4, ...values: number[]): Buffer {
  const written = Buffer.alloc(bytes * values.length);
  for (const [at, value] of values.entries()) written.writeUIntLE(value, at * bytes, bytes);
  return written;
}
