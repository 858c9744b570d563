import { isRunOver } from '../agent/schema.ts';
import { Conflict } from '../errors.ts';
import { steps, stepsOf } from '../research/run-records.ts';
import type { FoundCheck } from './find-check.ts';
import { dropDraft } from './kept-drafts.ts';
import type { BeginCheckPorts } from './ports.ts';
import { checkRequests, verdictBatches, verdictsOf } from './run-records.ts';

/** Deletes a check that is over, with its draft, its verdicts, and what the judge answered; its run stays listed. Throws Conflict. */
export async function deleteCheck(ports: BeginCheckPorts, { run }: FoundCheck): Promise<void> {
  const { records } = ports;
  if (!isRunOver(run.status))
    throw new Conflict('draft_check_not_ready', 'The draft is still being checked. Stop the run first.');
  await dropDraft(ports, run.caller.id, run.id);
  for await (const step of steps.all(records, stepsOf(run.id))) await steps.delete(records, step);
  for await (const batch of verdictBatches.all(records, verdictsOf(run.id)))
    await verdictBatches.delete(records, batch);
  await checkRequests.delete(records, { runId: run.id }); // last: until then it can be deleted again
}
