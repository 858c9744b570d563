import { tellFollowers } from '../../run-events/frame-signal.ts';
import type { RunPorts } from '../ports.ts';
import type { Run } from '../schema.ts';
import { leaveLease } from './leases.ts';
import { changeRun } from './runs.ts';
import { endSuspended, stoppedParts } from './stop.ts';

/**
 * Suspends a run until an answer, or until another process continues it. Its lease stays short: the tick, which finds it
 * suspended, moves it to the next time when it must be checked. A long one would hide a run whose process ends between the two
 * writes.
 */
export async function suspendRun(
  ports: RunPorts,
  run: Run,
  { waiting, steps }: { waiting: boolean; steps: number },
): Promise<void> {
  await leaveLease(ports, run.id);
  const status = waiting ? ('waiting' as const) : ('running' as const);
  const parked = await changeRun(
    ports.records,
    run.id,
    { parked: true, status, steps },
    { owner: run.owner },
  );
  // A stop that came before this was left to us.
  if (parked?.stopRequested)
    await endSuspended(ports, parked, stoppedParts(), { status: 'stopped', error: null });
  tellFollowers(run.id);
}
