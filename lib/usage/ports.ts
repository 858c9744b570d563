import type { Caller } from '../access/caller.ts';
import type { Role } from '../api-contract/roles.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { ModelPrices } from '../prices/schema.ts';

/** Ports for recording usage with budgets. */
export interface UsePorts extends TimedRecords {
  /** Prices from the settings; by default only list prices. */
  prices?: ModelPrices | undefined;
}

/** Ports for showing usage. */
export interface UseViewPorts extends UsePorts {
  /** For one request: returns the caller's role in each workspace; undefined without access. */
  rolesIn(caller: Caller): (workspaceId: string) => Promise<Role | undefined>;
}
