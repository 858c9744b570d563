import { lookup } from 'node:dns/promises';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { UpstreamFailed } from '../../errors.ts';
import { loadUndici, pinnedAgent } from '../outbound/pinned-agent.ts';
import type { ProxySettings } from '../outbound/proxy.ts';
import { type HostRules, invalidUrl, publicAddresses } from '../outbound/public-host.ts';

export interface RemoteSettings extends HostRules {
  /** The only host that gets the token, including the port unless it is 443. */
  codeHost: string;
  token(): Promise<string | undefined>;
  /**
   * The only URL that gets the token, along with the URLs on the same host to which it redirects. If absent,
   * any requested URL on the host may get it.
   */
  tokenFor?: string | null;
  /** Allows any host and any port. Only the administrator can permit this. */
  allowPrivate: boolean;
  proxy?: ProxySettings;
  /** PEM certificates of authorities; by default Node's own. */
  ca?: string | undefined;
}

/** A responding repository, and the only allowed connections to it. */
export interface Remote {
  url: string;
  hostname: string;
  port: string;
  addresses: string[];
  /** The authorization header for exactly this host; undefined without a token. */
  authorization: string | undefined;
  proxy: ProxySettings | undefined;
  ca: string | undefined;
}

const MAX_URL_LENGTH = 2048;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const ADVERTISEMENT = '/info/refs?service=git-upload-pack';

/**
 * Checks that a repository exists, and follows its redirects within the guard's limits, so that git follows
 * none. Throws InvalidInput for a refused URL, UpstreamFailed if no repository responds.
 */
export async function findRemote(
  settings: RemoteSettings,
  address: string,
  signal: AbortSignal,
): Promise<Remote> {
  let url = readRemoteUrl(settings, address);
  let mayShow = settings.tokenFor === undefined || settings.tokenFor === url.href;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const remote = await checkRemote(settings, url, mayShow);
    const location = await probe(remote, signal);
    if (location === undefined) return remote;
    mayShow &&= url.host === settings.codeHost; // another host could redirect to anything the token opens
    url = readRemoteUrl(settings, location);
  }
  throw new UpstreamFailed('git_host_failed', `${url.hostname} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Returns whether a token is set, and this URL's host may get it. */
export async function hasToken({ codeHost, token }: RemoteSettings, url: string): Promise<boolean> {
  return URL.parse(url)?.host === codeHost && (await token()) !== undefined;
}

/** Returns the URL to request, without credential, query, or fragment. */
function readRemoteUrl({ allowPrivate, codeHost }: RemoteSettings, text: string): URL {
  if (text.length > MAX_URL_LENGTH) throw invalidUrl(`url must have at most ${MAX_URL_LENGTH} characters.`);
  const url = URL.parse(text);
  if (url === null) throw invalidUrl('url must be a valid URL.');
  if (url.protocol !== 'https:') throw invalidUrl('url must be an HTTPS URL.');
  if (url.username !== '' || url.password !== '')
    throw invalidUrl(
      "url can't contain a user name or password. An administrator can set CODE_HOST_TOKEN for private repositories.",
    );
  if (url.search !== '' || url.hash !== '')
    throw invalidUrl('url must be the URL of a repository, without ? and #.');
  if (url.port !== '' && !allowPrivate && url.host !== codeHost)
    throw invalidUrl('url must use the default port.');
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (url.pathname === '/') throw invalidUrl('url must be the URL of a repository.');
  return url;
}

async function checkRemote(settings: RemoteSettings, url: URL, mayShow: boolean): Promise<Remote> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = settings.allowPrivate
    ? await anyAddresses(settings, hostname)
    : await publicAddresses(hostname, settings);
  const token = mayShow && url.host === settings.codeHost ? await settings.token() : undefined;
  return {
    url: url.href,
    hostname,
    port: url.port || '443',
    addresses,
    authorization: token && `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
    proxy: settings.proxy,
    ca: settings.ca ?? extraAuthorities(),
  };
}

async function anyAddresses({ resolve }: HostRules, hostname: string): Promise<string[]> {
  if (resolve !== undefined) return resolve(hostname);
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/**
 * Returns all certificate authorities that Node trusts: with NODE_EXTRA_CA_CERTS, these are more than the
 * system's store has.
 */
function extraAuthorities(): string | undefined {
  return getCACertificates('extra').length === 0 ? undefined : getCACertificates('default').join('\n');
}

/** Returns the URL that the remote redirects to, if any. */
async function probe(remote: Remote, signal: AbortSignal): Promise<string | undefined> {
  const agent = await remoteAgent(remote);
  try {
    const { fetch } = await loadUndici();
    const response = await fetch(remote.url + ADVERTISEMENT, {
      dispatcher: agent,
      redirect: 'manual',
      headers: { ...requestHeaders(remote), 'git-protocol': 'version=2' },
      signal,
    });
    const location = response.headers.get('location');
    if (location !== null && REDIRECTS.includes(response.status)) return readLocation(remote, location);
    checkAnswer(remote, response.status, response.headers.get('content-type'));
    return undefined;
  } catch (error) {
    if (error instanceof UpstreamFailed || signal.aborted) throw error;
    throw new UpstreamFailed(
      'git_host_unreachable',
      `Can't reach ${remote.hostname}. Check the URL and the network.`,
      { cause: error },
    );
  } finally {
    void agent.destroy().catch(() => undefined);
  }
}

export function remoteAgent({ hostname, addresses, proxy, ca }: Remote): Promise<Dispatcher> {
  return pinnedAgent(hostname, addresses, { proxy, ca });
}

export function requestHeaders({ authorization }: Remote): Record<string, string> {
  return { 'user-agent': 'git/workspace-research-service', ...(authorization && { authorization }) };
}

function readLocation({ url, hostname }: Remote, location: string): string {
  const target = URL.parse(location, url + ADVERTISEMENT)?.href ?? '';
  if (!target.endsWith(ADVERTISEMENT))
    throw new UpstreamFailed(
      'git_repository_not_found',
      `${hostname} has no Git repository at this URL. Check the URL.`,
    );
  return target.slice(0, -ADVERTISEMENT.length);
}

function checkAnswer({ hostname, authorization }: Remote, status: number, type: string | null): void {
  if (status === 401 || status === 403 || status === 404) {
    const why =
      authorization === undefined ? 'or it is private' : "or CODE_HOST_TOKEN doesn't give access to it";
    throw new UpstreamFailed(
      'git_repository_not_found',
      `${hostname} has no such repository, ${why} (${status}).`,
    );
  }
  if (status !== 200)
    throw new UpstreamFailed('git_host_failed', `${hostname} failed with status ${status}. Try again later.`);
  if (type?.startsWith('application/x-git-upload-pack-advertisement')) return;
  throw new UpstreamFailed(
    'git_repository_not_found',
    `${hostname} has no Git repository at this URL. Check the URL.`,
  );
}
