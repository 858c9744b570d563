import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import { log } from '../log.ts';

/** The one place where an error becomes an answer. */
export function errorExit(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      request.response = errorAnswer(request.error, request.event?.requestContext?.requestId);
    },
  };
}

/** A ServiceError answers its own status and text; anything else is ours: 500. From 500 up the log has the cause. */
export function errorAnswer(error: unknown, requestId: string | undefined): APIGatewayProxyResult {
  const known = error instanceof ServiceError;
  if (!known || error.status >= 500) log.error('request failed', { requestId }, error);
  return {
    statusCode: known ? error.status : 500,
    headers: { 'content-type': 'application/json', ...(known ? error.headers : {}) },
    body: JSON.stringify({ error: known ? error.message : 'internal error' }),
  };
}
