import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { joinPieces } from '../../async/join-pieces.ts';
import { retry } from '../../async/retry.ts';
import { shareThread } from '../../async/share-thread.ts';
import { Forbidden, NotFound, ServiceError, UpstreamFailed } from '../../errors.ts';
import { HubBusy, type HubBytes, type HubRange } from '../../ports/hub.ts';
import { isBoundedJsonInTurns } from '../../validation/bounded-json.ts';
import { loadUndici, pinnedAgent } from './pinned-agent.ts';
import { type ProxySettings, proxyAgentOptions } from './proxy.ts';
import { type HostRules, publicAddresses } from './public-host.ts';

export interface HubSettings extends HostRules {
  /** The hub's name in errors: `Hugging Face`. */
  name: string;
  baseUrl: string;
  token?: string | undefined;
  proxy?: ProxySettings;
  /** True if an administrator set the URL. It may then be private, as may the targets of its redirects. */
  trusted: boolean;
  /** Maximum redirects, by default 5. */
  maxRedirects?: number;
  /** Returns whether a URL may have a private address. By default, the URLs of the hub's own origin may. */
  mayBePrivate?: ((url: URL) => boolean) | undefined;
}

export interface HubRequest {
  url: URL;
  method?: 'GET' | 'PROPFIND';
  body?: string;
  /** Statuses of success, by default 200, 206, and 416. */
  statuses?: number[];
  headers?: Record<string, string>;
  /** Headers for the hub's own origin only. */
  credentials: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export type HubResponse = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const CONNECT_TIMEOUT_MS = 10_000;
/** Maximum milliseconds to wait for a response's headers, and between two chunks of its body. */
const SILENCE_MS = 30_000;
const DEFAULT_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 15 * 60_000;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 24 * 1024 * 1024;
/**
 * Limits of a JSON response. The description of a repository with 100,000 files is one response, and OpenAlex
 * returns 300 abstracts with the words as field names.
 */
const MOST_JSON = { values: 1_000_000, names: 20_000 };

/** Requests to one hub over keep-alive connections. */
export function hubRequests(settings: HubSettings) {
  const dispatcher = openDispatcher(settings.proxy);
  return {
    /** Returns the response (200, 206, or 416) after redirects. Throws the errors in lib/ports/hub.ts. */
    open: (request: HubRequest) => follow(settings, dispatcher, request),
    /** Returns the body of the response as it arrives, without a limit. Throws the same errors. */
    async pieces(request: HubRequest): Promise<AsyncIterable<Buffer>> {
      return readResponse(settings, await follow(settings, dispatcher, request), request.signal);
    },
    async json(request: HubRequest): Promise<{ body: unknown; headers: Headers }> {
      const response = await follow(settings, dispatcher, request);
      const text = await readText(settings, response, MAX_JSON_BYTES);
      return { body: await parseJson(settings, text), headers: readHeaders(response) };
    },
    async text(request: HubRequest, maxBytes: number): Promise<string> {
      return readText(settings, await follow(settings, dispatcher, request), maxBytes);
    },
  };
}

async function openDispatcher(proxy?: ProxySettings): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
  const options = {
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: 10_000,
    allowH2: false, // one connection per stream, because the hubs' CDNs limit the speed of each
  };
  const proxied = proxy && proxyAgentOptions(proxy);
  return proxied === undefined ? new Agent(options) : new EnvHttpProxyAgent({ ...options, ...proxied });
}

/** Follows redirects itself, so that only the hub's own origin gets the credentials. */
async function follow(
  settings: HubSettings,
  opening: Promise<Dispatcher>,
  request: HubRequest,
): Promise<HubResponse> {
  const dispatcher = await opening;
  const { maxRedirects = MAX_REDIRECTS } = settings;
  let { url } = request;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const visit = { ...request, url };
    const response = await (isFree(settings, url)
      ? send(settings, dispatcher, visit)
      : sendPinned(settings, visit));
    const location = headerOf(response, 'location');
    if (!REDIRECTS.includes(response.statusCode) || location === undefined)
      return checkStatus(settings, response, request.statuses);
    await response.body.dump();
    url = checkTarget(settings, url, location);
  }
  throw new UpstreamFailed('hub_failed', `${settings.name} redirects more than ${maxRedirects} times.`);
}

