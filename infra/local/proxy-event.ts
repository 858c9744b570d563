import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RouteMatch } from './route-table.ts';

/** Creates the proxy integration event of a REST API as API Gateway does, without the body. */
export function proxyEvent(
  request: IncomingMessage,
  url: URL,
  { route, pathParameters }: RouteMatch,
  sourceIp: string,
): APIGatewayProxyEvent {
  return {
    resource: route.resource,
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    ...headersOf(request.rawHeaders),
    ...queryOf(url.searchParams),
    pathParameters,
    stageVariables: null,
    requestContext: requestContext(request, url, route.resource, sourceIp),
    body: null,
    isBase64Encoded: false,
  };
}

/** Returns the body in the format of such an event. */
export function eventBody(
  { headers }: IncomingMessage,
  body: Buffer,
  binaryMediaTypes: string[],
): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const binary = binaryMediaTypes.includes(type);
  return { body: body.toString(binary ? 'base64' : 'utf8'), isBase64Encoded: binary };
}

function requestContext(
  request: IncomingMessage,
  url: URL,
  resource: string,
  sourceIp: string,
): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: null,
    protocol: `HTTP/${request.httpVersion}`,
    httpMethod: request.method ?? 'GET',
    identity: identityOf(request, sourceIp),
    path: `/local${url.pathname}`,
    stage: 'local',
    requestId: randomUUID(),
    requestTimeEpoch: Date.now(),
    resourceId: resource,
    resourcePath: resource,
  };
}

function identityOf(
  request: IncomingMessage,
  sourceIp: string,
): APIGatewayProxyEvent['requestContext']['identity'] {
  return {
    sourceIp,
    userAgent: request.headers['user-agent'] ?? null,
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    user: null,
    userArn: null,
  };
}

/**
 * Returns the headers with the names that the client wrote. If a header is repeated, `headers` has the last
 * value.
 */
function headersOf(raw: string[]): Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'> {
  // No prototype: clients may name a header `constructor`.
  const headers: Record<string, string> = Object.create(null);
  const multiValueHeaders: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    headers[name] = value;
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
  }
  return { headers, multiValueHeaders };
}

type Query = Pick<APIGatewayProxyEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'>;

/** Both are null without a query, as in API Gateway. */
function queryOf(parameters: URLSearchParams): Query {
  if (parameters.size === 0) return { queryStringParameters: null, multiValueQueryStringParameters: null };
  const names = [...new Set(parameters.keys())];
  return {
    queryStringParameters: Object.fromEntries(parameters),
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
  };
}
