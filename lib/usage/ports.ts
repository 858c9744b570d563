import type { TimedRecords } from '../ports/timed-records.ts';
import type { ModelPrices } from '../prices/schema.ts';

/** What counting needs that also keeps to budgets. */
export interface UsePorts extends TimedRecords {
  /** As the settings say; default: list prices alone. */
  prices?: ModelPrices | undefined;
}
