import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { InvalidInput } from '../../errors.ts';
import { isPublicAddress } from './public-address.ts';

export interface HostRules {
  /** All addresses of a name; default the system's resolver. Throws when it has none. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** Default isPublicAddress. Tests let their own loopback server through; no setting of the service does. */
  isPublic?: (address: string) => boolean;
}

/** Names that mean this machine or this network wherever they are resolved, also by a proxy. */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/**
 * The addresses of a host, each of them public; connect to one of these, for the name may have others a moment later.
 * Empty for a name that this machine cannot resolve: a proxy may. Throws InvalidInput when one is not public.
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

/** As URL understands it (`0x7f.1` is 127.0.0.1), without brackets and the dot of a full name. */
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
