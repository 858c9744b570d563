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

/** Like errorParts, for a failure that wasn't thrown. */
export function failureParts(text: string, details: ErrorDetails): StreamPart[] {
  return [
    { type: 'error', errorText: text },
    { type: 'data-error', data: details },
  ];
}

/**
 * Thrown by a source that can't continue now. The stream ends without `[DONE]`, and the reader resumes it, after
 * `retryMs` if it is set.
 */
export class StreamCut extends Error {
  readonly retryMs: number | undefined;

  constructor(retryMs?: number) {
    super();
    this.retryMs = retryMs;
  }
}
