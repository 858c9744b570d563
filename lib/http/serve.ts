import { Readable } from 'node:stream';
import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/Standard';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import httpCors from '@middy/http-cors';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { type Caller, requireRole } from '../access/caller.ts';
import { callerIn } from '../access/members.ts';
import type { Role } from '../api-contract/roles.ts';
import { backgroundWorkDone } from '../async/after-response.ts';
import { withDiskReserve } from '../async/disk-reserve.ts';
import { audited } from '../audit/record.ts';
import { genericCode } from '../error-codes.ts';
import { errorDetails } from '../known-error.ts';
import { rememberPerson } from '../people/remember.ts';
import { type SpanOptions, traced } from '../telemetry/trace.ts';
import { invalidInput } from '../validation/describe-issues.ts';
import { findWorkspace, findWorkspaces, findWorkspaceToRemove } from '../workspaces/access.ts';
import { readCaller } from './caller-context.ts';
import { errorExit } from './error-exit.ts';
import { answerIdempotently } from './idempotency.ts';
import { answerInTime, LATE_TIMES, type LateTimes } from './late-answer.ts';
import { readBody } from './request-body.ts';
import { requestLog } from './request-log.ts';
import type { HandleInput, HttpPorts, Reply, Route, RouteInput } from './route.ts';
import { sendsEvents, warnUndeclared } from './route-errors.ts';
import { findRoute, placeEvents } from './router.ts';

export interface ServeOptions {
  /** For functions with STREAM routes, all of whose responses, including errors, are sent as streams. */
  streaming?: boolean;
  corsOrigins?: string[];
  /** Shorter times, for tests. */
  late?: LateTimes;
}

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
/**
 * Response headers that pages from other origins may read, in addition to the few that browsers always allow.
 */
export const EXPOSED_HEADERS = [
  'x-next-cursor',
  'x-search-mode',
  'x-search-fallback',
  'x-search-near',
  'x-error-code',
  'x-error-field',
  'link',
  'x-conversation-leaf',
  'x-request-id',
  'x-run-id',
  'x-vercel-ai-ui-message-stream',
  'idempotency-replayed',
  'etag',
  'content-range',
  'content-disposition',
  'retry-after',
];
const ANONYMOUS: Caller = { id: 'anonymous', role: 'viewer', workspaceIds: [] };

/**
 * Returns the Lambda handler of a group of routes, the service's only request path. Ports that depend on changeable
 * data (keys, settings) are passed as a function, which is called for each request.
 */
export function serve<Ports extends HttpPorts>(
  routes: Route<Ports>[],
  ports: Ports | (() => Promise<Ports>),
  { streaming = false, corsOrigins = [], late = LATE_TIMES }: ServeOptions = {},
) {
  const openPorts = typeof ports === 'function' ? ports : async () => ports;
  const place = placeEvents(routes);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    executionMode: streaming ? executionModeStreamifyResponse : executionModeStandard,
    requestEnd: ({ response }) => leave(response?.body),
  })
    .before((request) => {
      request.event = place(request.event);
    })
    .use(requestLog())
    .use(
      httpCors({
        origins: corsOrigins,
        exposeHeaders: EXPOSED_HEADERS.join(', '),
        disableBeforePreflightResponse: true,
      }),
    )
    .use(httpHeaderNormalizer())
    .use(errorExit())
    .handler(async (event, context) => {
      const answer = async () => toResult(await dispatch(routes, await openPorts(), event, context));
      try {
        const work = traced(`${event.httpMethod} ${event.resource}`, spanOf(event), answer, statusOf);
        const kind = streaming ? lateKind(routes, event) : undefined;
        const full = await (kind
          ? answerInTime(work, { ...late, ...lateOptions(event, context), kind })
          : work);
        const result = event.httpMethod === 'HEAD' ? withoutStream(full) : full;
        return streaming ? withBodyStream(result) : result;
      } finally {
        if (!streaming) await backgroundWorkDone();
      }
    });
}

/**
 * Destroys a stream if its reader left before the stream started, because a pipe ends only a stream that it
 * has started to read.
 */
function leave(body: unknown): void {
  if (body instanceof Readable) body.destroy();
}

/** Returns the kind of a late response. A HEAD has none, because its response has no body for a result. */
function lateKind<Ports>(
  routes: Route<Ports>[],
  { resource, httpMethod }: APIGatewayProxyEvent,
): 'json' | 'events' | undefined {
  const route = routes.find(({ path, method }) => path === resource && method === httpMethod);
  if (!route?.mayBeLate) return undefined;
  return sendsEvents(route) ? 'events' : 'json';
}

function lateOptions({ requestContext }: APIGatewayProxyEvent, context: Context) {
  const timeLeftMs = () => context.getRemainingTimeInMillis();
  return { requestId: requestContext.requestId, headers: COMMON_HEADERS, timeLeftMs };
}

/** Starts a trace. Doesn't continue a trace ID from an unknown caller. */
function spanOf({ httpMethod, resource, requestContext }: APIGatewayProxyEvent): SpanOptions {
  const { requestId } = requestContext;
  return { kind: 'server', fields: { 'http.request.method': httpMethod, 'http.route': resource, requestId } };
}

function statusOf({ statusCode }: APIGatewayProxyResult) {
  return { 'http.response.status_code': statusCode };
}

