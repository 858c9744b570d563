import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Config } from '../../config.ts';

export type ProxySettings = Config['proxy'];

/** Hosts that are reached without a proxy: this host and the cloud's metadata address. */
const DIRECT = ['localhost', '127.0.0.1', '::1', '169.254.169.254'];

/**
 * Sends outgoing requests through the configured proxies. Without a proxy, this loads and changes nothing.
 */
export async function useProxies({ proxy }: Pick<Config, 'proxy'>): Promise<void> {
  const options = proxyAgentOptions(proxy);
  if (options === undefined) return;
  // Uses the default export, because a bundler that splits off a CommonJS package keeps only that.
  const { EnvHttpProxyAgent, setGlobalDispatcher } = (await import('undici')).default;
  setGlobalDispatcher(new EnvHttpProxyAgent(options));
}

/**
 * Returns options for undici's EnvHttpProxyAgent; undefined without a proxy. Plain http uses absolute-form
 * requests: many proxies refuse to tunnel (CONNECT) to port 80, and Node's own fetch always tunnels.
 */
export function proxyAgentOptions({ http, https, no }: ProxySettings) {
  if (http === undefined && https === undefined) return undefined;
  const noProxy = [no, ...DIRECT].filter((host) => host !== undefined && host !== '').join(',');
  // Empty strings, because the agent would read the environment if they were undefined.
  return { httpProxy: http ?? '', httpsProxy: https ?? '', noProxy, proxyTunnel: false };
}

/**
 * Returns agents for Node's own http and https, which `ws` uses too; undefined without a proxy. They tunnel
 * only https. Plain http, including `ws:`, uses absolute-form requests.
 */
export function proxyHttpAgents(
  proxy: ProxySettings,
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } | undefined {
  const options = proxyAgentOptions(proxy);
  if (options === undefined) return undefined;
  const { httpProxy, httpsProxy, noProxy } = options;
  const proxyEnv = {
    HTTP_PROXY: httpProxy,
    // undici does the same.
    HTTPS_PROXY: httpsProxy || httpProxy,
    NO_PROXY: withSubdomains(noProxy),
  };
  return { httpAgent: new HttpAgent({ proxyEnv }), httpsAgent: new HttpsAgent({ proxyEnv }) };
}

/**
 * Opens a tunnel (CONNECT) to `host:port` through the proxy; undefined if the host is reached without a
 * proxy. Throws if the proxy refuses.
 */
export async function tunnelThrough(
  proxy: ProxySettings | undefined,
  place: string,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const options = proxy && proxyAgentOptions(proxy);
  const [host = ''] = place.split(':');
  if (options === undefined || isDirect(options.noProxy, host)) return undefined;
  const { Client } = (await import('undici')).default;
  const { origin, username, password } = new URL(options.httpsProxy || options.httpProxy);
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    host: place,
    ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(name).toString('base64')}` }),
  };
  const { statusCode, socket } = await new Client(origin).connect({ path: place, headers, signal });
  if (statusCode === 200) return socket as Socket;
  socket.destroy();
  throw new Error(`The proxy answered ${statusCode}.`);
}

function isDirect(noProxy: string, host: string): boolean {
  const direct = withSubdomains(noProxy).split(',');
  return direct.some((each) => {
    const suffix = each.replace(/^\*(?=\.)/, '');
    return each === '*' || each === host || (suffix.startsWith('.') && host.endsWith(suffix));
  });
}

/**
 * Converts no_proxy from undici's meaning, in which a name includes its subdomains and a space separates
 * names, to that of Node's agents.
 */
function withSubdomains(noProxy: string): string {
  const hosts = noProxy.split(/[,\s]+/).filter((host) => host !== '');
  return hosts.flatMap((host) => (/^[.*]/.test(host) ? [host] : [host, `.${host}`])).join(',');
}
