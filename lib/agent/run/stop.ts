import { Conflict } from '../../errors.ts';
import { tellFollowers } from '../../frames/frame-signal.ts';
import { lastFrame, openRecorder } from '../../frames/record-frames.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import type { RunPorts } from '../ports.ts';
import { isOver, type Run, runs } from '../schema.ts';
import { leaveLease } from './leases.ts';
import { changeRun, claimRun, finishRun, type RunEnd } from './runs.ts';

/**
 * Stops a run. Whoever works on it notices within a second; one that waits is over at once. Throws Conflict when it is over.
 */
export async function stopRun(ports: RunPorts, run: Run): Promise<Run> {
  if (isOver(run.status)) throw new Conflict(`the run is ${run.status}`);
  const marked = await runs.update(ports.records, { id: run.id }, { set: { stopRequested: true } });
  tellFollowers(run.id);
  return marked.parked
    ? endParked(ports, marked, stoppedParts(), { status: 'stopped', error: null })
    : marked;
}

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
  // A stop that came before was left to us.
  if (parked?.stopRequested)
    await endParked(ports, parked, stoppedParts(), { status: 'stopped', error: null });
  tellFollowers(run.id);
}

export function stoppedParts(): StreamPart[] {
  return [{ type: 'abort', reason: 'stopped' }];
}

/** Ends a run on which nobody works: takes it over, so that no one else does, and writes its last frames. */
export async function endParked(
  ports: RunPorts,
  run: Run,
  parts: StreamPart[],
  end: Pick<RunEnd, 'status' | 'error'>,
): Promise<Run> {
  const claimed = run.parked ? await claimRun(ports, run) : run;
  if (claimed === undefined) return (await runs.get(ports.records, { id: run.id })) ?? run;
  const recorder = openRecorder(ports, run.id, await lastFrame(ports.records, run.id));
  for (const part of parts) recorder.write(part);
  await recorder.flush();
  await finishRun(ports, claimed, { ...end, steps: run.steps });
  return (await runs.get(ports.records, { id: run.id })) ?? claimed;
}
