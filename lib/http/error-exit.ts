import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NotConfigured, ServiceError } from '../errors.ts';
import { errorDetails, errorText, knownError } from '../known-error.ts';
import { log } from '../log.ts';

/** The one place where an error becomes an answer. */
export function errorExit(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      request.response = errorAnswer(request.error, request.event?.requestContext?.requestId);
    },
  };
}

/**
 * A ServiceError answers its own status and text, a full disk 507; anything else is ours: 500. From 500 up the log has the
 * cause.
 */
export function errorAnswer(error: unknown, requestId: string | undefined): APIGatewayProxyResult {
  const known = knownError(error);
  logFailure(error, requestId);
  return {
    statusCode: known?.status ?? 500,
    headers: { 'content-type': 'application/json', ...errorHeaders(error), ...known?.headers },
    body: JSON.stringify({ error: errorText(error) }),
  };
}

/** The largest field name that is sent; a longer one is cut. */
const MAX_FIELD = 200;

/** `x-error-code`, and `x-error-field` where one field is at fault. A header holds no more than visible ASCII. */
function errorHeaders(error: unknown): Record<string, string> {
  const { code, field } = errorDetails(error);
  if (field === undefined) return { 'x-error-code': code };
  return { 'x-error-code': code, 'x-error-field': encodeURI(field.toWellFormed()).slice(0, MAX_FIELD) };
}

/** A missing configuration isn't a failure of the service, and anyone may ask a bot that is off. */
function logFailure(error: unknown, requestId: string | undefined): void {
  if (error instanceof NotConfigured) {
    const reason = error.cause === undefined ? error.message : `${error.message}: ${error.cause}`;
    log.warn('not configured', { requestId, reason });
  } else if (!(error instanceof ServiceError) || error.status >= 500) {
    log.error('request failed', { requestId }, error);
  }
}
