import { isIP } from 'node:net';
import { type Caller, LOCAL } from '../access/caller.ts';
import { isLoopbackHost, isLoopbackUrl } from '../api-contract/loopback.ts';
import { Forbidden } from '../errors.ts';
import { type Headers, valuesOf } from './authorize.ts';

const INSTEAD = 'set AUTH_MODE to token or oidc';

/**
 * With AUTH_MODE=disabled, any program on this host is an administrator, and so is every web page open in a
 * browser on it. So the Host must be a loopback name (a page can't rebind its own name to 127.0.0.1), and a
 * request from a page, which has an Origin or a Referer, must come from the service's own page or from
 * CORS_ORIGINS. A page can send GETs without either header (an image, a link). For those, the browser reports
 * the initiator, and only the same origin or a direct navigation is accepted. Another port on this host is
 * another program, so `same-site` is untrusted too. `protocol` is that of the request, such as `HTTP/1.1`.
 * Throws Forbidden.
 */
export function localCaller(headers: Headers, corsOrigins: string[], protocol: string): Caller {
  requireDirect(headers, protocol);
  const [host = ''] = valuesOf(headers, 'host');
  if (!isLoopbackHost(host.replace(/:\d+$/, ''))) {
    throw new Forbidden(
      'origin_refused',
      `Without sign-in, the service answers only at localhost and 127.0.0.1. To use another host name, ${INSTEAD}.`,
    );
  }
  const pages = [...valuesOf(headers, 'origin'), ...valuesOf(headers, 'referer').map(originOf)];
  const foreign = pages.find((page) => page !== `http://${host}` && !corsOrigins.includes(page));
  if (foreign !== undefined) throw new Forbidden('origin_refused', whyForeign(foreign));
  if (valuesOf(headers, 'origin').length === 0 && !valuesOf(headers, 'sec-fetch-site').every(isOwnSite)) {
    throw new Forbidden(
      'origin_refused',
      "With AUTH_MODE=disabled, pages of other sites can't call the API.",
    );
  }
  return { id: LOCAL, role: 'admin', workspaceIds: null };
}

/**
 * Throws if a reverse proxy on this host sent the request. A proxy also connects from loopback, and may set a
 * loopback Host, so its clients would become administrators. Proxies identify their clients in headers that
 * clients themselves never need; some, such as nginx by default before 1.29.7, use HTTP/1.0.
 */
function requireDirect(headers: Headers, protocol: string): void {
  const header = Object.entries(headers).find(([name, values]) => isOfProxy(name, values ?? []));
  const sign = protocol !== 'HTTP/1.1' ? protocol : header?.[0];
  if (sign !== undefined) throw throughProxy(sign);
}

/** Returns the error; `sign` is the evidence that a proxy sent the request. */
export function throughProxy(sign: string): Forbidden {
  return new Forbidden(
    'origin_refused',
    `Without sign-in, the service answers only direct requests from this host, and this one came through a proxy (${sign}). To use a proxy, ${INSTEAD}.`,
  );
}

/**
 * Returns whether a header is one of a proxy. The names are those of RFC 7239, RFC 9110, and their
 * predecessors, and those of other products.
 */
function isOfProxy(name: string, values: string[]): boolean {
  if (/^via$|forwarded/i.test(name)) return true;
  const items = values.flatMap((value) => value.split(',')).map((item) => item.trim());
  return !/^host$/i.test(name) && items.some(describesConnection);
}

/** Matches an IP address, with or without a port, or a scheme: `X-Real-IP: 192.0.2.1`, `X-Scheme: https`. */
function describesConnection(item: string): boolean {
  return isIP(bareAddress(item)) !== 0 || /^https?$/i.test(item);
}

/** Returns an IP address without brackets and port. Other text stays unchanged. */
export function bareAddress(text: string): string {
  return text.replace(/^\[([^\]]*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3');
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/**
 * Suggests CORS_ORIGINS only for pages of this host. Behind a proxy, it would open the service to all of the
 * proxy's clients.
 */
function whyForeign(origin: string): string {
  return URL.canParse(origin) && isLoopbackUrl(origin)
    ? "This origin isn't listed in CORS_ORIGINS."
    : `Without sign-in, the service answers only pages of this host. To open it at another address, ${INSTEAD}.`;
}

function isOwnSite(site: string): boolean {
  return site === 'same-origin' || site === 'none';
}
