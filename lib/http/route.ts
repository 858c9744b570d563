import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Role } from '../api-contract/roles.ts';
import type { AuditAction } from '../audit/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { ReplyHeader, RequestHeader } from './documented-headers.ts';

/**
 * Ports that every group of routes needs in addition to its own: the store for Idempotency-Key, and the
 * clock.
 */
export interface HttpPorts {
  records: Records;
  clock: Clock;
}

/**
 * An endpoint as data: its input, its responses, and its allowed callers. The same object serves requests
 * (lib/http/serve.ts) and generates the OpenAPI document (lib/http/openapi.ts).
 */
export interface Route<Ports> {
  method: Method;
  /** The path in API Gateway's notation: `/api/workspaces/{workspaceId}`. */
  path: string;
  /** The operation's name in the OpenAPI document and in generated clients: a verb and a noun, such as `createNote`. */
  operationId: string;
  /** One line for the OpenAPI document: an imperative of at most 60 characters. */
  summary: string;
  /** Full sentences in Markdown, if the summary isn't enough. */
  description?: string;
  /** The lowest role that may call the route; `public` routes have no caller. */
  access: Role | 'public';
  /** The separate credential of a `public` route, for the OpenAPI document. */
  credential?: string;
  /** Rejects unknown callers of a `public` route before any input is read. Throws Unauthorized, NotConfigured. */
  admit?(headers: RouteInput['headers'], ports: Ports): void;
  params?: z.ZodObject;
  /** Unknown query parameters are ignored. Unknown body fields must be rejected (use z.strictObject). */
  query?: z.ZodObject;
  /** Query parameters that may be repeated. Their values arrive joined by commas. */
  lists?: readonly string[];
  body?: z.ZodType;
  /** An example body, for the OpenAPI document. */
  example?: unknown;
  /** How the body arrives; by default `application/json`. */
  bodyType?: 'application/json' | 'multipart/form-data' | RawBody;
  /** Other accepted content types, each with a function that converts the bytes to the equivalent JSON value. */
  otherBodies?: Record<string, (bytes: Uint8Array) => Promise<unknown>>;
  /** True if the body is optional; without one, `body` is undefined. */
  bodyOptional?: boolean;
  replies: Replies;
  /**
   * True if the request may take longer than CloudFront waits. After 40 s, the response then starts, and its
   * result follows (lib/http/late-answer.ts). Only in a function that streams, and without response headers
   * of the route's own. JSON follows a 202; in a stream of events, heartbeats come first.
   */
  mayBeLate?: true;
  /** Headers that the route reads and sends in addition to those of its kind, for the OpenAPI document. */
  requestHeaders?: readonly RequestHeader[];
  replyHeaders?: readonly ReplyHeader[];
  /** Error codes of this route in addition to those of its kind (lib/http/route-errors.ts). */
  errors?: readonly ErrorCode[];
  /** Schema of an error's body, if a protocol has its own; by default `{error}`. */
  refusal?: z.ZodType;
  /**
   * Whether a POST route accepts Idempotency-Key; false if the response must not be stored. A public route
   * must set true, because that requires that `admit` checks a credential, and that all its holders may see
   * each other's responses.
   */
  idempotent?: boolean;
  /**
   * True for a PUT, or a PATCH, that replaces content for which a GET of the path returns an ETag. An outdated ETag in
   * If-Match is rejected.
   */
  takesMatch?: true;
  /**
   * Returns the ID of the workspace that a request names. lib/http/serve.ts finds that workspace for the
   * caller and passes it to `handle`; null and undefined are passed unchanged. For a list of IDs, `handle`
   * gets a list of workspaces; one that the caller may not read counts as missing. Throws errors that must
   * come before the check whether the workspace exists.
   */
  workspace?(input: RouteInput): WorkspaceId;
  /** The route's action in the audit log (lib/audit), logged before it is executed, with its outcome later. */
  audit?: AuditAction;
  /** Returns the subject of the audit entry; by default the last ID in the path. Never a secret value. */
  auditAbout?(input: RouteInput): string | undefined;
  /**
   * True if the route removes the workspace, which is possible even when nothing else is allowed
   * (findWorkspaceToRemove).
   */
  removesWorkspace?: boolean;
  handle(input: HandleInput, ports: Ports): Promise<Reply>;
}

