import type { ErrorCode } from './error-codes.ts';
import { DiskFull, ServiceError } from './errors.ts';

/** Maximum causes of an error to follow: enough for every wrapper here, and a limit for a cycle. */
const MAX_DEPTH = 6;
/**
 * Primary result codes of https://sqlite.org/rescode.html. An extended code has a primary one in its lowest
 * byte.
 */
const SQLITE_FULL = 13;
/**
 * A used-up quota causes SQLITE_IOERR_WRITE; SQLITE_IOERR_SHMSIZE means that the log's index couldn't grow.
 */
const SQLITE_WITHOUT_ROOM = new Set([10 | (3 << 8), 10 | (19 << 8)]);
/** LanceDB reports the system's error only in its text: ENOSPC is 28; EDQUOT is 122 on Linux and 69 on macOS. */
const RUST_WITHOUT_ROOM = /\(os error (?:28|122|69)\)/;

/**
 * Returns the error for the caller: a ServiceError, or DiskFull if the cause is a lack of space. Undefined
 * for any other error, which is reported as an internal error.
 */
export function knownError(error: unknown): ServiceError | undefined {
  if (isDiskFull(error)) return error instanceof DiskFull ? error : new DiskFull({ cause: error });
  return error instanceof ServiceError ? error : undefined;
}

/**
 * For `catch`: returns a refusal, so that work continues without the refused part. Throws any other error,
 * including a full disk, because such work must wait for space.
 */
export function requireRefusal(error: unknown): ServiceError {
  if (isDiskFull(error) || !(error instanceof ServiceError)) throw error;
  return error;
}

/** Returns an error's text for the caller. */
export function errorText(error: unknown): string {
  return knownError(error)?.message ?? 'Something went wrong in the service. Try again.';
}

/** An error's stable code and invalid field, as sent in response headers and stream data. */
export interface ErrorDetails {
  code: ErrorCode;
  field?: string;
  /** Seconds to wait for a provider's rate limit, if known. */
  retryAfter?: number;
}

export function errorDetails(error: unknown): ErrorDetails {
  const { code = 'internal_error', field, headers } = knownError(error) ?? {};
  const wait = headers?.['retry-after'];
  return {
    code,
    ...(field !== undefined && { field }),
    ...(wait !== undefined && { retryAfter: Number(wait) }),
  };
}

/**
 * Returns true if something failed because the disk, or a quota on it, has no space, as reported by the file
 * system, SQLite, or LanceDB.
 */
export function isDiskFull(error: unknown, depth = MAX_DEPTH): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])];
  return lacksRoom(error) || inner.some((each) => isDiskFull(each, depth - 1));
}

function lacksRoom(error: { message?: unknown; code?: unknown; errcode?: unknown }): boolean {
  if (error instanceof ServiceError) return error instanceof DiskFull;
  const { message, code, errcode } = error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number')
    return (errcode & 0xff) === SQLITE_FULL || SQLITE_WITHOUT_ROOM.has(errcode);
  return typeof message === 'string' && RUST_WITHOUT_ROOM.test(message);
}
