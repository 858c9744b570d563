import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Remote } from '../git/remote.ts';
import { withScratch } from '../git/scratch.ts';
import { proxyAgentOptions } from '../outbound/proxy.ts';
import type { GitCall, GitSettings } from './program.ts';

/** Bytes per second. A connection that stays slower counts as dead. */
const SLOW_BYTES = '1000';
const SLOW_SECONDS = '30';

/** The parts of a git call that depend on the remote. */
type Asks = Required<Pick<GitCall, 'network' | 'settings' | 'places'>> & Pick<GitCall, 'readable'>;

/**
 * Runs git's network commands with the remote's resolved addresses and credential, the proxy, and the certificate
 * authorities.
 */
export async function withNetwork<Result>(
  remote: Remote,
  work: (asks: Asks) => Promise<Result>,
): Promise<Result> {
  const asks: Asks = { network: true, settings: networkSettings(remote), places: proxyPlaces(remote) };
  const { ca } = remote;
  if (ca === undefined) return work(asks);
  return withScratch(async (folder) => {
    const file = join(folder, 'authorities.pem');
    await writeFile(file, ca);
    const settings: GitSettings = [...asks.settings, ['http.sslCAInfo', file]];
    return work({ ...asks, settings, readable: [folder] });
  });
}

function networkSettings({ url, hostname, port, addresses, authorization, proxy }: Remote): GitSettings {
  const { httpsProxy = '', httpProxy = '' } = (proxy && proxyAgentOptions(proxy)) ?? {};
  const settings: GitSettings = [
    ['http.lowSpeedLimit', SLOW_BYTES],
    ['http.lowSpeedTime', SLOW_SECONDS],
    ['http.proxy', httpsProxy || httpProxy],
  ];
  if (isIP(hostname) === 0 && addresses.length > 0)
    settings.push(['http.curloptResolve', `${hostname}:${port}:${addresses.map(bracketed).join(',')}`]);
  if (authorization !== undefined)
    settings.push([`http.${new URL(url).origin}/.extraHeader`, `Authorization: ${authorization}`]);
  return settings;
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function proxyPlaces({ proxy }: Remote): Record<string, string> {
  const options = proxy && proxyAgentOptions(proxy);
  return options === undefined ? {} : { no_proxy: options.noProxy };
}
