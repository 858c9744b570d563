import { EventSourceParserStream } from 'eventsource-parser/stream';
import { callApi } from './client.ts';

/** A part of the UI message stream, unvalidated: each use checks what it needs. */
interface WirePart {
  type: string;
  [field: string]: unknown;
}

export interface WireFrame {
  number: number;
  part: WirePart;
}

const PAUSE_MS = 1_000;

/**
 * The frames after `after`, and on until `[DONE]`: a stream that breaks or ends early is asked for again from the last number,
 * so that nothing is lost and nothing comes twice.
 */
export async function* followFrames(
  address: (after: number) => string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<WireFrame> {
  let last = after;
  while (!signal.aborted) {
    try {
      for await (const frame of readOnce(address(last), signal)) {
        if (frame === 'done') return;
        last = Math.max(last, frame.number);
        yield frame;
      }
    } catch (error) {
      if (isFinal(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function* readOnce(address: string, signal: AbortSignal): AsyncGenerator<WireFrame | 'done'> {
  const { body } = await callApi(address, { signal });
  if (body === null) return;
  const events = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  const reader = events.pipeThrough(new EventSourceParserStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (value.data === '[DONE]') yield 'done';
    else yield { number: Number(value.id ?? 0), part: JSON.parse(value.data) as WirePart };
  }
}

function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const status = 'status' in error ? Number(error.status) : 0;
  return error.name === 'AbortError' || (status >= 400 && status < 500 && status !== 429);
}
