interface ApiErrorOptions {
  /** The stable code, as in the service's docs. */
  code?: string | undefined;
  /** The invalid field. */
  field?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The code of a response that ended before its result, so that the outcome of the action is unknown. */
export const ANSWER_LOST = 'answer_lost';

/** The code for an incomplete stream. */
export const STREAM_BROKEN = 'stream_broken';

/**
 * A refusal or failure of the service, in its own words. `status` 0 means that the service is unreachable, or
 * that `code` is one of the codes above.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, { code, field, retryAfterMs }: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Returns whether the service refused a message because its conversation doesn't end as this page shows it.
 */
export function isConversationChanged(error: Error | undefined): boolean {
  return error instanceof ApiError && error.code === 'conversation_changed';
}
