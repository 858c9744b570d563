interface ApiErrorOptions {
  /** The stable code, as the service's docs list it. */
  code?: string | undefined;
  /** The field at fault. */
  field?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The code of a response that ended before its result: whether the action happened is not known. */
export const ANSWER_LOST = 'answer_lost';

/** A refusal or failure of the service, in its own sentence. `status` 0: the service can't be reached, or ANSWER_LOST. */
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