function isOwn({ baseUrl }: HubSettings, { origin }: URL): boolean {
  return origin === new URL(baseUrl).origin;
}

/**
 * Returns whether a URL may have a private address: the configured URL may, and others on the hub's origin,
 * but not a redirect's target.
 */
function isFree(settings: HubSettings, url: URL): boolean {
  return settings.trusted || (settings.mayBePrivate?.(url) ?? isOwn(settings, url));
}

/** Connects only to the checked addresses. The connection ends with the response. */
async function sendPinned(settings: HubSettings, request: HubRequest): Promise<HubResponse> {
  const { hostname } = request.url;
  const agent = await pinnedAgent(hostname, await publicAddresses(hostname, settings), settings);
  try {
    return await send(settings, agent, request);
  } finally {
    void agent.close().catch(() => undefined); // lets the response's body finish first
  }
}

async function send(
  settings: HubSettings,
  dispatcher: Dispatcher,
  { url, method = 'GET', body, headers, credentials, signal }: HubRequest,
): Promise<HubResponse> {
  const request: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod, // undici's type lacks the methods of WebDAV
    body: body ?? null,
    headers: {
      'user-agent': 'workspace-research-service',
      'accept-encoding': 'identity',
      ...headers,
      ...(isOwn(settings, url) ? credentials : {}),
    },
    signal: signal ?? null,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  };
  try {
    return await retry(() => dispatcher.request(request), {
      signal,
      maxTries: 2,
      waitAfter: (error) => (isReset(error) ? 0 : undefined),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new HubBusy(`Can't reach ${settings.name}. Check the network and the base URL.`, {
      cause: error,
      unreachable: true,
    });
  }
}

/**
 * Returns whether a connection was reset. A hub may close an idle connection just as the next request starts.
 */
function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String((error as NodeJS.ErrnoException).code));
}

function checkTarget(settings: HubSettings, from: URL, location: string): URL {
  const url = URL.parse(location, from.href);
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:');
  if (url === null || !secure)
    throw new UpstreamFailed(
      'hub_answer_unusable',
      `${settings.name} redirects to a URL that can't be used.`,
    );
  return url;
}

async function checkStatus(
  settings: HubSettings,
  response: HubResponse,
  statuses = [200, 206, 416],
): Promise<HubResponse> {
  if (statuses.includes(response.statusCode)) return response;
  const text = await readText(settings, response, MAX_ERROR_BYTES).catch(() => '');
  throw failureOf(settings, response, text);
}

/**
 * Returns the error, which distinguishes gated from missing repositories. Users without access see a private
 * one as missing.
 */
function failureOf({ name }: HubSettings, response: HubResponse, text: string): Error {
  const { statusCode } = response;
  if (statusCode === 429) {
    return new HubBusy(`${name} limits the request rate.`, { pauseMs: pauseOf(response) });
  }
  if (statusCode === 408 || statusCode >= 500) {
    const asked = headerOf(response, 'retry-after') === undefined ? {} : { pauseMs: pauseOf(response) };
    return new HubBusy(`${name} failed with status ${statusCode}.`, asked);
  }
  const code = headerOf(response, 'x-error-code');
  if (code === 'GatedRepo')
    return new Forbidden(
      'hub_access_denied',
      `${name} has gated this repository. Request access there, then set a token.`,
    );
  if (/access to this resource is disabled/i.test(text))
    return new Forbidden('hub_access_denied', `${name} has disabled this repository.`);
  if (code === 'RevisionNotFound')
    return new NotFound(
      'hub_revision_not_found',
      `${name} has no such revision. Check the branch, tag, or commit.`,
      { field: 'revision' },
    );
  if (code === 'EntryNotFound')
    return new NotFound('hub_file_not_found', `${name} has no such file in this repository.`);
  if ([401, 403, 404].includes(statusCode))
    return new NotFound(
      'hub_repository_not_found',
      `${name} has no such repository, or you don't have access to it.`,
      { cause: statusCode },
    );
  return new UpstreamFailed('hub_failed', `${name} failed with status ${statusCode}. Try again later.`);
}

