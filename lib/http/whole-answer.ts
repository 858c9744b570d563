import type { Readable } from 'node:stream';
import { withTimeout } from '../async/with-timeout.ts';
import { ServiceError } from '../errors.ts';
import { LATE_RESERVE_MS, LATE_TIMES, spacedJson } from './late-answer.ts';
import { reply } from './reply.ts';
import type { Reply } from './route.ts';

const JSON_HEADERS = { 'content-type': 'application/json', 'x-accel-buffering': 'no' };

interface WholeOptions {
  /** Returns the body of an error after the response has started. */
  failed(error: unknown): unknown;
  timeLeftMs(): number;
  /** A shorter time, for tests. */
  afterMs?: number;
}

/**
 * Returns a result as JSON. For clients that know no 202, a slow response starts with status 200 and spaces. Aborts the
 * signal before the platform ends the function.
 */
export async function replyWhole<Body>(
  start: (signal: AbortSignal) => Promise<Body>,
  { failed, timeLeftMs, afterMs = LATE_TIMES.afterMs }: WholeOptions,
): Promise<Reply<200, Body | Readable>> {
  const over = new AbortController();
  const end = () => over.abort(new ServiceError('request_timeout', 'The answer took too long.'));
  const timer = setTimeout(end, Math.max(0, timeLeftMs() - 2 * LATE_RESERVE_MS)).unref();
  const work = start(over.signal).finally(() => clearTimeout(timer));
  const inTime = await withTimeout(afterMs, () => work);
  if (inTime !== undefined) return reply(200, inTime);
  return reply(200, spacedJson(work, failed, timeLeftMs), JSON_HEADERS);
}