type WorkspaceId = string | string[] | null | undefined;
/** The workspace for an ID; `undefined` for a route without one. */
type Found<Id extends WorkspaceId> = Id extends string ? Workspace : Id extends string[] ? Workspace[] : Id;

/** Returns whether a route accepts Idempotency-Key (lib/http/idempotency.ts). */
export function takesKey({
  method,
  access,
  idempotent = access !== 'public',
}: Pick<Route<never>, 'method' | 'access' | 'idempotent'>): boolean {
  return method === 'POST' && idempotent;
}

/** A body of any content type, exactly as received, for signature checks; the OpenAPI document names the type. */
export interface RawBody {
  raw: 'application/json' | 'text/xml';
  maxBytes: number;
}

/** The body of a route with raw text. A route with an object declares that with `.meta({ override })`. */
export const rawBody = z.instanceof(Uint8Array).meta({ override: { type: 'string' } });

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A JSON schema, or another media type of a response; for an event stream, the schema of an event. */
export type ReplySchema =
  | z.ZodType
  | {
      mediaType: string;
      description: string;
      event?: z.ZodType;
      /** The schema of the response to a request for JSON instead of a stream. */
      json?: z.ZodType;
      /** Error codes with which a stream may end, in its `data-error` part. */
      errors?: readonly ErrorCode[];
    };
export type Replies = Partial<Record<200 | 201 | 202 | 204 | 206 | 302 | 304, ReplySchema>>;

export interface RouteInput<Params = unknown, Query = unknown, Body = unknown> {
  params: Params;
  query: Query;
  body: Body;
  /** The caller; for `public` routes the anonymous caller, who has no permissions. */
  caller: Caller;
  /** Headers by name in lower case. */
  headers: Record<string, string | undefined>;
  requestId: string;
  /** Milliseconds until the platform ends the function. A stream must end before that. */
  timeLeftMs(): number;
}

/** The input with the request's workspace, which the caller may use. */
export interface HandleInput<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Id extends WorkspaceId = WorkspaceId,
> extends RouteInput<Params, Query, Body> {
  workspace: Found<Id>;
}

export interface Reply<Status = number, Body = unknown> {
  status: Status;
  body: Body;
  headers?: Record<string, string>;
}

/** A file in a multipart body. */
export interface UploadedFile {
  filename: string;
  mimetype: string;
  content: Buffer;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;
type BodyInput<Schema, Optional> = Optional extends true ? Output<Schema> | undefined : Output<Schema>;
/** The type of an example. For a binary body, it is the type of the contained object. */
type ExampleOf<Schema> = Schema extends z.ZodType
  ? z.input<Schema> extends Uint8Array
    ? object
    : z.input<Schema>
  : never;
type BodyOf<Schema> = Schema extends z.ZodType
  ? z.input<Schema>
  : Schema extends { json: infer Json }
    ? z.input<Json> | Readable
    : Readable | string;
type ReplyOf<R extends Replies> = { [Status in keyof R]: Reply<Status, BodyOf<R[Status]>> }[keyof R];

type TypedRoute<
  Ports,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
  Optional extends boolean,
  R extends Replies,
  Id extends WorkspaceId,
> = Omit<
  Route<Ports>,
  'params' | 'query' | 'body' | 'example' | 'bodyOptional' | 'replies' | 'workspace' | 'auditAbout' | 'handle'
> & {
  params?: Params;
  query?: Query;
  body?: Body;
  example?: ExampleOf<Body>;
  bodyOptional?: Optional;
  replies: R;
  workspace?(input: RouteInput<Output<Params>, Output<Query>, BodyInput<Body, Optional>>): Id;
  auditAbout?(
    input: RouteInput<Output<Params>, Output<Query>, BodyInput<Body, Optional>>,
  ): string | undefined;
  handle(
    input: HandleInput<Output<Params>, Output<Query>, BodyInput<Body, Optional>, Id>,
    ports: Ports,
  ): Promise<ReplyOf<R>>;
};

/**
 * Checks a group's routes against their own schemas at compile time:
 * `const route = routeFor<MyPorts>(); export const routes = [route({ ... })];`
 */
export function routeFor<Ports>() {
  return <
    R extends Replies,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    Optional extends boolean = false,
    Id extends WorkspaceId = undefined,
  >(
    route: TypedRoute<Ports, Params, Query, Body, Optional, R, Id>,
  ): Route<Ports> => route as unknown as Route<Ports>;
}
