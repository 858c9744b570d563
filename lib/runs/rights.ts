import type { Role } from '../api-contract/roles.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import { allWorkspacesOf } from '../workspaces/all-workspaces.ts';
import type { Run } from './schema.ts';

/**
 * Checks the rights of a run. It continues after its request, and loses rights when its caller does. `role`
 * is the required role in each of its workspaces, by default that of its mode. Throws Forbidden.
 */
export async function requireRunRights(
  ports: TimedRecords,
  run: Run,
  role: Role = run.mode === 'agent' ? 'member' : 'viewer',
): Promise<void> {
  for (const id of allWorkspacesOf(run))
    await requireRights(ports, run.rightsOf ?? run.caller, role, await guardedPlaceOf(ports.records, id));
}
