import type { TimedRecords } from '../../ports/timed-records.ts';
import { requireRights } from '../../tokens/rights.ts';
import { guardedPlaceOf } from '../../workspaces/access.ts';
import type { Run } from '../schema.ts';

/** A run outlives the request that began it: what its caller may not do any more, it may not either. Throws Forbidden. */
export async function requireRunRights(
  ports: TimedRecords,
  { caller, rightsOf, mode, workspaceId }: Run,
): Promise<void> {
  const place = await guardedPlaceOf(ports.records, workspaceId);
  await requireRights(ports, rightsOf ?? caller, mode === 'agent' ? 'member' : 'viewer', place);
}
