import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NotConfigured, ServiceError } from '../errors.ts';
import { errorDetails, errorText, knownError } from '../known-error.ts';
import { log } from '../log.ts';
import { report } from '../telemetry/events.ts';
import { isOpenaiPath, openaiError, openaiHeaders } from '../ui-messages/openai-error.ts';

/** The middleware that turns every error into a response. */
export function errorExit(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { event } = request;
      request.response = errorAnswer(request.error, event?.requestContext?.requestId, event?.path);
    },
  };
}

/**
 * Returns an error's response. A ServiceError has its own status and text, a full disk gets 507, and any
 * other error is a bug and gets 500. From 500 on, the cause is logged.
 */
export function errorAnswer(error: unknown, requestId: string | undefined, path = ''): APIGatewayProxyResult {
  const known = knownError(error);
  const isOpenai = isOpenaiPath(path);
  logFailure(error, requestId);
  return {
    statusCode: known?.status ?? 500,
    headers: {
      'content-type': 'application/json',
      ...errorHeaders(error),
      ...helpLink(errorDetails(error).code, path),
      ...known?.headers,
      ...(isOpenai && openaiHeaders(error)),
    },
    body: JSON.stringify({ error: isOpenai ? openaiError(error) : errorText(error) }),
  };
}

/** Maximum characters of a field name; longer ones are truncated. */
const MAX_FIELD = 200;

/** Returns `x-error-code`, and `x-error-field` if one field is invalid. A header can only contain visible ASCII. */
function errorHeaders(error: unknown): Record<string, string> {
  const { code, field } = errorDetails(error);
  if (field === undefined) return { 'x-error-code': code };
  return { 'x-error-code': code, 'x-error-field': encodeURI(field.toWellFormed()).slice(0, MAX_FIELD) };
}

/** Maximum segments of a path in this API. Further ones would only make the header long. */
const MAX_DEPTH = 10;

/**
 * Returns the link to the code's row in the docs. It is relative to the request, because the service doesn't
 * know which stage its URLs contain.
 */
function helpLink(code: string, path: string): Record<string, string> {
  const [root, api, ...parts] = path.split('/');
  if (root !== '' || api !== 'api' || parts.length === 0 || parts.length > MAX_DEPTH) return {};
  const up = '../'.repeat(parts.length - 1);
  return { link: `<${up}docs/pages/reference/errors#${code}>; rel="help"` };
}

/** Logs a failure. A missing configuration is only a warning, because anyone may call a disabled bot. */
function logFailure(error: unknown, requestId: string | undefined): void {
  if (error instanceof NotConfigured) {
    const reason = error.cause === undefined ? error.message : `${error.message}: ${error.cause}`;
    log.warn('not configured', { requestId, reason });
  } else if (!(error instanceof ServiceError) || error.status >= 500) {
    report('request_failed', 'request failed', { requestId }, error);
  }
}
