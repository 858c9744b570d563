import { createParser } from 'eventsource-parser';

export interface Frame {
  /** The event's number, from which a broken stream resumes; 0 if it has none. */
  number: number;
  data: string;
}

/**
 * The maximum length in characters. An event is one part, with at most a record's 400 KB, so a longer one
 * isn't from this service.
 */
const MAX_FRAME_CHARACTERS = 4_000_000;

export class EndlessFrame extends Error {}

/**
 * Yields the events of the service's streams (server-sent events) as they arrive, and `done` for the end,
 * `[DONE]`. `onRetry` receives the milliseconds after which the service wants the next request.
 */
export async function* readFrames(
  body: AsyncIterable<Uint8Array>,
  onRetry?: (ms: number) => void,
): AsyncGenerator<Frame | 'done'> {
  const decoder = new TextDecoder();
  const frames: Frame[] = [];
  let isEndless = false;
  const parser = createParser({
    maxBufferSize: MAX_FRAME_CHARACTERS,
    onEvent: ({ id = '', data }) => frames.push({ number: /^\d{1,15}$/.test(id) ? Number(id) : 0, data }),
    ...(onRetry && { onRetry }),
    onError: ({ type }) => {
      isEndless ||= type === 'max-buffer-size-exceeded';
    },
  });
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const frame of frames.splice(0)) yield frame.data === '[DONE]' ? 'done' : frame;
    if (isEndless) throw new EndlessFrame();
  }
}
