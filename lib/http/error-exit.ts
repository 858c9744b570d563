import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NotConfigured, ServiceError } from '../errors.ts';
import { errorDetails, errorText, knownError } from '../known-error.ts';
import { log } from '../log.ts';

/** The one place where an error becomes a response. */
export function errorExit(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { event } = request;
      request.response = errorAnswer(request.error, event?.requestContext?.requestId, event?.path);
    },
  };
}

/**
 * A ServiceError has its own status and text, and a full disk gets 507; anything else is a defect: 500. From 500 on,
 * the log has the cause.
 */
export function errorAnswer(error: unknown, requestId: string | undefined, path = ''): APIGatewayProxyResult {
  const known = knownError(error);
  logFailure(error, requestId);
  return {
    statusCode: known?.status ?? 500,
    headers: {
      'content-type': 'application/json',
      ...errorHeaders(error),
      ...helpLink(errorDetails(error).code, path),
      ...known?.headers,
    },
    body: JSON.stringify({ error: errorText(error) }),
  };
}

/** The longest field name to send; longer ones are truncated. */
const MAX_FIELD = 200;

/** `x-error-code`, and `x-error-field` if one field is at fault. A header can only contain visible ASCII. */
function errorHeaders(error: unknown): Record<string, string> {
  const { code, field } = errorDetails(error);
  if (field === undefined) return { 'x-error-code': code };
  return { 'x-error-code': code, 'x-error-field': encodeURI(field.toWellFormed()).slice(0, MAX_FIELD) };
}

/** Paths of this API have fewer segments; more would only make the header long. */
const MAX_DEPTH = 10;

/** The link to the code's row in the docs, relative to the request: the service doesn't know the stage in its URLs. */
function helpLink(code: string, path: string): Record<string, string> {
  const [root, api, ...parts] = path.split('/');
  if (root !== '' || api !== 'api' || parts.length === 0 || parts.length > MAX_DEPTH) return {};
  const up = '../'.repeat(parts.length - 1);
  return { link: `<${up}docs/pages/reference/errors#${code}>; rel="help"` };
}

/** A missing configuration is logged as a warning: it isn't a failure, and anyone may call a disabled bot. */
function logFailure(error: unknown, requestId: string | undefined): void {
  if (error instanceof NotConfigured) {
    const reason = error.cause === undefined ? error.message : `${error.message}: ${error.cause}`;
    log.warn('not configured', { requestId, reason });
  } else if (!(error instanceof ServiceError) || error.status >= 500) {
    log.error('request failed', { requestId }, error);
  }
}
