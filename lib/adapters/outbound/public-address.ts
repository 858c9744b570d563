import { BlockList, isIP } from 'node:net';

/**
 * The special-purpose addresses of RFC 6890 and its registry, multicast addresses, and the public address
 * where a cloud serves its own machines.
 */
const SPECIAL_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/**
 * Contains all globally routed addresses, but no loopback, link-local, unique local, or multicast addresses.
 */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3']);
/**
 * Exceptions within that range: protocol assignments (including Teredo), documentation, and 6to4, which
 * contains an IPv4 address.
 */
const SPECIAL_V6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
/**
 * Matches an IPv4 address within an IPv6 address in URL notation: mapped, or translated (NAT64) with the
 * well-known prefix.
 */
const EMBEDDED_V4 = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** Returns whether an IP address is publicly reachable; false if it isn't an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_V4.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const inner = embeddedV4(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

/** Returns the IPv4 address that an IPv6 address contains. */
export function embeddedV4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = EMBEDDED_V4.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

export function blockList(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
