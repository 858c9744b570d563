import { expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { rotateToken } from '../../../lib/tokens/rotate.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { whyRefused } from '../../../lib/tokens/why-refused.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const START = Date.parse('2026-06-01T00:00:00Z');
let now = START;
const clock = { now: () => now };
const ports = { records: sqliteRecords(openDatabase(await tempFolder()), clock), clock };

it('whyRefused distinguishes an unknown, a revoked, an expired, and a replaced secret', async () => {
  const expiresAt = new Date(START + 1000).toISOString();
  const ended = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer', expiresAt });
  const revoked = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer' });
  await revokeToken(ports, ADMIN, revoked.id);
  const replaced = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer' });
  await rotateToken(ports, ADMIN, replaced.id, { overlapHours: 0 });
  now += 1000;
  const secrets = ['wrs_unknown', revoked.secret, ended.secret, replaced.secret];
  expect(await Promise.all(secrets.map((secret) => whyRefused(ports, secret)))).toEqual([
    ...['unknown', 'revoked', 'expired', 'rotated'],
  ]);
});
