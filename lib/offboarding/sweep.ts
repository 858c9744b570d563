import { forEachDue } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { OFFBOARDINGS, type Offboarding, offboardings } from './schema.ts';

/** Ports for requests, which a worker carries out. */
export interface OffboardingPorts extends TimedRecords {
  agentQueue: Queue;
}

/**
 * The time until the next pass, in milliseconds: longer than one takes, and than an answer in progress continues after
 * a revocation. An index that lags behind has what it lacked.
 */
export const AGAIN_MS = 60_000;

/** Runs every minute: has a worker continue the hand-overs and erasures in progress. */
export async function sweepOffboardings({ records, clock, agentQueue }: OffboardingPorts): Promise<void> {
  const due = {
    collection: offboardings,
    query: { partition: OFFBOARDINGS, to: timestamp(clock) },
    isDue: ({ until, finishedAt }: Offboarding) => finishedAt === null && until <= timestamp(clock),
    failure: 'a hand-over or an erasure could not be swept',
    about: ({ key }: Offboarding) => ({ key }),
  };
  await forEachDue(records, due, async (_, readAgain) => {
    const found = await readAgain();
    if (found === undefined) return;
    const until = timestamp(clock, AGAIN_MS);
    await offboardings.patch(records, found, { until }, { until: found.until });
    await agentQueue.send([{ body: { runId: '', leaver: found.key } }]);
  });
}
