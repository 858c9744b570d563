import { readPieces } from '../../async/join-pieces.ts';
import { TooLarge } from '../../errors.ts';
import { isBoundedJson } from '../../validation/bounded-json.ts';

/** Returns the body of a `fetch` response. Throws TooLarge beyond `maxBytes`, without reading the rest. */
export async function responseBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new TooLarge('response_too_large', `The response is over ${maxBytes} bytes.`);
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  return readPieces(response.body ?? [], maxBytes, tooLarge);
}

/** Returns the JSON of a body; undefined if the body isn't JSON, or exceeds the limits of request bodies. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = Buffer.from(bytes).toString();
    return isBoundedJson(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
