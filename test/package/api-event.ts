import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface ApiRequest {
  method: string;
  /** The path as API Gateway has it: `/api/workspaces/{workspaceId}`. */
  resource: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The ID of the caller. */
  caller?: string;
}

/**
 * Returns the event of a REST API's proxy integration for a call by an admin, including the context that an
 * authorizer's Allow adds.
 */
export function apiEvent({
  method,
  resource,
  params = {},
  query,
  body,
  headers = {},
  caller = 'tester',
}: ApiRequest) {
  const path = resource.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const sent: Record<string, string> = { host: 'api.test', 'content-type': 'application/json', ...headers };
  return {
    resource,
    path,
    httpMethod: method,
    headers: sent,
    multiValueHeaders: listValues(sent),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query === undefined ? null : listValues(query),
    pathParameters: Object.keys(params).length > 0 ? params : null,
    stageVariables: null,
    requestContext: {
      requestId: randomUUID(),
      resourcePath: resource,
      httpMethod: method,
      path: `/test${path}`,
      stage: 'test',
      identity: { sourceIp: '127.0.0.1', userAgent: 'jest' },
      authorizer: { principalId: caller, role: 'admin', workspaceIds: 'null' },
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEvent;
}

/** Returns the event of a request authorizer. */
export function authorizerEvent(headers: Record<string, string>) {
  return {
    type: 'REQUEST',
    methodArn: 'arn:aws:execute-api:eu-west-1:000000000000:api/test/GET/api/workspaces',
    resource: '/api/workspaces',
    path: '/api/workspaces',
    httpMethod: 'GET',
    headers,
    multiValueHeaders: listValues(headers),
    requestContext: { requestId: randomUUID(), stage: 'test' },
  };
}

function listValues(values: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}
