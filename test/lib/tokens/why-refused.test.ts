import { expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { whyRefused } from '../../../lib/tokens/why-refused.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const START = Date.parse('2026-06-01T00:00:00Z');
let now = START;
const clock = { now: () => now };
const ports = { records: sqliteRecords(openDatabase(await tempFolder()), clock), clock };

it('tells an unknown, a revoked, and an expired secret from each other', async () => {
  const expiresAt = new Date(START + 1000).toISOString();
  const ended = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer', expiresAt });
  const revoked = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer' });
  await revokeToken(ports, ADMIN, revoked.id);
  now += 1000;
  const secrets = ['wrs_unknown', revoked.secret, ended.secret];
  expect(await Promise.all(secrets.map((secret) => whyRefused(ports, secret)))).toEqual([
    ...['unknown', 'revoked', 'expired'],
  ]);
});
