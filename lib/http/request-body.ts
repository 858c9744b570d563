import { MIMEType } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { InvalidInput, TooLarge } from '../errors.ts';
import { parseBoundedJson } from '../validation/bounded-json.ts';
import type { RawBody, Route, UploadedFile } from './route.ts';

/** Maximum parts of a multipart body: one file and some short fields. */
const MAX_PARTS = 25;
/** Maximum bytes of a part's header, with space for the longest file name with each of its bytes escaped. */
const MAX_PART_HEAD_BYTES = 16_384;

/**
 * Returns the body in the route's form, before its schema checks it. Throws InvalidInput for an unreadable body, and
 * TooLarge.
 */
export async function readBody<Ports>(route: Route<Ports>, event: APIGatewayProxyEvent): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const expected = route.bodyType ?? 'application/json';
  if (typeof expected === 'object') return readRaw(event, expected);
  const sent = (event.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const readOther = sent === undefined ? undefined : route.otherBodies?.[sent];
  if (readOther !== undefined) return readOther(readBytes(event));
  if (sent !== expected)
    throw new InvalidInput(
      'content_type_unsupported',
      `content-type must be ${nameTypes(route, expected)}.`,
      {
        field: 'content-type',
      },
    );
  return expected === 'multipart/form-data' ? readMultipart(event) : readJson(event);
}

function nameTypes<Ports>({ otherBodies = {} }: Route<Ports>, expected: string): string {
  return [expected, ...Object.keys(otherBodies)].join(' or ');
}

function readJson(event: APIGatewayProxyEvent): unknown {
  try {
    return parseBoundedJson(readText(event), 'The body');
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput('body_unreadable', "The body isn't valid JSON.");
  }
}

/**
 * Returns the original bytes. API Gateway passes a body as text, from which only valid UTF-8 can be restored.
 */
function readRaw(event: APIGatewayProxyEvent, { maxBytes }: RawBody): Uint8Array {
  const bytes = readBytes(event);
  if (bytes.length > maxBytes)
    throw new TooLarge('body_too_large', `The body can have at most ${maxBytes} bytes.`);
  return bytes;
}

/**
 * Returns the body as text. A body that isn't Base64 is already text, and decoding it would copy megabytes once more.
 */
function readText(event: APIGatewayProxyEvent): string {
  return event.isBase64Encoded ? readBytes(event).toString() : (event.body ?? '').toWellFormed();
}

function readBytes({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Parses a multipart body with Node's own parser, which works on the whole body at once and rejects broken
 * bodies. If a body breaks off inside a file, a stream parser (busboy) raises an error outside any promise,
 * which ends the process.
 */
async function readMultipart(event: APIGatewayProxyEvent): Promise<unknown> {
  const type = event.headers['content-type'] ?? '';
  const bytes = readBytes(event);
  requireBoundedParts(bytes, new MIMEType(type).params.get('boundary'));
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch((error: unknown) => {
      throw new InvalidInput('body_unreadable', "The body isn't valid multipart/form-data.", {
        cause: error,
      });
    });
  const parts = [...form];
  const names = parts.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new InvalidInput('field_repeated', `${repeated.slice(0, 100)} was sent more than once.`, {
      field: repeated.slice(0, 100),
    });
  return Object.fromEntries(await Promise.all(parts.map(readPart)));
}

/**
 * Throws InvalidInput for too many parts or headers. The parser takes half a second for a million headers or 50,000
 * parts, during which it handles no other request, so both are limited before it starts. It ignores everything before
 * the first boundary and after the last one.
 */
function requireBoundedParts(bytes: Buffer, boundary: string | null): void {
  if (boundary === null) return; // the parser will refuse it
  const mark = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    const start = at + mark.length;
    const head = bytes.subarray(start, start + MAX_PART_HEAD_BYTES);
    if (head.subarray(0, 2).toString() === '--') return;
    if (++parts > MAX_PARTS)
      throw new InvalidInput('body_too_complex', `The body can have at most ${MAX_PARTS} parts.`);
    if (head.length === MAX_PART_HEAD_BYTES && !head.includes('\r\n\r\n'))
      throw new InvalidInput(
        'body_too_complex',
        `The headers of a part can have at most ${MAX_PART_HEAD_BYTES} bytes.`,
      );
  }
}

async function readPart([name, value]: [string, string | File]): Promise<[string, string | UploadedFile]> {
  if (typeof value === 'string') return [name, value];
  const content = Buffer.from(await value.arrayBuffer());
  return [name, { filename: value.name, mimetype: value.type, content }];
}
