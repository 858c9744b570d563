import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import * as z from 'zod';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { backgroundWorkDone } from '../async/after-response.ts';
import { ServiceError } from '../errors.ts';
import { report } from '../telemetry/events.ts';
import { startSpan } from '../telemetry/trace.ts';
import { errorParts, StreamCut } from '../ui-messages/error-parts.ts';

/** The headers of event streams in any protocol. */
export const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/**
 * The UI message stream protocol, version 1, as server-sent events: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export const EVENT_STREAM_HEADERS = {
  ...EVENT_HEADERS,
  'x-vercel-ai-ui-message-stream': 'v1',
};

/** Milliseconds between heartbeats of a response without data. */
export const HEARTBEAT_MS = 15_000;
/** Milliseconds reserved for the last events, before the platform ends the function. */
const RESERVE_MS = 10_000;
/** Milliseconds of a request's time that are reserved for ending a stream that its reader resumes. */
export const STREAM_RESERVE_MS = 15_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
const END = 'data: [DONE]\n\n';
/** A heartbeat in the form of a comment. */
export const HEARTBEAT = ': still here\n\n';

/** An event as clients read it, for the OpenAPI document. */
export const eventSchema = z.looseObject({
  id: z
    .string()
    .optional()
    .describe('Number of the event in the stream, starting at 1. `[DONE]` has no number of its own.'),
  data: z
    .string()
    .meta({ pattern: '^(?:\\{.*\\}|\\[DONE\\])$', description: 'Part of the stream as JSON, or `[DONE]`.' }),
});

/** How a protocol writes its parts as server-sent events. */
export interface EventForm<Part> {
  /** Returns one part with its number in the stream, from 1. */
  frame(id: number, part: Part): string;
  /** Returns the parts that report a failure to the client. They contain nothing confidential. */
  failed(error: unknown): Part[];
  /** The last event. */
  end: string;
}

const UI_FORM: EventForm<StreamPart> = {
  frame: (id, part) => `id: ${id}\ndata: ${JSON.stringify(part)}\n\n`,
  failed: errorParts,
  end: END,
};

function reportFailure(error: unknown): void {
  report('stream_failed', 'a stream failed', {}, error);
}

/** Returns the events of a stream that fails before its first part. */
export function failedFrames(error: unknown): string {
  reportFailure(error);
  return UI_FORM.failed(error)
    .map((part, at) => UI_FORM.frame(at + 1, part))
    .concat(UI_FORM.end)
    .join('');
}

/** Maximum characters of one chunk of events that are ready at the same time. */
const MAX_PIECE = 16_384;

/**
 * Converts parts to the bytes of a response. Requests parts only when the client has space; an exception
 * becomes an `error` part and its `data-error`. The last event is `[DONE]`, except after StreamCut. Aborts
 * the signal if the stream is destroyed, and at the time limit, with the error that the client then receives.
 * Numbers continue from `after`.
 */
export function eventStream(
  start: (signal: AbortSignal) => AsyncIterable<StreamPart>,
  options: StreamOptions = {},
): Readable {
  return eventStreamIn(UI_FORM, start, options);
}

interface StreamOptions {
  heartbeatMs?: number;
  timeLeftMs?: number;
  after?: number;
}

/** Converts parts like eventStream, in the form of another protocol. */
export function eventStreamIn<Part>(
  form: EventForm<Part>,
  start: (signal: AbortSignal) => AsyncIterable<Part>,
  { heartbeatMs = HEARTBEAT_MS, timeLeftMs = MAX_TIMER_MS, after = 0 }: StreamOptions = {},
): Readable {
  const controller = new AbortController();
  // Parts are requested outside the request's context, but still belong to it.
  const inRequest = AsyncLocalStorage.snapshot();
  const span = startSpan('stream');
  const inSpan = <Result>(work: () => Result) => inRequest(() => (span ? span.run(work) : work()));
  const pieces = readPieces(
    form,
    inSpan(() => start(controller.signal)),
    controller.signal,
    after,
  );
  let asking = false;
  const deadline = abortInTime(controller, timeLeftMs);
  const heartbeat = setInterval(() => {
    if (asking) stream.push(HEARTBEAT);
  }, heartbeatMs);
  const stopTimers = () => {
    clearInterval(heartbeat);
    clearTimeout(deadline);
  };
  const pass = async () => {
    const { done, value } = await pieces.next();
    asking = false;
    if (stream.destroyed) return;
    if (done) span?.end();
    if (done) await backgroundWorkDone();
    if (done) stopTimers();
    stream.push(done ? null : value);
  };
  const stream: Readable = new Readable({
    read() {
      if (asking) return;
      asking = true;
      inSpan(pass).catch((error: unknown) => stream.destroy(error as Error));
    },
    destroy(error, done) {
      stopTimers();
      if (!stream.readableEnded) {
        span?.end({ left: true });
        controller.abort();
      }
      // Not awaited, because a part in progress may notice the end late.
      pieces.return(undefined).catch(() => undefined);
      done(error);
    },
  });
  return stream;
}

function abortInTime(controller: AbortController, timeLeftMs: number): NodeJS.Timeout {
  const late = () => new ServiceError('request_timeout', 'The answer took longer than one request allows.');
  return setTimeout(() => controller.abort(late()), Math.min(timeLeftMs, MAX_TIMER_MS) - RESERVE_MS);
}

/** Yields the text of events. Parts that follow each other without a pause share one chunk. */
async function* readPieces<Part>(
  form: EventForm<Part>,
  source: AsyncIterable<Part>,
  signal: AbortSignal,
  after: number,
): AsyncGenerator<string, undefined> {
  const parts = source[Symbol.asyncIterator]();
  let id = after;
  let piece = '';
  try {
    let next = parts.next();
    for (;;) {
      if (await isDue(piece, next)) {
        yield piece;
        piece = '';
      }
      const { done, value } = await next;
      if (done) break;
      piece += form.frame(++id, value);
      next = parts.next();
    }
  } catch (error) {
    if (isCut(error, signal)) {
      piece += retryLine(error);
      return yield* piece === '' ? [] : [piece];
    }
    reportFailure(error);
    piece += form
      .failed(error)
      .map((part) => form.frame(++id, part))
      .join('');
  } finally {
    await parts.return?.();
  }
  yield piece + form.end;
}

/** Returns whether the stream stops before its end, because it continues elsewhere or the client has left. */
function isCut(error: unknown, { aborted, reason }: AbortSignal): boolean {
  const timeIsUp = reason instanceof ServiceError;
  return error instanceof StreamCut || (aborted && !timeIsUp);
}

/** Returns the field of server-sent events that tells a client when to connect again. */
function retryLine(error: unknown): string {
  const { retryMs } = error instanceof StreamCut ? error : {};
  return retryMs === undefined ? '' : `retry: ${retryMs}\n\n`;
}

async function isDue(piece: string, next: Promise<unknown>): Promise<boolean> {
  return piece !== '' && (piece.length > MAX_PIECE || !(await isReady(next)));
}

/** Returns whether a part arrives before the next turn of the event loop. */
function isReady(next: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const pause = setImmediate(resolve, false);
    const ready = () => {
      clearImmediate(pause);
      resolve(true);
    };
    next.then(ready, ready);
  });
}
