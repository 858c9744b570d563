import type { Role } from '../../access/caller.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { requireRights } from '../../tokens/rights.ts';
import { guardedPlaceOf } from '../../workspaces/access.ts';
import type { Run } from '../schema.ts';

/**
 * A run outlives the request that began it: what its caller may not do any more, it may not either. `role`: the least one, else
 * that of its mode. Throws Forbidden.
 */
export async function requireRunRights(
  ports: TimedRecords,
  { caller, rightsOf, mode, workspaceId }: Run,
  role: Role = mode === 'agent' ? 'member' : 'viewer',
): Promise<void> {
  const place = await guardedPlaceOf(ports.records, workspaceId);
  await requireRights(ports, rightsOf ?? caller, role, place);
}
