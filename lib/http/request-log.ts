import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { log } from '../log.ts';

/**
 * Sets x-request-id on every response and logs one line per request, with its route and status but no
 * contents.
 */
export function requestLog(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const started = new WeakMap<object, number>();
  const finish = (request: {
    event: APIGatewayProxyEvent;
    response?: APIGatewayProxyResult | null | undefined;
  }) => {
    const { response, event } = request;
    if (!response) return;
    const requestId = event.requestContext.requestId;
    response.headers = { ...response.headers, 'x-request-id': requestId };
    log.info('request', {
      requestId,
      method: event.httpMethod,
      route: event.resource,
      status: response.statusCode,
      ms: Math.round(performance.now() - (started.get(event) ?? 0)),
      caller: event.requestContext.authorizer?.principalId as string | undefined,
      address: event.requestContext.identity?.sourceIp,
    });
  };
  return {
    before: (request) => void started.set(request.event, performance.now()),
    after: finish,
    onError: finish,
  };
}
