import type { Readable } from 'node:stream';
import mime from 'mime';
import { ServiceError, TooLarge } from '../errors.ts';
import { formatOf } from '../formats/all-formats.ts';
import type { Format } from '../formats/format.ts';
import { tagsOf } from '../records/etag.ts';
import { encodeFileName } from '../text/file-name.ts';
import type { RawFile } from './read.ts';

/** Types that a browser only shows and never runs. All other files are sent as attachments. */
const SHOWN = /^(image\/(?!svg)|audio\/|video\/|text\/(plain|markdown|csv)|application\/(pdf|json))/;

export interface RawAnswer {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  body: Readable | string;
}

/**
 * Answers GET by RFC 9110: If-None-Match, one byte range, If-Range. If a response is limited to `maxBytes`,
 * it has only the start of a longer range, as stated in `content-range`, and a longer file must be requested
 * in ranges. Throws a 416, TooLarge. Closes the file unless it's streamed.
 */
export async function answerRaw(
  file: RawFile,
  path: string,
  headers: Record<string, string | undefined>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<RawAnswer> {
  const common = { etag: file.etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' };
  const type = contentType(path);
  if (isCurrent(headers['if-none-match'], file.etag)) {
    await file.close();
    return { status: 304, headers: { ...common, 'content-type': type }, body: '' };
  }
  const full = {
    ...common,
    ...sentAs({ type, name: path.split('/').at(-1) ?? 'file', isShown: SHOWN.test(type) }),
    'last-modified': new Date(file.mtimeMs).toUTCString(),
  };
  const range = chosenRange(headers, file);
  if (range === 'unsatisfiable') {
    await file.close();
    throw new ServiceError('invalid_range', 'range is outside the file.', {
      field: 'range',
      headers: { 'content-range': `bytes */${file.size}` },
    });
  }
  if (range === undefined && file.size > maxBytes) {
    await file.close();
    throw tooLarge(maxBytes);
  }
  const [start, last] = range ?? [0, file.size - 1];
  const end = Math.min(last, start + maxBytes - 1);
  const sized = { ...full, 'content-length': String(end - start + 1) };
  const body = end >= start ? file.stream(start, end) : await closeEmpty(file);
  if (range === undefined) return { status: 200, headers: sized, body };
  return { status: 206, headers: { ...sized, 'content-range': `bytes ${start}-${end}/${file.size}` }, body };
}

function tooLarge(maxBytes: number): TooLarge {
  const size = `${maxBytes / 1024 / 1024} MB`;
  return new TooLarge(
    'file_too_large',
    `A response can have at most ${size}. Request ranges, starting with Range: bytes=0-${maxBytes - 1}.`,
  );
}

async function closeEmpty(file: RawFile): Promise<string> {
  await file.close();
  return '';
}

function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const given = tagsOf(ifNoneMatch);
  return given.includes('*') || given.includes(etag);
}

type ByteRange = [number, number] | 'unsatisfiable' | undefined;

/**
 * Returns the requested range. Supports a single range; several, or an unknown form, mean the whole file (RFC
 * 9110, section 14.2).
 */
function chosenRange(headers: Record<string, string | undefined>, { size, etag }: RawFile): ByteRange {
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (!first && !last) return undefined;
  return first
    ? rangeFrom(Number(first), last ? Number(last) : size - 1, size)
    : lastBytes(Number(last), size);
}

function rangeFrom(first: number, last: number, size: number): ByteRange {
  if (first >= size) return 'unsatisfiable';
  return last < first ? undefined : [first, Math.min(last, size - 1)];
}

function lastBytes(count: number, size: number): ByteRange {
  return count === 0 || size === 0 ? 'unsatisfiable' : [Math.max(0, size - count), size - 1];
}

function contentType(path: string): string {
  const byExtension = mime.getType(path);
  const format = formatOf(path);
  const type = format?.rawType?.(byExtension) ?? plainIfText(format, byExtension);
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

/**
 * Returns a type that makes browsers show text, even if the file's extension is unknown on the web, or
 * belongs to a program (`.pot`).
 */
function plainIfText(format: Format | undefined, byExtension: string | null): string {
  const isOfProgram = byExtension === null || byExtension.startsWith('application/vnd.');
  if (isOfProgram && format?.content === 'text') return 'text/plain';
  return byExtension ?? 'application/octet-stream';
}

/**
 * Returns headers that keep users' files from running in the service's origin: not shown inline, no scripts,
 * no sniffing.
 */
export function sentAs({
  type,
  name,
  isShown,
}: {
  type: string;
  name: string;
  isShown: boolean;
}): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=${encodeFileName(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-dns-prefetch-control': 'off',
  };
}
