import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { bareAddress } from '../../lib/tokens/local-caller.ts';

/**
 * Returns a function that finds the IP address of a request's client. Each proxy appends the address it was called from
 * to X-Forwarded-For, so addresses are believed from the end, up to the first that isn't a trusted proxy's. A client
 * can't forge its address, because everything before that is ignored.
 */
export function addressFinder(
  proxies: string[],
): (request: Pick<IncomingMessage, 'socket' | 'headersDistinct'>) => string {
  const trusted = blockList(proxies);
  return ({ socket, headersDistinct }) => {
    let address = plain(socket.remoteAddress ?? '');
    const written = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
    for (const hop of written.map(plain).reverse()) {
      if (!isTrusted(trusted, address) || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

function blockList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    list.addSubnet(address, prefix === undefined ? longest : Number(prefix), familyOf(address));
  }
  return list;
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns an address without port, zone, and the prefix of an IPv4 address on an IPv6 socket. */
function plain(written: string): string {
  return bareAddress(written.trim())
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
}
