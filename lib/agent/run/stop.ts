import { Conflict } from '../../errors.ts';
import { tellFollowers } from '../../run-events/frame-signal.ts';
import { lastFrame, openRecorder } from '../../run-events/record-frames.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import type { RunPorts } from '../ports.ts';
import { isRunOver, type Run, runs } from '../schema.ts';
import { claimRun, finishRun, type RunEnd } from './runs.ts';

/**
 * Stops a run. Its worker notices within a second; one that waits is over at once. Throws Conflict if it's over.
 */
export async function stopRun(ports: RunPorts, run: Run): Promise<Run> {
  if (isRunOver(run.status)) throw new Conflict('run_over', `This run is already over (${run.status}).`);
  const marked = await runs.update(ports.records, { id: run.id }, { set: { stopRequested: true } });
  tellFollowers(run.id);
  return marked.parked
    ? endSuspended(ports, marked, stoppedParts(), { status: 'stopped', error: null })
    : marked;
}

export function stoppedParts(): StreamPart[] {
  return [{ type: 'abort', reason: 'stopped' }];
}

/** Ends a run without a worker: claims it, so that no other does, and writes its last frames. */
export async function endSuspended(
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
