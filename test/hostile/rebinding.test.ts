import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';

const VISITOR = join(import.meta.dirname, '../support/processes/rebinding-visitor.ts');
const REFUSED = 'url must lead to a public address.';

/** A separate network and resolver need root and Linux's `ip`. */
function hasNetworks(): boolean {
  try {
    execFileSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs the visitor in a network where the only name server is its own, and a public address belongs to this
 * host.
 */
async function visitInOwnNetwork() {
  const resolver = join(await tempFolder(), 'resolv.conf');
  await writeFile(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const script = `ip link set lo up && ip address add 93.184.215.14/32 dev lo &&
    mount --bind "$1" /etc/resolv.conf && exec "$2" "$3"`;
  const { stdout } = await promisify(execFile)('unshare', [
    ...['--net', '--mount', 'sh', '-ec', script, 'sh', resolver, process.execPath, VISITOR],
  ]);
  return JSON.parse(stdout) as {
    twice: string[];
    control: string;
    reached: number;
    outcomes: Record<string, string>;
  };
}

// Without permission to create a network, this can't be tested; adapters/outbound and adapters/web cover the
// rules without a network.
(hasNetworks() ? describe : describe.skip)('a hostile name server', () => {
  it('service sends no request to a private address, by DNS rebinding, by two addresses, or by a redirect', async () => {
    const { twice, control, reached, outcomes } = await visitInOwnNetwork();
    expect({ twice, control }).toEqual({ twice: ['93.184.215.14', '127.0.0.1'], control: 'secret' });
    expect(outcomes).toEqual({
      public: 'page',
      rebound: 'page',
      'rebound by a redirect to itself': REFUSED,
      inner: REFUSED,
      'one of two is inner': REFUSED,
      'inner by IPv6': REFUSED,
      'redirect to an inner name': REFUSED,
      'redirect to an inner address': REFUSED,
      'redirect to a mapped address': REFUSED,
      'redirect of a hub to an inner name': REFUSED,
      'redirect of a hub to an inner address': REFUSED,
      'redirect of a hub to one of two': REFUSED,
    });
    expect(reached).toBe(0);
  });
});
