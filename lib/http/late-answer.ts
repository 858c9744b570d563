import { Readable } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import type { LateError } from '../api-contract/late-answer.ts';
import { backgroundWorkDone } from '../async/after-response.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { ServiceError } from '../errors.ts';
import { log } from '../log.ts';
import { report } from '../telemetry/events.ts';
import { errorAnswer } from './error-exit.ts';
import { EVENT_STREAM_HEADERS, failedFrames, HEARTBEAT, HEARTBEAT_MS } from './event-stream.ts';

/**
 * Milliseconds until a response starts without its result, and between the spaces that it sends from then on.
 */
export interface LateTimes {
  afterMs: number;
  everyMs: number;
}

/** CloudFront ends a response after 60 s of silence, which include the authorizer and a cold start. */
export const LATE_TIMES: LateTimes = { afterMs: 40_000, everyMs: HEARTBEAT_MS };

/** One schema for all operations, because client generators read unions of results differently. */
export const lateAnswerSchema = z
  .looseObject({
    error: z.string().optional().describe('Sentence that explains the error. Missing after a success.'),
    status: z.int().optional().describe('Status that a fast response would have had. Only with an error.'),
    code: z.string().optional().describe('Code that `x-error-code` would have had. Only with an error.'),
    field: z.string().optional().describe('Field at fault, as in `x-error-field`. Only with an error.'),
    retryAfter: z.int().optional().describe('Seconds to wait before the next request. Only with an error.'),
  })
  .meta({ id: 'LateAnswer', description: 'Result of a slow request: that of a fast one, or an error.' });

export const LATE_REPLY =
  'The request takes longer than 40 seconds. The status and the headers are sent before the result is known, and blanks keep the connection open. The body ends with the result: what a fast response has, or `error`, `status`, and `code`. A body that ends without JSON has no result: check whether the action happened.';

const BLANK = Buffer.from(' ');
/** Milliseconds reserved for the end of the body, before the platform ends the function. */
export const LATE_RESERVE_MS = 3_000;
/** The part of LATE_RESERVE_MS that is needed to send the end. */
const END_MS = 1_000;

interface LateOptions extends LateTimes {
  /** `events`: the response is an event stream, in which an error is a part. */
  kind: 'json' | 'events';
  requestId: string;
  headers: Record<string, string>;
  /** Milliseconds until the platform ends the function. */
  timeLeftMs(): number;
}

/**
 * Returns the response. After `afterMs`, returns the start of a response whose body has only spaces or
 * comments until the result is ready. Errors are then reported in the body, because the status has already
 * been sent.
 */
export async function answerInTime(
  work: Promise<APIGatewayProxyResult>,
  options: LateOptions,
): Promise<APIGatewayProxyResult> {
  const inTime = await withTimeout(options.afterMs, () => work);
  if (inTime !== undefined) return inTime;
  const { kind, headers } = options;
  if (kind === 'events')
    return {
      statusCode: 200,
      headers: { ...headers, ...EVENT_STREAM_HEADERS },
      body: openEvents(work, options) as unknown as string,
    };
  const own = { 'content-type': 'application/json', 'x-accel-buffering': 'no' };
  return {
    statusCode: 202,
    headers: { ...headers, ...own },
    body: open(lateBody(work, options)) as unknown as string,
  };
}

/**
 * Returns a body that starts with spaces until the work has ended. `failed` returns the body for an error,
 * because the status has already been sent.
 */
export function spacedJson(
  work: Promise<unknown>,
  failed: (error: unknown) => unknown,
  timeLeftMs: () => number,
): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    const options = { ...LATE_TIMES, kind: 'json' as const, requestId: '', headers: {}, timeLeftMs };
    const result = yield* untilEnded(work.catch(failed), BLANK, () => failed(outOfTime()), options);
    yield Buffer.from(JSON.stringify(result));
    await restDone(options);
  }
  return open(pieces());
}

/** Opens a stream that doesn't read ahead, so that each space is sent when it's due. */
function open(pieces: AsyncGenerator<Buffer>): Readable {
  return Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
}

/** Opens the events. If the reader leaves, they are destroyed, even if they arrive later. */
function openEvents(work: Promise<APIGatewayProxyResult>, options: LateOptions): Readable {
  const ended = work.then(
    ({ body }) => body as unknown as Readable,
    (error: unknown) => failedEvents(error),
  );
  const stream = open(lateEvents(ended, options));
  // The generator can't do this: if it is destroyed before its first chunk, it never starts.
  return stream.once('close', () => void ended.then((events) => events.destroy()));
}

function failedEvents(error: unknown): Readable {
  return Readable.from([Buffer.from(failedFrames(error))]);
}

async function* lateEvents(ended: Promise<Readable>, options: LateOptions): AsyncGenerator<Buffer> {
  const beat = Buffer.from(HEARTBEAT);
  const events = yield* untilEnded(ended, beat, () => failedEvents(outOfTime()), options);
  yield* events;
  await restDone(options);
}

/**
 * Yields heartbeats until the work has ended, then returns its result. Shortly before the function ends,
 * returns the result of `giveUp` instead.
 */
async function* untilEnded<Result>(
  ended: Promise<Result>,
  sign: Buffer,
  giveUp: () => Result,
  { everyMs, timeLeftMs }: LateOptions,
): AsyncGenerator<Buffer, Result> {
  for (;;) {
    yield sign;
    const leftMs = timeLeftMs() - LATE_RESERVE_MS;
    const result = await withTimeout(Math.min(everyMs, Math.max(0, leftMs)), () => ended);
    if (result !== undefined) return result;
    if (leftMs <= everyMs) return giveUp();
  }
}

/** Waits for background work, but not until the platform ends the function, which would lose the response. */
async function restDone({ timeLeftMs }: LateOptions): Promise<void> {
  await backgroundWorkDone(timeLeftMs() - END_MS);
}

async function* lateBody(work: Promise<APIGatewayProxyResult>, options: LateOptions): AsyncGenerator<Buffer> {
  const { requestId } = options;
  const started = performance.now();
  const ended = work.catch((error: unknown) => lateError(error, requestId));
  const result = yield* untilEnded(ended, BLANK, () => lateError(outOfTime(), requestId), options);
  const ms = Math.round(performance.now() - started);
  log.info('late answer', { requestId, status: result.statusCode, ms });
  yield Buffer.from(result.body);
  await restDone(options);
}

/** Returns the error for a function that ends before its work does. Finished steps are kept. */
function outOfTime(): ServiceError {
  return new ServiceError(
    'request_timeout',
    'The request took longer than one request allows. Check whether it took effect before you try again.',
  );
}

/** Counts failures of the service, because alarms on the status see only 202. */
function lateError(error: unknown, requestId: string): APIGatewayProxyResult {
  const { statusCode, headers = {}, body } = errorAnswer(error, requestId);
  if (statusCode >= 500) report('stream_failed', 'a late answer failed', { requestId, status: statusCode });
  const field = headers['x-error-field'];
  const retryAfter = headers['retry-after'];
  const late: LateError = {
    error: (JSON.parse(body) as { error: string }).error,
    status: statusCode,
    code: String(headers['x-error-code']),
    ...(field !== undefined && { field: String(field) }),
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  };
  return { statusCode, body: JSON.stringify(late) };
}
