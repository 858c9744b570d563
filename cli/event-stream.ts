import { EndlessFrame, readFrames } from '../lib/api-contract/event-stream.ts';
import type { StreamPart } from '../lib/api-contract/stream-part.ts';
import { parseJson } from './answer-body.ts';
import { Failure } from './failure.ts';

export interface NumberedPart {
  /** The event's number, from which a broken stream resumes; 0 if it has none. */
  id: number;
  part: StreamPart;
}

/** Maximum bytes of a command's streams, because everything that it collects from them is in memory. */
const MAX_STREAM_BYTES = 256_000_000;

/** Bytes that a command's streams have received so far. */
export interface StreamUse {
  bytes: number;
}

/**
 * Yields the parts of the service's streams as they arrive. `isDone` is set at the end; without it, the connection
 * broke, or the server's time limit was reached. Throws Failure for any other stream.
 */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  end: { isDone: boolean },
  use: StreamUse = { bytes: 0 },
): AsyncGenerator<NumberedPart> {
  try {
    for await (const frame of readFrames(bounded(body, use))) {
      end.isDone = frame === 'done';
      if (frame === 'done') return;
      yield { id: frame.number, part: readPart(frame.data) };
    }
  } catch (error) {
    throw error instanceof EndlessFrame ? new Failure('The service sent an event that does not end.') : error;
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>, use: StreamUse): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of body) {
      use.bytes += bytes.length;
      if (use.bytes > MAX_STREAM_BYTES) throw new Failure('The response of the service does not end.');
      yield bytes;
    }
  } catch (error) {
    if (error instanceof Failure || (error as Error).name === 'AbortError') throw error;
    throw new Failure('The connection was lost. Try again.');
  }
}

function readPart(data: string): StreamPart {
  const part = parseJson(data);
  if (typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string')
    return part as StreamPart;
  throw new Failure("The service sent an event that wrs can't read. Check that both have the same version.");
}
