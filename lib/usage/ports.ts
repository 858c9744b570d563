import type { Caller, Role } from '../access/caller.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { ModelPrices } from '../prices/schema.ts';

/** What recording usage with budgets needs. */
export interface UsePorts extends TimedRecords {
  /** From the settings; default: list prices alone. */
  prices?: ModelPrices | undefined;
}

/** What showing usage needs. */
export interface UseViewPorts extends UsePorts {
  /** For one request: returns the caller's role in each workspace, undefined without access. */
  rolesIn(caller: Caller): (workspaceId: string) => Promise<Role | undefined>;
}
