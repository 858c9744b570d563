import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { serviceAccountIn } from '../../../infra/local/peer-account.ts';
import { startService } from '../../support/service.ts';

const row = (from: string, to: string, uid: number) =>
  `   5: 0100007F:${from} 0100007F:${to} 01 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 180 1 0000000000000000 100 0 0 10 0`;
const own = process.getuid?.() ?? 0;

describe('serviceAccountIn', () => {
  it.each([
    [33, true],
    [999, true],
    [65_534, true],
    [61_184, true],
    [0, false],
    [1000, false],
    [60_000, false],
    [60_513, false],
    [60_514, true],
    [100_032, true],
    [524_288, true],
    [4_294_967_294, true],
    [own, false],
  ])('treats user %s as a service account: %s', (uid, isOne) => {
    expect(serviceAccountIn(row('D431', '0BB8', uid), 0xd431, 3000)).toBe(isOne ? uid : undefined);
  });

  it('ignores other connections, and the other end of the same connection', () => {
    const table = [row('D432', '0BB8', 33), row('D431', '0BB9', 33), row('0BB8', 'D431', 33)].join('\n');
    expect(serviceAccountIn(table, 0xd431, 3000)).toBeUndefined();
  });
});

// Only root can switch to a web server's user. The table above covers the decision itself.
(own === 0 && process.platform === 'linux' ? it : it.skip)(
  "refuses a client that runs as a web server's user, and answers a person's client",
  async () => {
    const { url } = await startService({ AUTH_MODE: 'disabled' });
    const program = `const { request } = require('node:http');
      request(${JSON.stringify(`${url}/api/workspaces`)}, (answer) => { console.log(answer.statusCode); process.exit(); }).end();`;
    const statusFor = (uid: number) =>
      spawnSync(process.execPath, ['-e', program], { uid, env: {}, encoding: 'utf8' }).stdout.trim();
    expect([33, 100_032, 1234].map(statusFor)).toEqual(['403', '403', '200']);
  },
);
