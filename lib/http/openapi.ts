import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { REPLY_HEADERS, REQUEST_HEADERS } from './documented-headers.ts';
import { LATE_REPLY, lateAnswerSchema } from './late-answer.ts';
import { NamedParts, type Node, portable } from './portable-schemas.ts';
import { errorSchema } from './reply.ts';
import { type ReplySchema, type Route, takesKey } from './route.ts';
import { errorsByStatus, sendsEvents } from './route-errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document does not call handlers, so their ports do not matter
type AnyRoute = Route<any>;

const REFUSALS: Record<number, string> = {
  400: 'A value is missing or invalid. `error` names it.',
  401: 'The credential is missing or invalid.',
  403: 'The credential is valid but lacks the permission.',
  404: "The ID, file, or upload doesn't exist.",
  405: "The route doesn't accept this method.",
  406: "The client doesn't accept the media type of the response.",
  408: 'The body took too long to arrive.',
  409: "The current state doesn't allow the request.",
  413: 'The request or the result is too large. `error` names the limit.',
  415: "The media type of the body isn't supported.",
  416: 'The range is outside the file.',
  429: 'Too many requests, or a budget is used up. See `retry-after`.',
  500: 'The service failed.',
  502: 'An external service failed.',
  503: "The feature isn't configured. `error` names the variable to set.",
  504: 'The request took too long.',
  507: 'The disk is full, or a quota is used up.',
};
const REPLIES: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
  204: 'Nothing to return.',
  206: 'Part of the file.',
  302: 'Found at another URL.',
  304: 'Not modified.',
};
/** Responses without a body. */
const BARE = new Set(['204', '302', '304']);

const text = { type: 'string' } as const;
const requestId = { 'x-request-id': { schema: text, description: 'ID of the request, as in the logs.' } };
const nextCursor = {
  'x-next-cursor': { schema: text, description: 'Cursor of the next page. Missing on the last page.' },
};
const retryAfter = {
  'retry-after': { schema: text, description: 'Seconds to wait before the next request.' },
};

const contentRange = {
  'content-range': { schema: text, description: 'Bytes that the body contains, and the size of the file.' },
};
const replayed = {
  'idempotency-replayed': {
    schema: text,
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
  },
};

/** Builds one OpenAPI 3.1 document from groups of routes by tag. The routes are the document's only source. */
export function openApiDocument<Tag extends string>(
  groups: Record<Tag, AnyRoute[]>,
  descriptions: Record<Tag, string>,
  version: string,
) {
  const tags = Object.entries<string>(descriptions).map(([name, description]) => ({ name, description }));
  return withPortableSchemas({ ...documentOf(groups, version), tags });
}

function documentOf(groups: Record<string, AnyRoute[]>, version: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [tag, routes] of Object.entries(groups)) {
    for (const route of routes) {
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, tag) };
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Workspace Research Service',
      version,
      description:
        'A research assistant for workspaces (folders of files): files, semantic search, chat with citations, an agent, notes, reports, and scheduled tasks.',
      contact: { name: 'The administrator of the service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'API token (`wrs_…`), or a JWT with AUTH_MODE=oidc.',
        },
      },
    },
  });
}

/**
 * Describes the schema of each event next to the stream. As the stream's `schema`, it would make clients
 * parse the whole stream.
 */
function eventStream({ schema, ...rest }: { schema: Node }, change: (schema: Node) => Node) {
  const { description } = schema;
  return { schema: { description }, 'x-event-schema': change(schema), ...rest };
}

type Document = ReturnType<typeof createDocument>;

/**
 * Converts schemas for client generators. This affects only the document; zod validates with the original
 * schemas.
 */
function withPortableSchemas({ paths, components, ...document }: Document) {
  const own = Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
    name,
    portable(schema as Node),
  ]);
  const named = new NamedParts(Object.fromEntries(own));
  const changed = withSchemas(paths, (schema) => named.nameAll(portable(schema)));
  return { ...document, paths: changed, components: { ...components, schemas: named.components } };
}

/** Returns part of the document with each `schema` in it changed, except in examples. */
function withSchemas<Part>(part: Part, change: (schema: Node) => Node): Part {
  if (Array.isArray(part)) return part.map((each) => withSchemas(each, change)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).map(([key, value]) => {
    if (key === 'text/event-stream') return [key, eventStream(value as { schema: Node }, change)];
    if (key === 'schema') return [key, change('in' in part ? withoutDescription(value) : value)];
    return [key, key === 'example' ? value : withSchemas(value, change)];
  });
  return Object.fromEntries(fields) as Part;
}

/**
 * Removes the description, because the parameter has it too. Next to a reference, it would hide the schema
 * from generators.
 */
function withoutDescription({ description: _, ...schema }: Node): Node {
  return schema as Node;
}

function operationOf(route: AnyRoute, tag: string): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    description: describeRoute(route),
    ...(route.access === 'public' ? { security: [] } : {}),
    requestParams: parametersOf(route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body) }),
    responses: Object.fromEntries([...repliesOf(route), ...refusalsOf(route)]),
  };
}

function describeRoute({ access, credential, description }: AnyRoute): string {
  const open = credential === undefined ? 'No credential is needed.' : `Credential: ${credential}.`;
  const who = access === 'public' ? open : `Minimum role: ${access}.`;
  return description === undefined ? who : `${description}\n\n${who}`;
}

function parametersOf(route: AnyRoute): ZodOpenApiParameters {
  const { params, query } = route;
  return {
    ...(params && { path: params }),
    ...(query && { query }),
    ...headersOf(route),
  };
}

