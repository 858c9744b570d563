import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError, TooLarge } from '../../lib/errors.ts';
import { errorAnswer } from '../../lib/http/error-exit.ts';
import { authorize } from './authorize.ts';
import { FunctionTimeout, type Handler, invoke, isStreaming } from './lambda-runtime.ts';
import { proxyEvent } from './proxy-event.ts';
import { type RouteMatch, routeTable } from './route-table.ts';
import type { RouteDefinition, ServiceDefinition } from './service-file.ts';
import { streamAnswer } from './stream-answer.ts';

/** API Gateway's request limit, Lambda's event limit, and Lambda's limit for a buffered answer, in bytes. */
const MAX_REQUEST = 10 * 1024 * 1024;
const MAX_EVENT = 6 * 1024 * 1024;
const MAX_ANSWER = 6 * 1024 * 1024;
/** How much longer a body can be in the event's JSON: control characters take six bytes there. */
const MAX_GROWTH = 6;

export interface GatewayOptions {
  definition: ServiceDefinition;
  /** The handler of a function by its name in serverless.yml. */
  load(functionName: string): Promise<Handler>;
  /** Requests that are not the API's: answers true when it took the request. */
  intercept?(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
}

/** An HTTP server that does what API Gateway does in front of the functions. */
export function createGateway(options: GatewayOptions): Server {
  const match = routeTable(options.definition.routes);
  const server = createServer({ requestTimeout: 300_000, headersTimeout: 15_000 }, (request, response) => {
    response.setHeader('x-request-id', randomUUID());
    answer(options, match, request, response).catch((error: unknown) => refuse(response, error));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return server;
}

async function answer(
  options: GatewayOptions,
  match: (path: string) => RouteMatch | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = readUrl(request);
  if (await options.intercept?.(request, response, url)) return;
  const found = match(url.pathname);
  if (found === undefined) throw new ServiceError(404, 'no such route');
  if (request.method === 'OPTIONS' && found.route.cors) return preflight(response);
  const body = await readBody(request);
  const event = proxyEvent(request, url, found, body, options.definition.binaryMediaTypes);
  event.requestContext.requestId = String(response.getHeader('x-request-id'));
  event.requestContext.authorizer = (await authorize(options.load, found.route, event)) ?? null;
  if (body !== null && body.length > MAX_EVENT / MAX_GROWTH) checkEventSize(event);
  const handler = await options.load(found.route.function);
  if (isStreaming(handler) !== found.route.streaming)
    throw new ServiceError(502, 'transfer mode and handler disagree');
  await (isStreaming(handler)
    ? streamAnswer(handler, event, response, found.route.timeoutMs)
    : bufferedAnswer(handler, event, response, found.route));
}

function readUrl(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? '/', 'http://local');
  } catch {
    throw new ServiceError(400, 'the request address is not valid');
  }
}

/** The whole body, or null when there is none. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_REQUEST) throw requestTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REQUEST) throw requestTooLarge();
    chunks.push(chunk);
  }
  return size === 0 ? null : Buffer.concat(chunks, size);
}

function requestTooLarge(): TooLarge {
  return new TooLarge('a request is at most 10 MB: larger files go through POST /api/files/uploads');
}

/** The event is JSON with the body inside it; base64 makes a binary body a third larger. */
function checkEventSize(event: APIGatewayProxyEvent): void {
  if (Buffer.byteLength(JSON.stringify(event)) <= MAX_EVENT) return;
  throw new TooLarge(
    'a request with its headers is at most 6 MB: larger files go through POST /api/files/uploads',
  );
}

interface ProxyResult {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

async function bufferedAnswer(
  handler: Handler,
  event: APIGatewayProxyEvent,
  response: ServerResponse,
  route: RouteDefinition,
): Promise<void> {
  const result = await invoke(handler, event, route.timeoutMs).catch(gatewayError);
  if (!isProxyResult(result)) throw new ServiceError(502, 'the function gave no valid answer');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > MAX_ANSWER) throw new ServiceError(502, 'the answer is over 6 MB');
  response.writeHead(result.statusCode, { ...result.headers, 'content-length': body.length });
  response.end(event.httpMethod === 'HEAD' ? undefined : body);
}

/** What API Gateway makes of a function that failed or took too long. */
export function gatewayError(error: unknown): never {
  if (error instanceof FunctionTimeout) throw new ServiceError(504, 'the request took too long');
  throw new ServiceError(502, 'the function failed', { cause: error });
}

function isProxyResult(value: unknown): value is ProxyResult {
  return typeof value === 'object' && value !== null && Number.isInteger((value as ProxyResult).statusCode);
}

/** An error in the service's own shape; after the first byte the connection can only be cut. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { statusCode, headers, body } = errorAnswer(
    error,
    response.getHeader('x-request-id') as string | undefined,
  );
  response.writeHead(statusCode, { ...(headers as Record<string, string>), connection: 'close' });
  response.end(body);
}

/** The gateway's own answer to OPTIONS; which origins may read answers is decided in the functions. */
function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers':
      'content-type,authorization,idempotency-key,last-event-id,range,if-none-match',
  });
  response.end();
}
