import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { ServerPolicy } from '../../config/models.ts';
import { blockList, embeddedV4, isPublicAddress } from './public-address.ts';

/**
 * Link-local addresses, where clouds offer credentials to their machines, and other special, multicast, and
 * reserved addresses.
 */
const NEVER_V4 = blockList('ipv4', [
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/**
 * Includes addresses that a network may translate to any IPv4 address: 6to4, local NAT64, and obsolete forms.
 */
const NEVER_V6 = blockList('ipv6', [
  'fe80::/10',
  'fec0::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'ff00::/8',
  '2002::/16',
  '64:ff9b:1::/48',
  '::ffff:0:0:0/96',
]);
/** An obsolete form of IPv4 addresses, which includes the loopback address. */
const COMPATIBLE_V6 = blockList('ipv6', ['::/96']);
/** Loopback. On AWS, a function's loopback has only Lambda's runtime API. */
const OWN_V4 = blockList('ipv4', ['0.0.0.0/8', '127.0.0.0/8']);
const OWN_V6 = blockList('ipv6', ['::/127']);

/** Returns whether the service may connect to an IP address that the settings name as a model server. */
export function mayServeModels(address: string, policy: ServerPolicy): boolean {
  const plain = address.replace(/%.*$/, '');
  if (isIP(plain) === 4) return isAllowed(plain, 'ipv4', [NEVER_V4, OWN_V4], policy);
  if (isIP(plain) !== 6) return false;
  const inner = embeddedV4(plain);
  if (inner !== undefined) return mayServeModels(inner, policy);
  if (COMPATIBLE_V6.check(plain, 'ipv6') && !OWN_V6.check(plain, 'ipv6')) return false;
  return isAllowed(plain, 'ipv6', [NEVER_V6, OWN_V6], policy);
}

function isAllowed(
  address: string,
  family: 'ipv4' | 'ipv6',
  [never, own]: ReturnType<typeof blockList>[],
  policy: ServerPolicy,
): boolean {
  if (never?.check(address, family)) return false;
  return policy === 'host' || !own?.check(address, family);
}

/**
 * Returns a resolver for connections, which omits forbidden addresses. So a name may safely change after its
 * check.
 */
export function modelServerLookup(policy: ServerPolicy): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => mayServeModels(address, policy));
      const [first] = allowed;
      if (error !== null || first === undefined)
        done(error ?? new Error(`${hostname} has no address that the service may connect to.`), '');
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

/**
 * Returns whether each address of a host is allowed. A name that can't be resolved here is allowed, because a
 * proxy may resolve it.
 */
export async function isModelHost(hostname: string, policy: ServerPolicy): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return mayServeModels(host, policy);
  const found = await addressesOf(host);
  return found.every((address) => mayServeModels(address, policy));
}

/**
 * Returns whether a URL is on this host or in its network: all addresses of its host are private. Resolves
 * names each time.
 */
export async function isOwnNetwork(baseUrl: string): Promise<boolean> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  return addresses.length > 0 && addresses.every((address) => !isPublicAddress(address));
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await new Promise<{ address: string }[]>((done) =>
    resolve(host, { all: true }, (_, all) => done(all ?? [])),
  );
  return found.map(({ address }) => address);
}
