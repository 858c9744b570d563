import type { Dispatcher } from 'undici';
import * as z from 'zod';
import {
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  ServiceError,
  TooLarge,
  UpstreamFailed,
} from '../../errors.ts';
import type { Connection, ConnectionSettings } from './connection.ts';

export interface ClusterRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, with its segments encoded. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  contentType?: string;
  accept?: string;
}

export interface RequestSettings extends ConnectionSettings {
  /** Deadline for a whole call, in milliseconds. Tests shorten it. */
  deadlineMs?: number;
}

/** In milliseconds. Two calls in a row must end before API Gateway's limit of 29 s. */
const DEADLINE_MS = 12_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FAILURE_BYTES = 64 * 1024;
const MAX_MESSAGE = 1000;

/**
 * Requests to a kubeconfig's API server over keep-alive connections. @kubernetes/client-node handles
 * kubeconfigs, credentials, TLS, and proxies. Its typed calls aren't used: they open a connection each, wait
 * forever, read responses without a limit, drop unknown fields, and report only an error's number (as of
 * version 2.0.1).
 */
export function clusterRequests(settings: RequestSettings) {
  let opening: Promise<Connection> | undefined;
  const open = () => {
    opening ??= connect(settings).catch((error: unknown) => {
      opening = undefined; // the administrator may fix the kubeconfig
      throw error;
    });
    return opening;
  };
  return {
    async json(request: ClusterRequest): Promise<unknown> {
      const pieces: Buffer[] = [];
      await send(await open(), settings, request, (piece, size) => {
        if (size > MAX_BYTES)
          throw new TooLarge(
            'cluster_answer_too_large',
            `The cluster returned more than ${MAX_BYTES >> 20} MB. Use a selector or a namespace to request less.`,
          );
        pieces.push(piece);
      });
      return parseJson(Buffer.concat(pieces));
    },
    /** Returns the last bytes of a text. */
    async tail(request: ClusterRequest, maxBytes: number): Promise<string> {
      let end = Buffer.alloc(0);
      await send(await open(), settings, request, (piece) => {
        end = Buffer.concat([end, piece]);
        if (end.length > 2 * maxBytes) end = end.subarray(-maxBytes);
      });
      return end.subarray(-maxBytes).toString();
    },
  };
}

export type ClusterRequests = ReturnType<typeof clusterRequests>;

async function connect(settings: ConnectionSettings): Promise<Connection> {
  const { openConnection } = await import('./connection.ts');
  return openConnection(settings);
}

async function send(
  connection: Connection,
  settings: RequestSettings,
  request: ClusterRequest,
  take: (piece: Buffer, size: number) => void,
): Promise<void> {
  const signal = AbortSignal.timeout(settings.deadlineMs ?? DEADLINE_MS);
  try {
    const response = await dispatch(connection, request, signal);
    if (response.statusCode >= 300) throw failureOf(response.statusCode, await readFailure(response));
    let size = 0;
    for await (const piece of response.body as AsyncIterable<Buffer>) {
      size += piece.length;
      take(piece, size);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new UpstreamFailed('cluster_unreachable', describeFailure(error, signal), { cause: error });
  }
}

/**
 * Sends a request. Retries reads, because the server may close an idle connection at the moment of its next
 * use.
 */
async function dispatch(
  connection: Connection,
  request: ClusterRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { headers, dispatcher } = await connection.credentials();
  const { method, path, query = {}, body, contentType = 'application/json', accept } = request;
  const { origin, pathname } = new URL(connection.server);
  const options = {
    origin,
    path: pathname.replace(/\/$/, '') + path + queryText(query),
    method,
    headers: {
      ...headers,
      accept: accept ?? 'application/json',
      'user-agent': 'workspace-research-service',
      ...(body === undefined ? {} : { 'content-type': contentType }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  };
  try {
    return await dispatcher.request(options);
  } catch (error) {
    if (method !== 'GET' || signal.aborted) throw error;
    return dispatcher.request(options);
  }
}

function queryText(query: NonNullable<ClusterRequest['query']>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return given.length === 0 ? '' : `?${parameters}`;
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The cluster did not answer in time. Try again.';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code)
    ? `Can't reach the cluster (${code}). Check the network and the server of the kubeconfig.`
    : "Can't reach the cluster. Check the network and the server of the kubeconfig.";
}

async function readFailure(response: Dispatcher.ResponseData): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response.body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_FAILURE_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** A Status from the API server. Another server may answer with any text. */
const statusSchema = z.object({ kind: z.literal('Status'), message: z.string().min(1) });

/**
 * Returns an error that quotes the API server. Its messages name the user, the verb, and the resource, never
 * a credential.
 */
function failureOf(statusCode: number, text: string): ServiceError {
  const message = statusMessage(text) ?? `The cluster failed with status ${statusCode}.`;
  if (statusCode === 400 || statusCode === 422) return new InvalidInput('cluster_request_invalid', message);
  if (statusCode === 401)
    return new Forbidden(
      'cluster_permission_denied',
      'The cluster refused the credential of the kubeconfig. It is wrong or has expired.',
    );
  if (statusCode === 403) return new Forbidden('cluster_permission_denied', message);
  if (statusCode === 404 || statusCode === 405) return new NotFound('cluster_object_not_found', message);
  if (statusCode === 409) return new Conflict('cluster_object_conflict', message);
  if (statusCode === 413) return new TooLarge('cluster_request_too_large', message);
  return new UpstreamFailed('cluster_failed', message);
}

function statusMessage(text: string): string | undefined {
  try {
    const status = statusSchema.safeParse(JSON.parse(text));
    return status.success ? status.data.message.slice(0, MAX_MESSAGE) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw new UpstreamFailed('cluster_failed', "The cluster returned an answer that isn't JSON.", {
      cause: error,
    });
  }
}
