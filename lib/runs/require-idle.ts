import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../conversations/schema.ts';
import { Conflict } from '../errors.ts';
import { firstIdOf } from '../identifiers.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { isRunOver, runs } from './schema.ts';

/** In milliseconds. Readers get a run's last event shortly before its record says that it is over. */
const NEARLY_OVER_MS = 3000;
const LOOK_EVERY_MS = 50;
/** Milliseconds after which a run that its conversation names, but that doesn't exist, was never created. */
const UNBORN_MS = 10_000;

/**
 * Throws Conflict while a run works or waits in the conversation. A second run would repeat the work of the
 * first, and hide its approvals.
 */
export async function requireIdle(ports: TimedRecords, conversation: Conversation): Promise<void> {
  const deadline = performance.now() + NEARLY_OVER_MS;
  while (await isBusy(ports, conversation)) {
    if (performance.now() > deadline)
      throw new Conflict(
        'run_in_progress',
        'The agent still works or waits in this conversation. Send its run a message, stop it, or wait until it ends.',
      );
    await sleep(LOOK_EVERY_MS);
  }
}

async function isBusy({ records, clock }: TimedRecords, { runId }: Conversation): Promise<boolean> {
  if (runId === null) return false;
  const run = await runs.get(records, { id: runId });
  return run === undefined ? runId > firstIdOf(clock.now() - UNBORN_MS) : !isRunOver(run.status);
}
