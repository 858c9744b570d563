import { EXIT, Failure } from './failure.ts';

/** Maximum bytes of a response that isn't a stream, after decompression. */
const MAX_ANSWER_BYTES = 128_000_000;
/** Maximum number of bytes read of an error response. */
const MAX_REFUSAL_BYTES = 1_000_000;
/** Maximum depth of JSON; deeper JSON can be parsed but not written again. */
const MAX_DEPTH = 500;

/** Reads a complete body. Throws Failure if it is longer than `most` bytes, or breaks off. */
export async function readBytes({ body, url }: Response, most = MAX_ANSWER_BYTES): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > most) throw new Failure(`The response from ${originOf(url)} is longer than ${most} bytes.`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof Failure || (error as Error).name === 'AbortError') throw error;
    throw new Failure(`The connection to ${originOf(url)} was lost. Try again.`, { exit: EXIT.unreachable });
  }
  return Buffer.concat(pieces);
}

/** Reads a JSON body. Throws Failure for anything else. */
export async function readJson(response: Response): Promise<unknown> {
  const text = (await readBytes(response)).toString();
  const value = parseJson(text);
  if (value !== undefined) return value;
  const type = response.headers.get('content-type') ?? 'content without a type';
  throw new Failure(
    `${originOf(response.url)} returned ${type} that isn't JSON. Check that this is the URL of the service.`,
  );
}

/** Reads the result of a slow request. Throws Failure if the response ended before the result. */
export async function readLate(response: Response): Promise<unknown> {
  const bytes = await readBytes(response).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    return Buffer.alloc(0);
  });
  const value = parseJson(bytes.toString());
  if (value !== undefined) return value;
  throw new Failure(
    `The connection to ${originOf(response.url)} was lost before the result arrived. The action may still take effect: check it before you try again.`,
    { exit: EXIT.unreachable },
  );
}

/** Reads the message of an error response; undefined if it has none. */
export async function readRefusal(response: Response): Promise<string | undefined> {
  const bytes = await readBytes(response, MAX_REFUSAL_BYTES).catch(() => Buffer.alloc(0));
  const body = parseJson(bytes.toString());
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'string' ? error : undefined;
}

/** Parses a service's JSON. Undefined for other text, and for values too deep to be written again. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether brackets outside strings are nested too deeply. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'the service';
}