/** Returns an operation's header parameters as one object, because clients read them from one. */
function headersOf(route: AnyRoute): { header?: z.ZodObject } {
  const own = (route.requestHeaders ?? []).map((name) => [
    name,
    z.string().optional().meta({ description: REQUEST_HEADERS[name] }),
  ]);
  const shape = {
    ...(takesKey(route) && idempotencyHeader().shape),
    ...(route.takesMatch && matchHeader().shape),
    ...(304 in route.replies && noneMatchHeader().shape),
    ...Object.fromEntries(own),
  };
  return Object.keys(shape).length === 0 ? {} : { header: z.object(shape) };
}

function matchHeader(): z.ZodObject {
  const description =
    'ETag that you read. If the resource changed since then, nothing is written and the response is 409.';
  return z.object({ 'If-Match': z.string().optional().meta({ description }) });
}

function noneMatchHeader(): z.ZodObject {
  const description =
    'ETag that you have. If the resource is still the same, the response is 304 without a body.';
  return z.object({ 'If-None-Match': z.string().optional().meta({ description }) });
}

function idempotencyHeader(): z.ZodObject {
  const description =
    'Unique key of the request. A repeated request with the same key, route, and credential within 24 hours returns the first response again.';
  return z.object({
    'Idempotency-Key': z.string().optional().meta({ description, pattern: '^[ -~]{1,200}$' }),
  });
}

function requestBody(
  { bodyType = 'application/json', bodyOptional, otherBodies = {}, example }: AnyRoute,
  schema: z.ZodType,
) {
  const mediaType = typeof bodyType === 'object' ? bodyType.raw : bodyType;
  const bytes = { schema: { type: 'string' as const, format: 'binary' } };
  const others = Object.fromEntries(Object.keys(otherBodies).map((type) => [type, bytes]));
  return {
    required: bodyOptional !== true,
    content: { [mediaType]: { schema, ...(example !== undefined && { example }) }, ...others },
  };
}

function repliesOf(route: AnyRoute): [string, ZodOpenApiResponseObject][] {
  return [...ownRepliesOf(route), ...(route.mayBeLate && !sendsEvents(route) ? [lateReply()] : [])];
}

/**
 * Returns the late response. The service's own clients don't need it, because they convert a late error to
 * the original one (`x-late-answer`).
 */
function lateReply(): [string, ZodOpenApiResponseObject] {
  const content = { 'application/json': { schema: lateAnswerSchema } };
  return ['202', { description: LATE_REPLY, headers: requestId, content, 'x-late-answer': true }];
}

function ownRepliesOf(route: AnyRoute): [string, ZodOpenApiResponseObject][] {
  const isList = route.query !== undefined && 'cursor' in route.query.shape;
  return Object.entries(route.replies).map(([status, schema]) => [
    status,
    {
      description: REPLIES[Number(status)] ?? 'Success.',
      headers: { ...requestId, ...(isList ? nextCursor : {}), ...replyHeaders(route, status) },
      ...(BARE.has(status) ? {} : { content: contentOf(schema) }),
    },
  ]);
}

/** Returns the headers of a response; one without a body has no body headers. */
function replyHeaders(route: AnyRoute, status: string): NonNullable<ZodOpenApiResponseObject['headers']> {
  const isTagged = route.takesMatch === true || 304 in route.replies;
  const names = new Set([...(isTagged ? (['etag'] as const) : []), ...(route.replyHeaders ?? [])]);
  const sent = [...names].filter((name) => name === 'etag' || !BARE.has(status));
  return {
    ...(takesKey(route) && replayed),
    ...(status === '206' && contentRange),
    ...Object.fromEntries(sent.map((name) => [name, { schema: text, description: REPLY_HEADERS[name] }])),
  };
}

function contentOf(schema: ReplySchema): NonNullable<ZodOpenApiResponseObject['content']> {
  if (schema instanceof z.ZodType) return { 'application/json': { schema } };
  const { mediaType, description, event, json, errors } = schema;
  // Any media type may also be JSON, so the document promises no schema for it.
  const text = mediaType.startsWith('text/') ? { type: 'string' as const } : {};
  const codes = errors && { 'x-error-codes': [...new Set(errors)].sort() };
  return {
    ...(json && { 'application/json': { schema: json } }),
    [mediaType]: { schema: event?.describe(description) ?? { ...text, description }, ...codes },
  };
}

function refusalsOf(route: AnyRoute): [string, ZodOpenApiResponseObject][] {
  const codes = errorsByStatus(route);
  const statuses = [...codes.keys()].sort((a, b) => a - b);
  return statuses.map((status) => [
    String(status),
    {
      description: REFUSALS[status] ?? 'The request was refused.',
      headers: {
        ...requestId,
        ...ERROR_HEADERS,
        ...(status === 429 || (status === 409 && takesKey(route)) ? retryAfter : {}),
        ...(codes.get(status)?.includes('conversation_changed') && conversationLeaf),
      },
      content: { 'application/json': { schema: route.refusal ?? errorSchema } },
      'x-error-codes': codes.get(status),
    },
  ]);
}

const conversationLeaf = {
  'x-conversation-leaf': {
    schema: text,
    description:
      'With `conversation_changed`: the ID of the last message of the conversation, percent-encoded.',
  },
};

/** The headers of an error. The codes aren't an enum, because strict clients would reject codes of later releases. */
const ERROR_HEADERS = {
  'x-error-code': {
    schema: text,
    description: 'Stable code of the error. `x-error-codes` lists those of this operation.',
  },
  'x-error-field': { schema: text, description: 'Field at fault, where one field is.' },
  link: {
    schema: text,
    description: 'Documentation of the code, relative to the request, with `rel="help"`.',
  },
};
