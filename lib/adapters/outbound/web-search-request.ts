import type * as z from 'zod';
import type { ServerGuard } from '../../config/models.ts';
import { NotConfigured, ServiceError, TooManyRequests, UpstreamFailed } from '../../errors.ts';
import { modelFetch } from './model-fetch.ts';
import { parseJson, responseBytes } from './response-bytes.ts';

/** Milliseconds for the whole request. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 2_000_000;
/** Seconds until the next attempt, if the provider doesn't say. */
const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 24 * 60 * 60;
/** Statuses that mean a plan's searches are used up: 402 in general, 432 and 433 at Tavily. */
const USED_UP = [402, 432, 433];

export interface SearchEndpoint {
  /** The provider's name in errors. */
  name: string;
  /** Milliseconds; by default TIMEOUT_MS. */
  timeoutMs?: number | undefined;
  /** Set if the settings name the server. */
  guard?: ServerGuard | undefined;
}

interface SearchRequest<Schema> {
  url: URL;
  headers?: Record<string, string>;
  /** Sent as JSON with POST; absent for GET. */
  body?: object;
  schema: Schema;
  signal: AbortSignal;
  /** Returns the error for a status, if the protocol gives it another meaning. */
  refusal?(status: number, body: unknown): ServiceError | undefined;
}

/**
 * Sends a query to a search provider, and returns its checked JSON. Follows no redirect, which would get the key and the
 * query. Throws as WebSearch does.
 */
export async function requestSearch<Schema extends z.ZodType>(
  endpoint: SearchEndpoint,
  request: SearchRequest<Schema>,
): Promise<z.infer<Schema>> {
  const deadline = AbortSignal.timeout(endpoint.timeoutMs ?? TIMEOUT_MS);
  try {
    const answer = request.schema.safeParse(await fetchJson(endpoint, request, deadline));
    if (answer.success) return answer.data;
    throw unusable(endpoint);
  } catch (error) {
    request.signal.throwIfAborted();
    throw searchFailure(endpoint, error, deadline.aborted);
  }
}

async function fetchJson<Schema>(
  endpoint: SearchEndpoint,
  { url, headers, body, signal, refusal }: SearchRequest<Schema>,
  deadline: AbortSignal,
): Promise<unknown> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await modelFetch(endpoint.guard)(url, {
    ...sent,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    signal: AbortSignal.any([signal, deadline]),
  });
  const answer = parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
  if (response.ok) return answer;
  throw refusal?.(response.status, answer) ?? refusalOf(endpoint, response);
}

function refusalOf({ name }: SearchEndpoint, { status, headers }: Response): ServiceError {
  if (status === 401 || status === 403) return keyRefused(name);
  if (status === 429)
    return new TooManyRequests(
      'web_search_rate_limited',
      `${name} limits the number of searches. Try again later.`,
      secondsToWait(headers),
    );
  if (USED_UP.includes(status))
    return new UpstreamFailed('web_search_failed', `${name} has no searches left in your plan.`);
  return new UpstreamFailed('web_search_failed', `${name} failed with status ${status}. Try again later.`);
}

export function keyRefused(name: string): UpstreamFailed {
  return new UpstreamFailed(
    'web_search_key_refused',
    `${name} refused the key. Ask an administrator to replace it.`,
  );
}

export function missingKey(name: string, variable: string): NotConfigured {
  return new NotConfigured(
    'web_search_not_configured',
    `${name} needs a key. Set it in the settings of the console, or in ${variable}.`,
  );
}

/** Returns the seconds of Retry-After, otherwise of Brave's X-RateLimit-Reset, whose first number is the nearest window. */
function secondsToWait(headers: Headers): number {
  const told = headers.get('retry-after') ?? headers.get('x-ratelimit-reset')?.split(',')[0];
  const seconds = Number(told ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS) : DEFAULT_WAIT_SECONDS;
}

function unusable({ name }: SearchEndpoint): UpstreamFailed {
  return new UpstreamFailed('web_search_answer_unusable', `${name} returned an answer that can't be read.`);
}

function searchFailure(endpoint: SearchEndpoint, error: unknown, isLate: boolean): ServiceError {
  const { name } = endpoint;
  if (isLate)
    return new UpstreamFailed('web_search_timeout', `${name} did not answer in time. Try again later.`);
  if (!(error instanceof ServiceError))
    return new UpstreamFailed('web_search_failed', `Can't reach ${name}. Check its URL.`, { cause: error });
  if (error.code === 'response_too_large') return unusable(endpoint);
  return error.code.startsWith('web_search_')
    ? error
    : new UpstreamFailed('web_search_failed', error.message, { cause: error });
}
