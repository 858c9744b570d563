import type { StreamPart } from '../lib/ui-messages/stream-part.ts';
import { parseJson } from './answer-body.ts';
import { Failure } from './failure.ts';

export interface Frame {
  /** Its number, from which a broken stream resumes; 0 if it has none. */
  id: number;
  part: StreamPart;
}

/** A frame is one part, with at most a record's 400 KB: a longer one isn't ours. */
const MAX_FRAME_CHARACTERS = 4_000_000;
/** What a command collects from all its streams is in memory. */
const MAX_STREAM_BYTES = 256_000_000;

/** The bytes that the streams of a command received so far. */
export interface StreamUse {
  bytes: number;
}

/**
 * Yields the frames of one of our streams (server-sent events, `[DONE]` at the end) as they arrive. `isDone` says whether the
 * end arrived: without it the connection broke, or the server's time ran out. Throws Failure for any other stream.
 */
export async function* readFrames(
  body: AsyncIterable<Uint8Array>,
  end: { isDone: boolean },
  use: StreamUse = { bytes: 0 },
): AsyncGenerator<Frame> {
  for await (const block of readBlocks(bounded(body, use))) {
    const { id = '0', data } = readFields(block);
    if (data === '[DONE]') {
      end.isDone = true;
      return;
    }
    if (data !== undefined) yield { id: /^\d{1,15}$/.test(id) ? Number(id) : 0, part: readPart(data) };
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

/** Yields the texts between blank lines; what follows the last one is incomplete. */
async function* readBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let waiting = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    pieces.push(text);
    waiting += text.length;
    if (waiting > MAX_FRAME_CHARACTERS + text.length)
      throw new Failure('The service sent an event that does not end.');
    // The blank line may start with the last character before. Pieces without one aren't concatenated, which would be
    // quadratic.
    if (!(pieces.at(-2)?.slice(-1) ?? '').concat(text).includes('\n\n')) continue;
    const blocks = pieces.join('').split('\n\n');
    pieces = [blocks.pop() ?? ''];
    waiting = pieces[0]?.length ?? 0;
    yield* blocks;
  }
}

/** Comments have no name, so they are dropped. */
function readFields(block: string): { id?: string; data?: string } {
  const lines = block.split('\n').map((line) => /^(id|data): ?(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    lines.filter(([line]) => line !== undefined).map(([, name, value]) => [name, value]),
  );
}
