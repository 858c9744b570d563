import { type CallPorts, callWorkers } from '../leases/due.ts';
import { OFFBOARDINGS, offboardings } from './schema.ts';

/**
 * The time until the next pass, in milliseconds: longer than one takes, and than an answer in progress continues after
 * a revocation. An index that lags behind has what it lacked.
 */
export const AGAIN_MS = 60_000;

/** Runs every minute: has a worker continue the hand-overs and erasures in progress. */
export function sweepOffboardings(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: offboardings,
    partition: OFFBOARDINGS,
    againMs: AGAIN_MS,
    isOpen: ({ finishedAt }) => finishedAt === null,
    messageOf: ({ key }) => ({ runId: '', leaver: key }),
    failure: 'a hand-over or an erasure could not be swept',
    about: ({ key }) => ({ key }),
  });
}
