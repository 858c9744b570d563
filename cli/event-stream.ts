import type { StreamPart } from '../lib/ui-messages/stream-part.ts';

export interface Frame {
  /** Its number, from which a broken stream goes on; 0 where it has none. */
  id: number;
  part: StreamPart;
}

/** A frame is one part; a frame that grows without end is not one of ours. */
const MAX_FRAME_CHARACTERS = 64_000_000;

/**
 * The frames of a stream of ours (server-sent events, `[DONE]` at the end) as they come. `isDone` says whether the end came:
 * without it the connection broke, or the server's time ran out.
 */
export async function* readFrames(
  body: AsyncIterable<Uint8Array>,
  end: { isDone: boolean },
): AsyncGenerator<Frame> {
  for await (const block of readBlocks(body)) {
    const { id = '0', data } = readFields(block);
    if (data === '[DONE]') {
      end.isDone = true;
      return;
    }
    if (data !== undefined) yield { id: Number(id), part: JSON.parse(data) as StreamPart };
  }
}

/** What stands between blank lines; what follows the last one came only in part. */
async function* readBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_FRAME_CHARACTERS) throw new Error('the stream has a frame without an end');
    yield* blocks;
  }
}

/** Comments have no name: they fall out. */
function readFields(block: string): { id?: string; data?: string } {
  const lines = block.split('\n').map((line) => /^(id|data): ?(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    lines.filter(([line]) => line !== undefined).map(([, name, value]) => [name, value]),
  );
}
