import { describe, expect, it } from '@jest/globals';
import { addressFinder } from '../../../infra/local/client-address.ts';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];

function find(peer: string | undefined, forwarded: string[] = [], proxies = PROXIES): string {
  const request = { socket: { remoteAddress: peer }, headersDistinct: { 'x-forwarded-for': forwarded } };
  return addressFinder(proxies)(request as unknown as Parameters<ReturnType<typeof addressFinder>>[0]);
}

describe('addressFinder', () => {
  it.each([
    ['one proxy', ['192.0.2.1']],
    ['two proxies', ['192.0.2.1, 10.0.0.7']],
    ['one header per proxy', ['192.0.2.1', '10.0.0.7']],
    ['a port', ['192.0.2.1:4711, 10.0.0.7:80']],
    ['a forged address before the real one', ['203.0.113.9, 192.0.2.1']],
    ['a forged trusted address before the real one', ['127.0.0.1, 192.0.2.1, 10.0.0.7']],
    ['a forged header of its own', ['203.0.113.9', '192.0.2.1']],
    ['text before the real one', ['<script>, 192.0.2.1']],
  ])('returns the client behind %s', (_which, forwarded) => {
    expect(find('127.0.0.1', forwarded)).toBe('192.0.2.1');
    expect(find('::ffff:127.0.0.1', forwarded)).toBe('192.0.2.1');
  });

  it('returns an IPv6 client behind an IPv6 proxy', () => {
    expect(find('fd00::1', ['[2001:db8::5]:443, fd00::2'])).toBe('2001:db8::5');
  });

  it.each([
    ['of a client that connects directly', '192.0.2.1', ['203.0.113.9']],
    ['that a trusted proxy left empty', '10.0.0.7', ['']],
    ["that isn't an address", '10.0.0.7', ['unknown']],
    ['that is missing', '10.0.0.7', []],
  ])('ignores a header %s', (_which, peer, forwarded) => {
    expect(find(peer, forwarded)).toBe(peer);
  });

  it('believes no header without trusted proxies', () => {
    expect(find('127.0.0.1', ['192.0.2.1'], [])).toBe('127.0.0.1');
  });

  it('returns an address without a zone, and undefined for a closed connection', () => {
    expect(find('fe80::1%eth0')).toBe('fe80::1');
    expect(find(undefined)).toBe('');
  });
});
