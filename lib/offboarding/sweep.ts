import { type CallPorts, callWorkers } from '../leases/due.ts';
import { OFFBOARDINGS, offboardings } from './schema.ts';

/**
 * Milliseconds until the next pass: longer than a pass takes, and longer than an answer in progress continues
 * after a revocation. By then, a lagging index contains everything.
 */
export const AGAIN_MS = 60_000;

/** Runs every minute: calls a worker to continue the handovers and erasures in progress. */
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
