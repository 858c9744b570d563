import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { log } from '../log.ts';
import { WORKSPACE_ERRORS } from '../workspaces/access.ts';
import { type Route, takesKey } from './route.ts';

// biome-ignore lint/suspicious/noExplicitAny: codes don't depend on a route's ports
type AnyRoute = Route<any>;

/** The log message for an undeclared error code of a route. */
const UNDECLARED = 'undeclared error code';

const EVERY_ROUTE: ErrorCode[] = [
  'function_failed',
  'internal_error',
  'invalid_value',
  'method_not_allowed',
  'rate_limited',
  'request_head_too_large',
  'request_timeout',
  'server_busy',
];
const WITH_CALLER: ErrorCode[] = [
  'forbidden',
  'invalid_credential',
  'issuer_unreachable',
  'origin_refused',
  'role_required',
  'role_unknown',
];
const WITH_BODY: ErrorCode[] = [
  'body_timeout',
  'body_too_complex',
  'body_too_large',
  'body_unreadable',
  'content_type_unsupported',
  'field_repeated',
  'missing_value',
  'request_broken_off',
  'unknown_field',
];
const WITH_KEY: ErrorCode[] = ['idempotency_answer_lost', 'idempotency_key_reused', 'request_in_progress'];

/** Returns every error code of a route, sorted: the codes of its kind, and its own. */
export function errorsOf(route: AnyRoute): ErrorCode[] {
  const isRead = route.method === 'GET';
  return [
    ...new Set<ErrorCode>([
      ...EVERY_ROUTE,
      ...(route.access === 'public' ? [] : WITH_CALLER),
      ...(route.query || route.params ? (['missing_value'] as const) : []),
      ...(route.query && 'cursor' in route.query.shape ? (['invalid_cursor'] as const) : []),
      ...(route.body === undefined ? [] : WITH_BODY),
      ...(route.workspace === undefined ? [] : WORKSPACE_ERRORS),
      ...(takesKey(route) ? WITH_KEY : []),
      ...(route.takesMatch ? (['changed_since_read'] as const) : []),
      ...(isRead ? [] : (['disk_full'] as const)),
      ...(route.errors ?? []),
    ]),
  ].sort();
}

/** Returns whether a route's response is a stream of events. */
export function sendsEvents({ replies }: AnyRoute): boolean {
  const reply = replies[200];
  return reply !== undefined && 'mediaType' in reply && reply.mediaType === 'text/event-stream';
}

/** Returns the error codes with which a route's stream may end, in its part `data-error`. */
export function streamErrorsOf({ replies }: AnyRoute): ErrorCode[] {
  const codes = Object.values(replies).flatMap((reply) => ('mediaType' in reply ? (reply.errors ?? []) : []));
  return [...new Set(codes)].sort();
}

/** Groups the codes of `errorsOf` by status. */
export function errorsByStatus(route: AnyRoute): Map<number, ErrorCode[]> {
  return Map.groupBy(errorsOf(route), (code) => ERROR_CODES[code]);
}

/** Logs the code of an error that a route doesn't declare; tests fail on it (test/support/declared-errors.ts). */
export function warnUndeclared(route: AnyRoute, code: ErrorCode): void {
  if (errorsOf(route).includes(code)) return;
  log.warn(UNDECLARED, { route: `${route.method} ${route.path}`, code });
}
