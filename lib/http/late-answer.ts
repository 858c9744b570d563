import { Readable } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import type { LateError } from '../api-contract/late-answer.ts';
import { backgroundWorkDone } from '../async/after-response.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { ServiceError } from '../errors.ts';
import { log } from '../log.ts';
import { count } from '../telemetry/metrics.ts';
import { errorAnswer } from './error-exit.ts';
import { EVENT_STREAM_HEADERS, failedFrames, HEARTBEAT, HEARTBEAT_MS } from './event-stream.ts';

/** How long a response may take until it starts without its result, and how often it then sends a blank. */
export interface LateTimes {
  afterMs: number;
  everyMs: number;
}

/** CloudFront ends a response after 60 s of silence, to which the authorizer and a cold start belong. */
export const LATE_TIMES: LateTimes = { afterMs: 40_000, everyMs: HEARTBEAT_MS };

/** One form for all operations, because generators of clients do not read a choice of results alike. */
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
/** Kept for the end of the body, before the platform ends the function. */
const RESERVE_MS = 3_000;

interface LateOptions extends LateTimes {
  /** `events`: the response is a stream of events, in which an error is a part. */
  kind: 'json' | 'events';
  requestId: string;
  headers: Record<string, string>;
  /** Milliseconds until the platform ends the function. */
  timeLeftMs(): number;
}

/**
 * Returns the answer, or after `afterMs` the start of one, whose body has nothing but blanks or comments until the answer is
 * there. An error is then reported in the body, because its status can no longer be sent.
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
      body: open(lateEvents(work, options)),
    };
  const own = { 'content-type': 'application/json', 'x-accel-buffering': 'no' };
  return { statusCode: 202, headers: { ...headers, ...own }, body: open(lateBody(work, options)) };
}

/** Nothing is read ahead: a blank is sent when it is due. */
function open(pieces: AsyncGenerator<Buffer>): string {
  return Readable.from(pieces, { objectMode: false, highWaterMark: 1 }) as unknown as string;
}

async function* lateEvents(
  work: Promise<APIGatewayProxyResult>,
  { everyMs }: LateOptions,
): AsyncGenerator<Buffer> {
  const ended = work.then(
    ({ body }) => body as unknown as Readable,
    (error: unknown) => Readable.from([Buffer.from(failedFrames(error))]),
  );
  let events: Readable | undefined;
  try {
    while (events === undefined) {
      yield Buffer.from(HEARTBEAT);
      events = await withTimeout(everyMs, () => ended);
    }
    yield* events;
    await backgroundWorkDone();
  } finally {
    void ended.then((stream) => stream.destroy());
  }
}

async function* lateBody(
  work: Promise<APIGatewayProxyResult>,
  { requestId, everyMs, timeLeftMs }: LateOptions,
): AsyncGenerator<Buffer> {
  const started = performance.now();
  const ended = work.catch((error: unknown) => lateError(error, requestId));
  let result: APIGatewayProxyResult | undefined;
  while (result === undefined) {
    yield BLANK;
    const leftMs = timeLeftMs() - RESERVE_MS;
    result = await withTimeout(Math.min(everyMs, Math.max(0, leftMs)), () => ended);
    if (leftMs <= everyMs) result ??= lateError(outOfTime(), requestId);
  }
  const ms = Math.round(performance.now() - started);
  log.info('late answer', { requestId, status: result.statusCode, ms });
  yield Buffer.from(result.body);
  await backgroundWorkDone();
}

/** The function ends before its work: what is done by now stays done. */
function outOfTime(): ServiceError {
  return new ServiceError(
    'request_timeout',
    'The request took longer than one request allows. Check whether it took effect before you try again.',
  );
}

/** Counts failures of the service: the alarms on the status see 202. */
function lateError(error: unknown, requestId: string): APIGatewayProxyResult {
  const { statusCode, headers = {}, body } = errorAnswer(error, requestId);
  if (statusCode >= 500) count('StreamFailures');
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
