import type { Dispatcher } from 'undici';
import { readPieces } from '../../async/join-pieces.ts';
import { ServiceError, UpstreamFailed } from '../../errors.ts';
import type { PostAnswer, PostRequest, Web, WebAnswer, WebhookPost, WebRequest } from '../../ports/web.ts';
import { loadUndici, pinnedAgent } from '../outbound/pinned-agent.ts';
import type { ProxySettings } from '../outbound/proxy.ts';
import { type HostRules, invalidUrl, publicAddresses } from '../outbound/public-host.ts';

export interface WebOptions extends HostRules {
  proxy?: ProxySettings;
  /** Allowed ports, by default 443 and 80. Tests add their own server's port. */
  ports?: number[];
}

const MAX_URL_LENGTH = 2048;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Fetches public pages. Resolves a name once per visit, and connects to the checked address, even if the name
 * changes a moment later. With a proxy, the proxy resolves the name. An address or a name that is private as
 * seen from here is still refused, but the proxy must prevent access to its own network.
 */
export function undiciWeb(options: WebOptions = {}): Web & WebhookPost {
  return {
    fetchPublic: (url, request) =>
      withDeadline(url, request, (signal) => follow(options, url, { ...request, signal })),
    postPublic: (url, request) => withDeadline(url, request, (signal) => post(options, url, request, signal)),
  };
}

/** Throws UpstreamFailed for a host that can't be reached in time. */
async function withDeadline<Answer>(
  url: string,
  { timeoutMs, signal: asked }: Pick<WebRequest, 'timeoutMs' | 'signal'>,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await ask(asked === undefined ? deadline : AbortSignal.any([deadline, asked]));
  } catch (error) {
    asked?.throwIfAborted();
    if (error instanceof ServiceError) throw error;
    const { hostname } = new URL(url);
    const what = deadline.aborted
      ? `${hostname} did not answer within ${timeoutMs / 1000} s. Try again later.`
      : `Can't reach ${hostname}. Check the URL.`;
    throw new UpstreamFailed('host_unreachable', what, { cause: error });
  }
}

const USER_AGENT = { 'user-agent': 'workspace-research-service' };

async function post(
  options: WebOptions,
  address: string,
  { headers: own, body, allowHttp }: PostRequest,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = readUrl(options, address, { allowHttp });
  const { fetch } = await loadUndici();
  const dispatcher = await connectTo(options, url, signal);
  const headers = { ...own, ...USER_AGENT };
  try {
    const sent = { dispatcher, method: 'POST', redirect: 'manual', headers, body, signal } as const;
    const { status, headers: answered } = await fetch(url, sent);
    return { status, retryAfter: answered.get('retry-after') };
  } finally {
    void dispatcher.destroy().catch(() => undefined); // ends the body, however long it is
  }
}

type Visit = WebRequest & { signal: AbortSignal };

async function follow(options: WebOptions, address: string, request: Visit): Promise<WebAnswer> {
  let url = readUrl(options, address, request);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    request.check?.(url);
    const found = await visit(options, url, request);
    if (!('location' in found)) return found;
    url = readUrl(options, found.location, request, url);
  }
  throw new UpstreamFailed('web_page_failed', `${url.hostname} redirects more than ${MAX_REDIRECTS} times.`);
}

function readUrl(
  { ports = [443, 80] }: WebOptions,
  text: string,
  { allowHttp }: Pick<WebRequest, 'allowHttp'>,
  base?: URL,
): URL {
  if (text.length > MAX_URL_LENGTH) throw invalidUrl(`url must have at most ${MAX_URL_LENGTH} characters.`);
  if (!URL.canParse(text, base?.href)) throw invalidUrl('url must be a valid URL.');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw invalidUrl('url must be an HTTPS URL.');
  if (url.username !== '' || url.password !== '')
    throw invalidUrl("url can't contain a user name or password.");
  if (url.port !== '' && !ports.includes(Number(url.port)))
    throw invalidUrl('url must use the default port.');
  url.hash = '';
  return url;
}

/** Makes one request on a new connection, which is then closed. */
async function visit(
  options: WebOptions,
  url: URL,
  request: Visit,
): Promise<WebAnswer | { location: string }> {
  const { fetch } = await loadUndici();
  const agent = await connectTo(options, url, request.signal);
  try {
    const headers = { accept: request.accept ?? '*/*', ...USER_AGENT };
    const { signal } = request;
    const response = await fetch(url, { dispatcher: agent, redirect: 'manual', headers, signal });
    const location = response.headers.get('location');
    if (location !== null && REDIRECTS.includes(response.status)) return { location };
    return {
      url: url.href,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      bytes: await readBounded(url, response.body, request.maxBytes),
    };
  } finally {
    void agent.destroy().catch(() => undefined); // also ends a body that nobody reads
  }
}

async function connectTo(options: WebOptions, url: URL, signal: AbortSignal): Promise<Dispatcher> {
  const addresses = await untilAborted(publicAddresses(url.hostname, options), signal);
  return pinnedAgent(url.hostname, addresses, { proxy: options.proxy });
}

/** Counts the decompressed bytes, so that a decompression bomb stops at the limit. */
function readBounded(url: URL, body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new UpstreamFailed('web_page_failed', `${url.hostname} returned more than ${maxBytes} bytes.`);
  return readPieces(body ?? [], maxBytes, tooLarge);
}

/**
 * Waits for work until the signal aborts. The system's resolver can't be canceled, so a late result is
 * ignored.
 */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
