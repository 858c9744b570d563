import { describe, expect, it } from '@jest/globals';
import {
  isModelHost,
  mayServeModels,
  modelServerLookup,
} from '../../../lib/adapters/outbound/model-address.ts';

const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fe80::1%eth0', 'ff02::1', '224.0.0.1', '255.255.255.255'],
  ...['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'no-address'],
  ...['::169.254.169.254', '::a9fe:a9fe', '::8.8.8.8', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1:ffff::a9fe:a9fe'],
  ...['2002:a9fe:a9fe::', '2002:808:808::1', '::ffff:0:a9fe:a9fe', 'fec0::1', 'feff::1'],
];
const LOOPBACK = ['127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1'];
const OTHERS = ['10.1.2.3', '192.168.1.20', '172.16.0.9', 'fd12:3456::1', '8.8.8.8', '2606:4700::1111'];

describe('mayServeModels', () => {
  it.each(METADATA)('returns false everywhere for %s', (address) => {
    expect([mayServeModels(address, 'host'), mayServeModels(address, 'cloud')]).toEqual([false, false]);
  });

  it.each(LOOPBACK)('returns true on a single host only for %s', (address) => {
    expect([mayServeModels(address, 'host'), mayServeModels(address, 'cloud')]).toEqual([true, false]);
  });

  it.each(OTHERS)('returns true everywhere for %s', (address) => {
    expect([mayServeModels(address, 'host'), mayServeModels(address, 'cloud')]).toEqual([true, true]);
  });
});

describe('isModelHost', () => {
  it.each([
    ['[::ffff:a9fe:a9fe]', 'host', false],
    ['169.254.169.254', 'host', false],
    ['[::169.254.169.254]', 'host', false],
    ['localhost', 'host', true],
    ['localhost', 'cloud', false],
    ['no-such-host.invalid', 'cloud', true], // a proxy may resolve it
  ] as const)('returns for %s on a %s: %s', async (host, policy, allowed) => {
    expect(await isModelHost(host, policy)).toBe(allowed);
  });
});

describe('modelServerLookup', () => {
  const ask = (policy: 'host' | 'cloud', all: boolean) =>
    new Promise((done) => {
      modelServerLookup(policy)('localhost', { all }, (error, found) => done(error?.message ?? found));
    });

  it('checks addresses when it connects', async () => {
    expect(await ask('cloud', true)).toBe('localhost has no address that the service may connect to.');
    expect(await ask('cloud', false)).toBe('localhost has no address that the service may connect to.');
    expect(['127.0.0.1', '::1']).toContain(await ask('host', false));
    expect(await ask('host', true)).toContainEqual({
      address: expect.any(String),
      family: expect.any(Number),
    });
  });
});
