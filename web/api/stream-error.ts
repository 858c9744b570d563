import { ApiError } from './client.ts';

/** The status of an error in an answer's stream. */
const IN_STREAM = 200;

/** Returns the error of a stream: the text of its `error` part, with the data of the `data-error` that follows it. */
export function streamError(text: string, data: unknown = {}): ApiError {
  const { code, field, retryAfter } = data as { code?: string; field?: string; retryAfter?: number };
  const retryAfterMs = retryAfter === undefined ? undefined : retryAfter * 1000;
  return new ApiError(IN_STREAM, text, { code, field, retryAfterMs });
}
