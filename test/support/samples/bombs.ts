import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { packZip } from './zip.ts';

const MB = 1024 * 1024;

/** A zlib stream of about a thousand bytes per gigabyte: zeros, the same megabyte repeated. */
function deflatedZeros(megabytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MB), { finishFlush: constants.Z_SYNC_FLUSH });
  const end = deflateRawSync(Buffer.alloc(0));
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(megabytes).fill(piece), end]);
}

/** Returns a PDF of one page whose content is compressed twice, and unpacks to this size. */
export function pdfBomb(megabytes: number): Buffer {
  const content = deflateSync(deflatedZeros(megabytes));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
  ];
  const plain = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  const head = `%PDF-1.4\n${plain}4 0 obj\n<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`;
  const end = '\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n7\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from(end)]);
}

/** The start of the XML in each kind of office document, by extension: the rest is read as their text. */
const OFFICE: Record<string, { entry: string; start: string; others?: Record<string, string> }> = {
  ...officeKind('docx', '<w:document><w:p><w:r><w:t>'),
  ...officeKind('xlsx', '<workbook><sheets><sheet name="'),
  ...officeKind('pptx', '<p:presentation><p:sldIdLst a="'),
  ...openKind('odt', '<text:p>'),
  ...openKind('odp', '<draw:page><text:p>'),
  ...openKind('ods', '<table:table><table:table-row><table:table-cell><text:p>'),
  epub: { entry: 'META-INF/container.xml', start: '<container><rootfiles><rootfile full-path="' },
};

function officeKind(extension: string, start: string) {
  const main =
    '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="main.xml"/></Relationships>';
  return { [extension]: { entry: 'main.xml', start, others: { '_rels/.rels': main } } };
}

function openKind(extension: string, start: string) {
  return { [extension]: { entry: 'content.xml', start: `<office:document-content>${start}` } };
}

export const officeKinds = Object.keys(OFFICE);

/**
 * Returns an office document whose text unpacks to this size. It declares its true size, or a hundred bytes.
 */
export function officeBomb(extension: string, megabytes: number, { lies = false } = {}): Buffer {
  const { entry = '', start = '', others = {} } = OFFICE[extension] ?? {};
  const piece = deflateRawSync(Buffer.alloc(MB, 'a'), { finishFlush: constants.Z_SYNC_FLUSH });
  const head = deflateRawSync(Buffer.from(start), { finishFlush: constants.Z_SYNC_FLUSH });
  const packed = Buffer.concat([
    head,
    ...Array<Buffer>(megabytes).fill(piece),
    deflateRawSync(Buffer.alloc(0)),
  ]);
  return packZip({ ...others, [entry]: { packed, size: lies ? 100 : start.length + megabytes * MB } });
}

/** Returns a zstd frame (RFC 8878) of zeros, made of repeated one-byte blocks. */
function zstdZeros(megabytes: number): Buffer {
  // Eight bytes of size, and a window.
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x50, ...u64(megabytes * MB)]);
  const blocks = Array.from({ length: megabytes * 8 }, (_, index) => {
    const isLast = index === megabytes * 8 - 1 ? 1 : 0;
    const header = Buffer.alloc(4);
    header.writeUIntLE(isLast | (1 << 1) | ((128 * 1024) << 3), 0, 3);
    return header;
  });
  return Buffer.concat([head, ...blocks]);
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** Returns a Parquet file of one column and one page, which unpacks to this size, at most 2047. */
export function parquetBomb(megabytes: number): Buffer {
  const page = zstdZeros(megabytes);
  const rows = 1000;
  const dataPage = struct([1, int(rows)], [2, int(0)], [3, int(3)], [4, int(3)]);
  const pageHeader = struct([1, int(0)], [2, int(megabytes * MB)], [3, int(page.length)], [5, dataPage]);
  const chunk = Buffer.concat([pageHeader.bytes, page]);
  const meta = struct(
    [1, int(6)], // BYTE_ARRAY
    [2, list(5, [int(0)])],
    [3, list(8, [text('a')])],
    [4, int(6)], // ZSTD
    [5, long(rows)],
    [6, long(megabytes * MB)],
    [7, long(chunk.length)],
    [9, long(4)],
  );
  const group = struct(
    [1, list(12, [struct([2, long(4)], [3, meta])])],
    [2, long(chunk.length)],
    [3, long(rows)],
  );
  const schema = [struct([4, text('schema')], [5, int(1)]), struct([1, int(6)], [3, int(0)], [4, text('a')])];
  const footer = struct([1, int(1)], [2, list(12, schema)], [3, long(rows)], [4, list(12, [group])]).bytes;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), chunk, footer, length, Buffer.from('PAR1')]);
}

/** A value of Thrift's compact protocol, which Parquet uses for its metadata. */
interface Thrift {
  type: number;
  bytes: Buffer;
}

const int = (value: number): Thrift => ({ type: 5, bytes: varint(zigzag(value)) });
const long = (value: number): Thrift => ({ type: 6, bytes: varint(zigzag(value)) });
const text = (value: string): Thrift => ({
  type: 8,
  bytes: Buffer.concat([varint(BigInt(value.length)), Buffer.from(value)]),
});

function list(type: number, items: Thrift[]): Thrift {
  return {
    type: 9,
    bytes: Buffer.concat([Buffer.from([(items.length << 4) | type]), ...items.map(({ bytes }) => bytes)]),
  };
}

function struct(...fields: [id: number, value: Thrift][]): Thrift {
  const parts = fields.map(([id, { type, bytes }], index) =>
    Buffer.concat([Buffer.from([((id - (fields[index - 1]?.[0] ?? 0)) << 4) | type]), bytes]),
  );
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}

function zigzag(value: number): bigint {
  return BigInt(value) * 2n;
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}