/** Returns the pause from `RateLimit: "api";r=0;t=55`, or from Retry-After in seconds. */
function pauseOf(response: HubResponse): number {
  const limit = /;\s*t=(\d+)/.exec(headerOf(response, 'ratelimit') ?? '')?.[1];
  const seconds = Number(limit ?? headerOf(response, 'retry-after'));
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1) * 1000, MAX_PAUSE_MS) : DEFAULT_PAUSE_MS;
}

/** Yields the body's chunks. Throws HubBusy if the connection breaks or stalls. */
async function* readResponse(
  { name }: Pick<HubSettings, 'name'>,
  response: HubResponse,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of response.body) yield piece as Buffer;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ServiceError) throw error;
    throw new HubBusy(`${name} stopped in the middle of an answer.`, { cause: error });
  }
}

async function readText(settings: HubSettings, response: HubResponse, maxBytes: number): Promise<string> {
  const pieces = joinPieces(
    maxBytes,
    () => new UpstreamFailed('hub_answer_unusable', `${settings.name} returned more than ${maxBytes} bytes.`),
  );
  const share = shareThread();
  for await (const piece of readResponse(settings, response)) {
    pieces.add(piece);
    await share();
  }
  const bytes = pieces.whole();
  await share();
  return bytes.toString();
}

/**
 * Parses JSON. Other requests run between the parser and the reader of its result, because each takes up to a
 * tenth of a second.
 */
async function parseJson({ name }: HubSettings, text: string): Promise<unknown> {
  if (!(await isBoundedJsonInTurns(text, MOST_JSON)))
    throw new UpstreamFailed('hub_answer_unusable', `${name} returned more than can be read.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UpstreamFailed('hub_answer_unusable', `${name} returned an answer that isn't JSON.`, {
      cause: error,
    });
  } finally {
    await nextTurn();
  }
}

function readHeaders(response: HubResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

function headerOf(response: HubResponse, name: string): string | undefined {
  return [response.headers[name]].flat()[0];
}

/** Returns the bytes of a file as lib/ports/hub.ts requires: no bytes after the file's end. */
function fileBytes(
  settings: Pick<HubSettings, 'name'>,
  response: HubResponse,
  { offset, signal }: HubRange,
): HubBytes {
  const etag = etagOf(response);
  const body = readResponse(settings, response, signal);
  if (response.statusCode === 200) return { offset: 0, etag, body };
  const start = /^bytes (\d+)-/.exec(headerOf(response, 'content-range') ?? '')?.[1];
  if (response.statusCode === 206 && start !== undefined) return { offset: Number(start), etag, body };
  response.body.dump().catch(() => undefined);
  if (response.statusCode === 416) return { offset, etag, body: noBytes() };
  throw new UpstreamFailed('hub_answer_unusable', `${settings.name} returned a part without its position.`);
}

async function* noBytes(): AsyncGenerator<Buffer> {}

/** Returns a strong ETag, because a weak one doesn't prove that two responses have the same bytes. */
function etagOf(response: HubResponse): string | undefined {
  const etag = headerOf(response, 'etag');
  return etag === undefined || etag.startsWith('W/') ? undefined : etag;
}

function rangeHeaders({ offset, end, etag }: HubRange): Record<string, string> {
  if (offset === 0 && end === undefined) return {};
  const range = `bytes=${offset}-${end === undefined ? '' : end - 1}`;
  return etag === undefined ? { range } : { range, 'if-range': etag };
}

/** Encodes each segment separately, because `#`, `?`, and `%` are valid in file names. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

export type HubApi = ReturnType<typeof hubApi>;

/** The shared parts of all calls to a hub. */
export function hubApi(settings: HubSettings, credentials: Record<string, string>) {
  const requests = hubRequests(settings);
  return {
    requests,
    credentials,
    at: (path: string) => new URL(`${settings.baseUrl.replace(/\/$/, '')}${path}`),
    /** Returns the bytes of a file. */
    async openRange(url: URL, range: HubRange): Promise<HubBytes> {
      const headers = rangeHeaders(range);
      const response = await requests.open({ url, headers, credentials, signal: range.signal });
      return fileBytes(settings, response, range);
    },
  };
}
