import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ErrorCode } from '../../lib/error-codes.ts';
import { ServiceError } from '../../lib/errors.ts';
import { errorAnswer } from '../../lib/http/error-exit.ts';
import { bearerChallenge } from '../../lib/tokens/protected-resource.ts';
import { authorize } from './authorize.ts';
import { bodyMemory, type Holding } from './body-memory.ts';
import { addressFinder } from './client-address.ts';
import { gatewayError } from './gateway-error.ts';
import { type Handler, invoke, isStreaming } from './lambda-runtime.ts';
import { eventBody, proxyEvent } from './proxy-event.ts';
import { askForBody, checkAnnouncedLength, readBody, requestTooLarge } from './read-body.ts';
import { type RouteMatch, routeTable } from './route-table.ts';
import type { Cors, RouteDefinition, ServiceDefinition } from './service-file.ts';
import { streamAnswer } from './stream-answer.ts';

/** Lambda's limit for an event and for a buffered response, in bytes. */
const MAX_EVENT = 6 * 1024 * 1024;
const MAX_ANSWER = 6 * 1024 * 1024;
/** Milliseconds, for a signed PUT of 5 GB over a slow connection; API requests have API_BODY_TIMEOUT_MS. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
const API_BODY_TIMEOUT_MS = 60_000;
/** Bytes of memory for bodies, one limit for authenticated callers and one for routes without authentication. */
const CALLERS_ROOM = 128 * 1024 * 1024;
const STRANGERS_ROOM = 32 * 1024 * 1024;
/** Milliseconds; Node checks for late request heads every third of this. */
const HEAD_TIMEOUT_MS = 15_000;
/**
 * Further connections are closed immediately, because each takes a descriptor, which files and the index also need, and
 * up to 16 KB for its head.
 */
const MAX_CONNECTIONS = 4096;
/** Milliseconds; longer than clients and proxies keep a connection, so that none sends into a closing one. */
const KEEP_ALIVE_MS = 65_000;
/**
 * Milliseconds for which the rest of a rejected request is read and dropped, so that the client can read the response.
 */
const LINGER_MS = 5_000;
/** How many times longer a body can be in the event's JSON, because a control character takes six bytes there. */
const MAX_GROWTH = 6;
/** Characters of a body that are measured at once. */
const PIECE = 1024 * 1024;
const QUOTES = 2;

