import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { InvalidInput } from '../../errors.ts';
import { isPublicAddress } from './public-address.ts';

export interface HostRules {
  /** Resolves a name to all its addresses; by default with the system's resolver. Throws if there are none. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** By default isPublicAddress. Only tests set this, to allow their own loopback server. */
  isPublic?: (address: string) => boolean;
}

/** Matches names that mean this host or this network wherever they are resolved, even by a proxy. */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/**
 * Returns the addresses of a host, all of which are public. Connect to one of these, because the name may
 * resolve differently a moment later. Empty for a name that this host can't resolve, because a proxy may.
 * Throws InvalidInput if any address isn't public.
 */
export async function publicAddresses(
  hostname: string,
  { resolve = resolveAll, isPublic = isPublicAddress }: HostRules = {},
): Promise<string[]> {
  const host = plainHost(hostname);
  if (isIP(host) === 0 && LOCAL_NAME.test(host)) throw notPublic();
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  if (!addresses.every(isPublic)) throw notPublic();
  return addresses;
}

/**
 * Returns a host name as URL normalizes it (`0x7f.1` is 127.0.0.1), without brackets or the dot at the end of
 * a fully qualified name.
 */
function plainHost(hostname: string): string {
  if (isIP(hostname) === 6) return hostname;
  const url = URL.parse(`http://${hostname}/`);
  if (url === null || /[/\\?#@\s]|:\d*$/.test(hostname))
    throw invalidUrl('url must contain a valid host name.');
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

async function resolveAll(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

export function invalidUrl(message: string): InvalidInput {
  return new InvalidInput('invalid_url', message, { field: 'url' });
}

function notPublic(): InvalidInput {
  return new InvalidInput('url_not_public', 'url must lead to a public address.', { field: 'url' });
}
