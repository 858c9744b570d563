import type { StreamPart } from '../api-contract/stream-part.ts';
import type { ErrorCode } from '../error-codes.ts';
import { type ErrorDetails, errorDetails, errorText } from '../known-error.ts';

/** The error codes with which any stream may end, in its `data-error`. */
export const STREAM_ERRORS = [
  'disk_full',
  'internal_error',
  'request_timeout',
] as const satisfies ErrorCode[];

/** Returns the last parts of a failed stream: the message for the client, then the error's code and field. */
export function errorParts(error: unknown): StreamPart[] {
  return failureParts(errorText(error), errorDetails(error));
}

/** Returns the same parts as errorParts, for a failure that wasn't thrown. */
export function failureParts(text: string, details: ErrorDetails): StreamPart[] {
  return [
    { type: 'error', errorText: text },
    { type: 'data-error', data: details },
  ];
}

/**
 * Milliseconds until the client of a cut stream resumes it, as a share of the time in which nothing has
 * changed.
 */
const RETRY_MS = { min: 2_000, share: 0.1, max: 60_000 };

/** Returns the pause for the client of a stream on which nothing has changed for this many milliseconds. */
export function retryAfter(quietMs: number): number {
  const { min, share, max } = RETRY_MS;
  return Math.round(Math.min(max, Math.max(min, quietMs * share)));
}

/**
 * Thrown by a source that can't continue now. The stream ends without `[DONE]`, and the reader resumes it,
 * after `retryMs` if that is set.
 */
export class StreamCut extends Error {
  readonly retryMs: number | undefined;

  constructor(retryMs?: number) {
    super();
    this.retryMs = retryMs;
  }
}
