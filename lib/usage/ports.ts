import type { Caller, Role } from '../access/caller.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { ModelPrices } from '../prices/schema.ts';

/** What counting needs that also keeps to budgets. */
export interface UsePorts extends TimedRecords {
  /** As the settings say; default: list prices alone. */
  prices?: ModelPrices | undefined;
}

/** What showing it needs. */
export interface UseViewPorts extends UsePorts {
  /** For one request: what the caller may do in each workspace, undefined where he may not enter. */
  rolesIn(caller: Caller): (workspaceId: string) => Promise<Role | undefined>;
}
