import type { Role } from '../api-contract/roles.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import type { Run } from './schema.ts';

/**
 * Checks the rights of a run. It continues after its request, and loses rights when its caller does. `role`
 * is the required role, by default that of its mode. Throws Forbidden.
 */
export async function requireRunRights(
  ports: TimedRecords,
  { caller, rightsOf, mode, workspaceId }: Run,
  role: Role = mode === 'agent' ? 'member' : 'viewer',
): Promise<void> {
  const place = await guardedPlaceOf(ports.records, workspaceId);
  await requireRights(ports, rightsOf ?? caller, role, place);
}
