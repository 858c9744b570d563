import { tellFollowers } from '../../run-events/frame-signal.ts';
import type { RunPorts } from '../ports.ts';
import type { Run } from '../schema.ts';
import { leaveLease } from './leases.ts';
import { changeRun } from './runs.ts';
import { endParked, stoppedParts } from './stop.ts';

/**
 * Leaves a run to an answer, or to another process. Its lease stays short: the tick, which finds it parked, moves it to
 * when it has to be looked at again. A long one would hide a run whose process ends between the two writes.
 */
export async function parkRun(
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
    await endParked(ports, parked, stoppedParts(), { status: 'stopped', error: null });
  tellFollowers(run.id);
}
