import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { UpstreamFailed } from '../../errors.ts';
import { type ProxySettings, proxyAgentOptions } from './proxy.ts';

const CONNECT_TIMEOUT_MS = 5000;

/**
 * Returns an agent that connects to one host only, at the checked addresses, or through the proxy if there is one. `ca`
 * (PEM) replaces the system's certificate authorities.
 */
export async function pinnedAgent(
  hostname: string,
  addresses: string[],
  { proxy, ca }: { proxy?: ProxySettings | undefined; ca?: string | undefined } = {},
): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
  const requestTls = ca === undefined ? {} : { ca };
  const connect = { lookup: answerWith(hostname, addresses), timeout: CONNECT_TIMEOUT_MS, ...requestTls };
  const proxied = proxy && proxyAgentOptions(proxy);
  if (proxied !== undefined) {
    return new EnvHttpProxyAgent({ ...proxied, connect, requestTls, allowH2: false });
  }
  if (addresses.length === 0)
    throw new UpstreamFailed('host_unreachable', `${hostname} has no IP address. Check the URL.`);
  return new Agent({ connect, allowH2: false });
}

/** Replaces a connection's resolver with one that knows one name and its checked addresses. */
export function answerWith(hostname: string, addresses: string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (wanted, { all }, done) => {
    const [first] = known;
    if (wanted !== hostname || first === undefined) done(new Error(`${wanted} has no IP address.`), '');
    else if (all) done(null, known);
    else done(null, first.address, first.family);
  };
}

/** Uses the default export, because a bundler that splits off a CommonJS package keeps only that. */
export async function loadUndici() {
  return (await import('undici')).default;
}
