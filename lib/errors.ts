/**
 * An error whose text is meant for the caller. The error exit of lib/http answers it as `{"error": message}`
 * with its status; anything else that is thrown becomes a 500 without details.
 * Never put a key, an ARN, a stack, or a path the caller did not send into the message.
 */
export class ServiceError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** 400: a missing or invalid value; the message names the field. */
export class InvalidInput extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super(400, message, options);
  }
}

/** Why the text of a file cannot be had, in a word for lists: the message says more. */
export type UnreadableReason = 'kind' | 'size' | 'encrypted' | 'no_text' | 'broken';

/** 400: a file whose text cannot be read. Any other error over a file counts as `broken`. */
export class Unreadable extends InvalidInput {
  readonly reason: UnreadableReason;
  /** What the bytes turned out to be instead: `empty`, `incomplete`, or the title of a format. */
  readonly found: string | undefined;

  constructor(reason: UnreadableReason, message: string, options?: ErrorOptions & { found?: string }) {
    super(message, options);
    this.reason = reason;
    this.found = options?.found;
  }
}

/** 401: no credential, or an invalid or expired one. */
export class Unauthorized extends ServiceError {
  constructor(message = 'missing or invalid credential') {
    super(401, message);
  }
}

/** 403: a valid credential without the right. */
export class Forbidden extends ServiceError {
  constructor(message: string) {
    super(403, message);
  }
}

/** 404: an unknown id, file or route. */
export class NotFound extends ServiceError {
  constructor(message: string) {
    super(404, message);
  }
}

/** 409: the state of the resource does not allow it. */
export class Conflict extends ServiceError {
  constructor(message: string) {
    super(409, message);
  }
}

/** 413: a body or a file over its limit; the message names the limit and the way around it. */
export class TooLarge extends ServiceError {
  constructor(message: string) {
    super(413, message);
  }
}

/** 429: too many calls; `retryAfterSeconds` goes into the retry-after header. */
export class TooManyRequests extends ServiceError {
  constructor(message: string, retryAfterSeconds: number) {
    super(429, message, { headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) } });
  }
}

/** 429: a month's budget is used up, or calls in progress may use up the rest of it. */
export class OverBudget extends TooManyRequests {}

/** 502: an outside service failed; the message says which and how, without its own texts or keys. */
export class UpstreamFailed extends ServiceError {
  /** True when it refused what it was asked (400, 413, 422): that says nothing of how it takes other requests. */
  readonly refusedRequest: boolean;

  constructor(message: string, options?: ErrorOptions & { refusedRequest?: boolean }) {
    super(502, message, options);
    this.refusedRequest = options?.refusedRequest ?? false;
  }
}

/** 503: something is not configured; the message names the variable to set. */
export class NotConfigured extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super(503, message, options);
  }
}

/** 507: there is no room on the disk, or a quota of it is used up. */
export class DiskFull extends ServiceError {
  constructor(options?: ErrorOptions) {
    super(507, 'The disk is full. Free some space, then try again.', options);
  }
}

/** For `catch`: treats a refusal as absence, and rethrows any other failure, a full disk too. */
export function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error instanceof DiskFull) throw error;
}
