import { readFrames } from '../../lib/api-contract/event-stream.ts';
import { callApi } from './client.ts';
import { untilWoken } from './until-woken.ts';

/** A part of the UI message stream, unvalidated, so each use checks the fields it needs. */
interface WirePart {
  type: string;
  [field: string]: unknown;
}

export interface WireFrame {
  number: number;
  part: WirePart;
}

const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
let change = new AbortController();

/** Ends the pauses of all streams early, because their runs may continue now. */
export function resumeStreams(): void {
  change.abort();
  change = new AbortController();
}

/**
 * Yields the events after `after` until `[DONE]`. Resumes a stream that breaks or ends early from the last
 * number, so that no event is lost or repeated. On AWS, a stream ends while its run waits for a person, and
 * states when to resume it.
 */
export async function* followFrames(
  address: (after: number) => string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<WireFrame> {
  let last = after;
  while (!signal.aborted) {
    let pauseMs = PAUSE_MS;
    const onRetry = (ms: number) => {
      pauseMs = Math.min(Math.max(ms, PAUSE_MS), MAX_PAUSE_MS);
    };
    try {
      for await (const frame of readOnce(address(last), signal, onRetry)) {
        if (frame === 'done') return;
        last = Math.max(last, frame.number);
        yield frame;
      }
    } catch (error) {
      if (isFinal(error)) throw error;
    }
    await untilWoken(pauseMs, AbortSignal.any([signal, change.signal]));
  }
}

async function* readOnce(
  address: string,
  signal: AbortSignal,
  onRetry: (ms: number) => void,
): AsyncGenerator<WireFrame | 'done'> {
  const { body } = await callApi(address, { signal });
  if (body === null) return;
  for await (const frame of readFrames(chunksOf(body), onRetry)) {
    if (frame === 'done') yield frame;
    else yield { number: frame.number, part: JSON.parse(frame.data) as WirePart };
  }
}

/** Yields the chunks of a body through a reader, because not every browser can iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const status = 'status' in error ? Number(error.status) : 0;
  return error.name === 'AbortError' || (status >= 400 && status < 500 && status !== 429);
}
