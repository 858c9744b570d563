import { ApiError, callApi } from '../api/client.ts';

export interface ByteRange {
  /** Bytes of the whole file. */
  size: number;
  /** The start of the file. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Reads bytes from `begin` to `end`, exclusive. Throws an ApiError 409 if the file has changed. */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reads ranges of a file with the caller's credential. All come from the version that was opened. */
export async function openByteRanges(
  workspaceId: string,
  path: string,
  most: number,
  signal: AbortSignal,
): Promise<ByteRange> {
  const address = `/api/files/raw?${new URLSearchParams({ workspaceId, path })}`;
  const ask = (begin: number, end: number, headers = {}) =>
    callApi(address, { signal, headers: { range: `bytes=${begin}-${end - 1}`, ...headers } });
  const first = await ask(0, most).catch((error: unknown) => {
    // An empty file has no bytes beyond its start.
    if (error instanceof ApiError && error.status === 416) return new Response();
    throw error;
  });
  const bytes = await bytesOf(first);
  const etag = first.headers.get('etag') ?? '';
  const read = async (begin: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
    const response = await ask(begin, end, { 'if-range': etag });
    if (response.status !== 206) throw new ApiError(409, '');
    const some = await bytesOf(response);
    return some.length < end - begin ? joined(some, await read(begin + some.length, end)) : some;
  };
  return { size: Number(first.headers.get('content-range')?.split('/')[1] ?? bytes.length), bytes, read };
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** Joins two responses: the gateway limits a response, so one may be shorter than requested. */
function joined(first: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + rest.length);
  whole.set(first);
  whole.set(rest, first.length);
  return whole;
}
