import type { Records } from '../ports/records.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { steps, stepsOf } from '../research/run-records.ts';
import { framesPartition } from '../run-events/schema.ts';
import { checkRequests, verdictBatches, verdictsOf } from './run-records.ts';

/**
 * Removes what was found about a draft: verdicts, suggestions, what the judge answered, and the run's events, which have the verdicts
 * without quotes. Its run stays. Idempotent.
 */
export async function forgetFindings(records: Records, runId: string): Promise<void> {
  for await (const step of steps.all(records, stepsOf(runId))) await steps.delete(records, step);
  for await (const batch of verdictBatches.all(records, verdictsOf(runId)))
    await verdictBatches.delete(records, batch);
  await dropPartition(records, framesPartition(runId));
  await checkRequests.delete(records, { runId }); // last: until then it can be deleted again
}