async function dispatch<Ports extends HttpPorts>(
  routes: Route<Ports>[],
  ports: Ports,
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<Reply> {
  const route = findRoute(routes, event);
  try {
    route.admit?.(event.headers, ports);
    const input = await readInput(route, event, context);
    rememberPerson(ports, input.caller);
    const answer = () => answerIdempotently(ports, route, input, () => handleAudited(ports, route, input));
    return await (route.method === 'DELETE' ? withDiskReserve(answer) : answer());
  } catch (error) {
    warnUndeclared(route, errorDetails(error).code);
    throw error;
  }
}

/** Logs audited actions even if access to the workspace is refused. */
async function handleAudited<Ports extends HttpPorts>(
  ports: Ports,
  route: Route<Ports>,
  input: RouteInput,
): Promise<Reply> {
  const handle = async () => route.handle(await findNamed(ports, route, input), ports);
  const { audit: action } = route;
  if (action === undefined) return handle();
  const about = route.auditAbout ? route.auditAbout(input) : lastIdOf(route, input);
  const named = route.workspace?.(input);
  const entry = { action, about, workspaceId: Array.isArray(named) ? undefined : named };
  return audited(ports, input.caller, entry, handle);
}

function lastIdOf<Ports>({ path }: Route<Ports>, { params }: RouteInput): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ids = params as Record<string, string>;
  return ids[names.at(-1) ?? ''];
}

/** Finds a request's workspace, which routes never do themselves. The caller gets their role in it. */
async function findNamed<Ports extends HttpPorts>(
  { records }: Ports,
  route: Route<Ports>,
  input: RouteInput,
): Promise<HandleInput> {
  const id = route.workspace?.(input);
  const find = route.removesWorkspace ? findWorkspaceToRemove : findWorkspace;
  if (Array.isArray(id)) {
    const found = await findWorkspaces(records, input.caller, id);
    return { ...input, caller: found.reduce(callerIn, input.caller), workspace: found };
  }
  if (typeof id !== 'string') return { ...input, workspace: id };
  const workspace = await find(records, input.caller, id);
  return { ...input, caller: callerIn(input.caller, workspace), workspace };
}

/** Checks the caller before the input, so that unknown callers learn nothing from validation messages. */
async function readInput<Ports>(
  route: Route<Ports>,
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<RouteInput> {
  const caller = route.access === 'public' ? ANONYMOUS : findCaller(route.access, event);
  return {
    params: check(route.params, event.pathParameters ?? {}, 'path'),
    query: check(route.query, queryOf(route, event), 'query'),
    body: await readCheckedBody(route, event),
    caller,
    headers: event.headers,
    requestId: event.requestContext.requestId,
    timeLeftMs: () => context.getRemainingTimeInMillis(),
  };
}

function queryOf<Ports>({ lists = [] }: Route<Ports>, event: APIGatewayProxyEvent): unknown {
  const all = event.multiValueQueryStringParameters ?? {};
  const joined = lists.flatMap((name) => (all[name] ? [[name, all[name].join(',')]] : []));
  return { ...event.queryStringParameters, ...Object.fromEntries(joined) };
}

/**
 * Returns the caller with the credential's role, which the workspace's member list restricts later. Throws Forbidden.
 */
function findCaller(needs: Role, { requestContext }: APIGatewayProxyEvent): Caller {
  const caller = readCaller(requestContext.authorizer);
  requireRole(caller, needs);
  return { ...caller, needs, address: requestContext.identity?.sourceIp, visited: new Set() };
}

async function readCheckedBody<Ports>(route: Route<Ports>, event: APIGatewayProxyEvent): Promise<unknown> {
  if (route.bodyOptional && !event.body) return undefined;
  return check(route.body, await readBody(route, event), 'body');
}

function check(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error, schema, value, place);
}

/**
 * Returns the code of an error for which a handler returns its own response, because a protocol defines its
 * form (the Model Context Protocol).
 */
function codeOf({ status }: Reply): Record<string, string> {
  return status < 400 ? {} : { 'x-error-code': genericCode(status) };
}

/** Returns JSON, unless the handler returned bytes, text, or a stream with its own content type. */
function toResult(reply: Reply): APIGatewayProxyResult {
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...codeOf(reply), ...reply.headers };
  if (headers['content-type'] !== undefined) {
    return { statusCode: reply.status, headers, body: reply.body as string };
  }
  return {
    statusCode: reply.status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(reply.body),
  };
}

/** Removes the body from a response to HEAD. No file is read for it, and an event stream ends immediately. */
function withoutStream(result: APIGatewayProxyResult): APIGatewayProxyResult {
  const body = result.body as unknown;
  if (!(body instanceof Readable)) return result;
  body.destroy();
  return { ...result, body: '' };
}

/**
 * Sends bytes. Middy would write text in chunks of 16 KB, and a chunk's boundary could split a character
 * outside the BMP.
 */
function withBodyStream(result: APIGatewayProxyResult): APIGatewayProxyResult {
  if (typeof result.body !== 'string') return result;
  return { ...result, body: Readable.from(endLast(Buffer.from(result.body))) as unknown as string };
}

/** Sends the whole body before it waits for background work. */
async function* endLast(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
  await backgroundWorkDone();
}
