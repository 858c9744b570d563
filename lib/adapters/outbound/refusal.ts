import { parseJson } from './response-bytes.ts';

/** A provider's response to a request that it refused, or that failed. */
export interface Refusal {
  status: number | undefined;
  headers: Headers | undefined;
  /** Values of fields such as `code` and `type`, in lower case, because providers use different fields. */
  codes: string[];
  /** The messages for people, the main one first. They are untrusted and may contain keys. */
  texts: string[];
  /** True for a web page in place of an API response. */
  isPage: boolean;
}

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 10;
const MAX_VALUES = 200;
const MAX_TEXT = 4000;

/**
 * Stores the whole body of a failed response, within a limit, for `readRefusal`, because the SDKs drop bodies
 * that lack their vendor's format. `isFinal` returns whether the SDK must not retry the request.
 */
export async function keepRefusal(
  response: Response,
  isFinal: (refusal: Refusal) => boolean,
): Promise<Response> {
  const bytes = await firstBytes(response);
  const body = parseJson(bytes) ?? bytes.toString();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  if (isFinal(refusalOf(status, headers, body))) headers.set('x-should-retry', 'false');
  return new Response(JSON.stringify({ error: { body } }), { status, statusText, headers });
}

async function firstBytes({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= MAX_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_BYTES);
}

/**
 * Reads an SDK's error, or an error within a stream. Undefined for other errors, such as a lost connection.
 */
export function readRefusal(error: unknown): Refusal | undefined {
  if (!isObject(error)) return undefined;
  const { status, headers } = error;
  const said = isObject(error.error) ? (error.error.error ?? error.error) : error.error;
  const body = isObject(said) && 'body' in said ? said.body : said;
  if (typeof status !== 'number' && body === undefined) return undefined;
  return refusalOf(
    typeof status === 'number' ? status : undefined,
    headers instanceof Headers ? headers : undefined,
    body,
  );
}

function refusalOf(status: number | undefined, headers: Headers | undefined, body: unknown): Refusal {
  const found = { codes: [] as string[], texts: [] as string[], left: MAX_VALUES };
  collect(found, '', body, MAX_DEPTH);
  const { codes, texts } = found;
  const told = codes.map(Number).find((code) => code >= 400 && code < 600);
  const isPage = typeof body === 'string' && /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body);
  return { status: status ?? told, headers, codes, texts: isPage ? [] : texts, isPage };
}

const CODE_FIELDS = new Set([
  'code',
  'type',
  'status',
  'status_code',
  'reason',
  'error_type',
  '__type',
  'quotaId',
]);
const TEXT_FIELDS = new Set(['', 'message', 'msg', 'detail', 'error', 'raw', 'retryDelay', 'status_msg']);

type Found = Pick<Refusal, 'codes' | 'texts'> & { left: number };

/**
 * Collects fields at any depth. They may be nested, and a gateway's error may contain the provider's as JSON
 * text.
 */
function collect(found: Found, name: string, value: unknown, depth: number): void {
  if (depth === 0 || --found.left < 0) return;
  if (Array.isArray(value)) for (const each of value) collect(found, name, each, depth - 1);
  else if (isObject(value))
    for (const [key, each] of Object.entries(value)) collect(found, key, each, depth - 1);
  else if (typeof value === 'string') collectText(found, name, value, depth);
  else if (typeof value === 'number' && CODE_FIELDS.has(name)) found.codes.push(String(value));
}

function collectText(found: Found, name: string, value: string, depth: number): void {
  const text = value.slice(0, MAX_TEXT);
  if (CODE_FIELDS.has(name)) found.codes.push(text.toLowerCase());
  if (!TEXT_FIELDS.has(name) || text.trim() === '') return;
  const inner = /^\s*[{[]/.test(text) ? parseJson(Buffer.from(value)) : undefined;
  if (inner === undefined) found.texts.push(text);
  else collect(found, '', inner, depth - 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
