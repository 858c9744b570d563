import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError, TooLarge } from '../../lib/errors.ts';
import { errorAnswer } from '../../lib/http/error-exit.ts';
import { authorize } from './authorize.ts';
import { gatewayError } from './gateway-error.ts';
import { type Handler, invoke, isStreaming } from './lambda-runtime.ts';
import { proxyEvent } from './proxy-event.ts';
import { type RouteMatch, routeTable } from './route-table.ts';
import type { Cors, RouteDefinition, ServiceDefinition } from './service-file.ts';
import { streamAnswer } from './stream-answer.ts';

/** API Gateway's request limit, Lambda's event limit, and Lambda's limit for a buffered answer, in bytes. */
const MAX_REQUEST = 10 * 1024 * 1024;
const MAX_EVENT = 6 * 1024 * 1024;
const MAX_ANSWER = 6 * 1024 * 1024;
/** A signed PUT of 5 GB over a slow line; a request of the API has API_BODY_TIMEOUT_MS. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
const API_BODY_TIMEOUT_MS = 60_000;
/** Longer than clients and proxies keep a connection, so that none sends into one that is just being closed. */
const KEEP_ALIVE_MS = 65_000;
/** How long what a refused client still sends is read and dropped, so that it comes to read the answer. */
const LINGER_MS = 5_000;
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
  const server = createServer(
    { requestTimeout: UPLOAD_TIMEOUT_MS, headersTimeout: 15_000, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      response.setHeader('x-request-id', randomUUID());
      answer(options, match, request, response).catch((error: unknown) => refuse(request, response, error));
    },
  );
  server.on('clientError', refuseBroken);
  return server;
}

const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the request head is over 16 KB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

/** What is not HTTP has no response object. Into an answer that has begun nothing may be written. */
function refuseBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: BROKEN[error.code ?? ''] ?? 'the request is not valid HTTP' });
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nx-request-id: ${randomUUID()}`;
  socket.end(`${head}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
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
  if (request.method === 'OPTIONS' && found.route.cors) return preflight(response, found.route.cors);
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
  const timer = setTimeout(() => request.destroy(), API_BODY_TIMEOUT_MS);
  try {
    // Not destroyed on the way out: a request that is refused must still get its answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_REQUEST) throw requestTooLarge();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
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
  try {
    response.writeHead(result.statusCode, { ...result.headers, 'content-length': body.length });
  } catch (error) {
    throw new ServiceError(502, 'the function gave no valid answer', { cause: error });
  }
  response.end(event.httpMethod === 'HEAD' ? undefined : body);
}

/** A status that HTTP has, and a text for a body: API Gateway takes nothing else. */
function isProxyResult(value: unknown): value is ProxyResult {
  if (typeof value !== 'object' || value === null) return false;
  const { statusCode, body } = value as ProxyResult;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) return false;
  return body === undefined || body === null || typeof body === 'string';
}

/** An error in the service's own shape; after the first byte the connection can only be cut. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { statusCode, headers, body } = errorAnswer(
    error,
    response.getHeader('x-request-id') as string | undefined,
  );
  const closing = request.complete ? {} : { connection: 'close' };
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(statusCode, { ...(headers as Record<string, string>), ...closing, ...length });
  if (request.complete) response.end(body);
  else linger(request, response, body);
}

/** Closing with unread bytes resets the connection, and the client never sees why it was refused. */
function linger(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.write(body);
  const end = () => response.end();
  const timer = setTimeout(end, LINGER_MS).unref();
  request.once('close', () => clearTimeout(timer)).once('end', end);
  request.resume();
}

/** The gateway's own answer to OPTIONS; which origins may read answers is decided in the functions. */
function preflight(response: ServerResponse, { headers }: Cors): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers': headers.join(','),
  });
  response.end();
}