export interface GatewayOptions {
  definition: ServiceDefinition;
  /** Returns the handler of a function by its name in serverless.yml. */
  load(functionName: string): Promise<Handler>;
  /** Handles requests outside the API; returns whether it handled the request. */
  intercept?(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  /** Throws for a connection that routes without an authorizer must not answer. */
  checkPeer?(socket: Socket): Promise<void>;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed (TRUSTED_PROXIES). */
  trustedProxies?: string[];
  /** For tests: shorter timeouts and smaller limits. */
  limits?: Partial<BodyLimits>;
}

interface BodyLimits {
  /** Milliseconds for the head of a request. */
  headTimeoutMs: number;
  timeoutMs: number;
  callersRoom: number;
  strangersRoom: number;
}

/** Creates an HTTP server that does what API Gateway does in front of the functions. */
export function createGateway(options: GatewayOptions): Server {
  const parts = gatewayParts(options);
  const { headTimeoutMs = HEAD_TIMEOUT_MS } = options.limits ?? {};
  const take = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('x-request-id', randomUUID());
    answer(parts, request, response).catch((error: unknown) => refuse(request, response, error));
  };
  const server = createServer(
    {
      requestTimeout: UPLOAD_TIMEOUT_MS,
      headersTimeout: headTimeoutMs,
      connectionsCheckingInterval: headTimeoutMs / 3,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    take,
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkContinue', take); // The body is requested only once the caller is known.
  server.on('clientError', refuseBroken);
  return server;
}

function gatewayParts({ limits = {}, trustedProxies = [], ...options }: GatewayOptions) {
  const { timeoutMs = API_BODY_TIMEOUT_MS } = limits;
  const { callersRoom = CALLERS_ROOM, strangersRoom = STRANGERS_ROOM } = limits;
  return {
    ...options,
    match: routeTable(options.definition.routes),
    addressOf: addressFinder(trustedProxies),
    bodyTimeoutMs: timeoutMs,
    /** Separate limits, so that unauthenticated callers can't use up the memory for authenticated ones. */
    rooms: { callers: bodyMemory(callersRoom), strangers: bodyMemory(strangersRoom) },
  };
}

type GatewayParts = ReturnType<typeof gatewayParts>;

/** The response to an unreadable request, by the code of Node's error. */
const BROKEN: Record<string, { text: string; code: ErrorCode }> = {
  HPE_HEADER_OVERFLOW: { text: 'The request head is over 16 KB.', code: 'request_head_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { text: 'The request took too long to arrive.', code: 'request_broken_off' },
};
const NOT_HTTP = { text: 'The request is not valid HTTP.', code: 'invalid_value' };

/**
 * Without a response object, the request isn't HTTP. If a response has started, nothing may be written into
 * it.
 */
function refuseBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const { text, code } = BROKEN[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ error: text });
  const own = `x-request-id: ${randomUUID()}\r\nx-error-code: ${code}`;
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n${own}`;
  socket.end(`${head}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

async function answer(
  parts: GatewayParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = readUrl(request);
  if (await parts.intercept?.(request, response, url)) return;
  const found = parts.match(url.pathname);
  if (found === undefined) throw new ServiceError('route_not_found', 'This route does not exist.');
  if (request.method === 'OPTIONS' && found.route.cors) return preflight(response, found.route.cors);
  const event = await admit(parts, found, { request, response, url });
  const { callers, strangers } = parts.rooms;
  const holding = found.route.authorizer === undefined ? strangers() : callers();
  try {
    await addBody(parts, event, { request, response, holding });
    await callFunction(parts, found.route, event, response);
  } finally {
    holding.release();
  }
}

/** Rejects a request by its head before the body is read, so that unauthenticated bytes cost the host nothing. */
async function admit(
  { load, checkPeer, addressOf }: GatewayParts,
  found: RouteMatch,
  { request, response, url }: { request: IncomingMessage; response: ServerResponse; url: URL },
): Promise<APIGatewayProxyEvent> {
  checkAnnouncedLength(request);
  if (found.route.authorizer !== undefined) await checkPeer?.(request.socket);
  const event = proxyEvent(request, url, found, addressOf(request));
  event.requestContext.requestId = String(response.getHeader('x-request-id'));
  event.requestContext.authorizer = (await authorize(load, found.route, event)) ?? null;
  return event;
}

async function addBody(
  { definition, bodyTimeoutMs }: GatewayParts,
  event: APIGatewayProxyEvent,
  { request, response, holding }: { request: IncomingMessage; response: ServerResponse; holding: Holding },
): Promise<void> {
  askForBody(request, response);
  const body = await readBody(request, holding, bodyTimeoutMs);
  if (body === null) return;
  Object.assign(event, eventBody(request, body, definition.binaryMediaTypes));
  if (body.length > MAX_EVENT / MAX_GROWTH) checkEventSize(event);
}

async function callFunction(
  { load }: GatewayParts,
  route: RouteDefinition,
  event: APIGatewayProxyEvent,
  response: ServerResponse,
): Promise<void> {
  const handler = await load(route.function);
  if (isStreaming(handler) !== route.streaming)
    throw new ServiceError('function_failed', 'The transfer mode and the handler disagree.');
  await (isStreaming(handler)
    ? streamAnswer(handler, event, response, route.timeoutMs)
    : bufferedAnswer(handler, event, response, route));
}

/**
 * Rejects a request with two hosts, because programs in front of the service may use one, and the service the other
 * (RFC 9112, 3.2).
 */
function readUrl(request: IncomingMessage): URL {
  if ((request.headersDistinct.host?.length ?? 0) > 1)
    throw new ServiceError('invalid_value', 'The request has more than one Host header.');
  try {
    return new URL(request.url ?? '/', 'http://local');
  } catch {
    throw new ServiceError('invalid_value', 'The request URL is invalid.');
  }
}

/**
 * Throws if the event is too large. The event is JSON that contains the body, and base64 makes a binary body
 * a third larger. The body is measured in chunks and only up to the limit, because 10 MB of control
 * characters would become a text of 60 MB.
 */
function checkEventSize(event: APIGatewayProxyEvent): void {
  const body = event.body ?? '';
  let size = Buffer.byteLength(JSON.stringify({ ...event, body: '' }));
  for (let at = 0; at < body.length && size <= MAX_EVENT; at += PIECE) {
    size += Buffer.byteLength(JSON.stringify(body.slice(at, at + PIECE))) - QUOTES;
  }
  if (size <= MAX_EVENT) return;
  throw requestTooLarge();
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
  if (!isProxyResult(result))
    throw new ServiceError('function_failed', 'The function returned an invalid response.');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > MAX_ANSWER) throw new ServiceError('function_failed', 'The response is over 6 MB.');
  try {
    response.writeHead(result.statusCode, { ...result.headers, 'content-length': body.length });
  } catch (error) {
    throw new ServiceError('function_failed', 'The function returned an invalid response.', { cause: error });
  }
  response.end(event.httpMethod === 'HEAD' ? undefined : body);
}

/** API Gateway accepts only a valid HTTP status and a text body. */
function isProxyResult(value: unknown): value is ProxyResult {
  if (typeof value !== 'object' || value === null) return false;
  const { statusCode, body } = value as ProxyResult;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) return false;
  return body === undefined || body === null || typeof body === 'string';
}

/** Sends an error in the service's own format; after the first byte, the connection can only be closed. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { statusCode, headers, body } = errorAnswer(
    error,
    response.getHeader('x-request-id') as string | undefined,
    request.url?.split('?')[0],
  );
  // Tells clients how to get a credential, like the deployed gateway (infra/gateway.yml).
  const challenge =
    statusCode === 401 ? { 'www-authenticate': bearerChallenge(process.env.PUBLIC_URL ?? '') } : {};
  const closing = request.complete ? {} : { connection: 'close' };
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    ...challenge,
    ...closing,
    ...length,
  });
  if (request.complete) response.end(body);
  else linger(request, response, body);
}

/**
 * Reads on before closing, because closing with unread bytes resets the connection, and the client never sees the
 * response.
 */
function linger(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.write(body);
  const end = () => response.end();
  const timer = setTimeout(end, LINGER_MS).unref();
  request.once('close', () => clearTimeout(timer)).once('end', end);
  request.resume();
}

/** The gateway's own response to OPTIONS; the functions decide which origins may read responses. */
function preflight(response: ServerResponse, { headers }: Cors): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE,OPTIONS',
    'access-control-allow-headers': headers.join(','),
  });
  response.end();
}
