import { type CodeOf, ERROR_CODES, type ErrorCode } from './error-codes.ts';

export interface ServiceErrorOptions extends ErrorOptions {
  /** The invalid field, named as the caller did: `steps.0.instruction`. Sent as `x-error-field`. */
  field?: string | undefined;
  headers?: Record<string, string>;
}

/**
 * An error with a message for the caller. lib/http returns it as `{"error": message}` with its status, its
 * code in `x-error-code`, and its field in `x-error-field`. Any other error becomes a 500 without details.
 * Never put a key, an ARN, a stack, or a path that the caller didn't send into the message.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.status = ERROR_CODES[code];
    this.field = options.field;
    this.headers = options.headers ?? {};
  }
}

/** 400: a missing or invalid value; the message names the field. */
export class InvalidInput extends ServiceError {
  constructor(code: CodeOf<400>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** Why a file's text can't be read, as a word for lists. The error message is more specific. */
export type UnreadableReason = 'kind' | 'size' | 'encrypted' | 'no_text' | 'broken';

const UNREADABLE = {
  kind: 'file_format_unsupported',
  size: 'file_too_large_to_read',
  encrypted: 'file_encrypted',
  no_text: 'file_has_no_text',
  broken: 'file_damaged',
} as const satisfies Record<UnreadableReason, CodeOf<400>>;

/** The codes of `Unreadable`. */
export const UNREADABLE_ERRORS = Object.values(UNREADABLE);

/** 400: a file whose text can't be read. In lists, any other error about a file counts as `broken`. */
export class Unreadable extends InvalidInput {
  readonly reason: UnreadableReason;
  /** The detected format of the bytes: `empty`, `incomplete`, or a format's title. */
  readonly found: string | undefined;

  constructor(reason: UnreadableReason, message: string, options?: ErrorOptions & { found?: string }) {
    super(UNREADABLE[reason], message, options);
    this.reason = reason;
    this.found = options?.found;
  }
}

/** 401: no credential, or an invalid or expired one. */
export class Unauthorized extends ServiceError {
  constructor(code: CodeOf<401>, message = 'The credential is missing or invalid.') {
    super(code, message);
  }
}

/** 403: a valid credential without the required permission. */
export class Forbidden extends ServiceError {
  constructor(code: CodeOf<403>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** 404: an unknown ID, file or route. */
export class NotFound extends ServiceError {
  constructor(code: CodeOf<404>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** 409: the state of the resource doesn't allow the request. */
export class Conflict extends ServiceError {
  constructor(code: CodeOf<409>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** 413: a body or a file over its limit. The message names the limit and the alternative. */
export class TooLarge extends ServiceError {
  constructor(code: CodeOf<413>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** 429: too many calls; `retryAfterSeconds` is sent as `retry-after`. */
export class TooManyRequests extends ServiceError {
  constructor(code: CodeOf<429>, message: string, retryAfterSeconds: number) {
    super(code, message, { headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) } });
  }
}

/** 429: a month's budget is used up, or calls in progress may use it up. */
export class OverBudget extends TooManyRequests {
  constructor(message: string, retryAfterSeconds: number) {
    super('budget_used_up', message, retryAfterSeconds);
  }
}

/**
 * 502: an external service failed. The message says which and how, without the service's own texts or keys.
 */
export class UpstreamFailed extends ServiceError {
  /** True if the service refused the request (400, 413, 422), which says nothing about other requests. */
  readonly refusedRequest: boolean;

  constructor(
    code: CodeOf<502>,
    message: string,
    options?: ServiceErrorOptions & { refusedRequest?: boolean },
  ) {
    super(code, message, options);
    this.refusedRequest = options?.refusedRequest ?? false;
  }
}

/** 502: the prompt doesn't fit into the model's context window, but a shorter one may. */
export class WindowExceeded extends UpstreamFailed {
  /** The window's size as reported by the provider, in tokens. */
  readonly contextTokens: number | undefined;

  constructor(message: string, contextTokens: number | undefined) {
    super('model_window_exceeded', message, { refusedRequest: true });
    this.contextTokens = contextTokens;
  }
}

/** 503: a feature isn't configured. The message names the variable to set. */
export class NotConfigured extends ServiceError {
  constructor(code: CodeOf<503>, message: string, options?: ServiceErrorOptions) {
    super(code, message, options);
  }
}

/** 507: the disk is full, or a quota on it is used up. */
export class DiskFull extends ServiceError {
  constructor(options?: ErrorOptions) {
    super('disk_full', 'The disk is full. Free some space, then try again.', options);
  }
}

const CLASSES: Partial<
  Record<number, new (code: never, message: string, options?: ServiceErrorOptions) => ServiceError>
> = {
  400: InvalidInput,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: TooLarge,
  502: UpstreamFailed,
  503: NotConfigured,
};

/** Recreates an error in another process from its code, in the class for the code's status. */
export function serviceError(
  code: ErrorCode,
  message: string,
  options: ServiceErrorOptions = {},
): ServiceError {
  const Class = CLASSES[ERROR_CODES[code]];
  return Class === undefined
    ? new ServiceError(code, message, options)
    : new Class(code as never, message, options);
}

/** For `catch`: rethrows the error of a refused path with the field in which the caller sent the path. */
export function inField(field: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ServiceError) || error.field !== 'path') throw error;
    const message = error.message.replace(/^path\b/, field);
    throw serviceError(error.code, message, { field, cause: error });
  };
}

/** Returns the error without its field and full stop, for a sentence or list that names the file: `is a directory`. */
export function predicateOf({ message, field }: ServiceError): string {
  const predicate =
    field !== undefined && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return predicate.replace(/\.$/, '');
}

/** For `catch`: treats a refusal as absence, and rethrows any other error, including a full disk. */
export function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error instanceof DiskFull) throw error;
}
