import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import type { Service } from '../../support/service.ts';
import { ADMIN } from '../../support/tasks.ts';

/** Creates a token in the records of a service; returns its secret. */
export async function tokenOf(
  { dataDir }: Pick<Service, 'dataDir'>,
  role: 'viewer' | 'member' | 'admin',
  workspaceIds: string[] | null = null,
  name: string = role,
): Promise<string> {
  const ports = { records: sqliteRecords(openDatabase(dataDir)), clock: systemClock };
  return (await createToken(ports, ADMIN, { name, role, workspaceIds })).secret;
}
