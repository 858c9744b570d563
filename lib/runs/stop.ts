import type { StreamPart } from '../api-contract/stream-part.ts';
import { Conflict } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { failOvertaken, whileOvertaken } from '../records/change.ts';
import { tellFollowers } from '../run-events/frame-signal.ts';
import { lastFrame, openRecorder } from '../run-events/record-frames.ts';
import { announceWaiting } from './announce-run.ts';
import { openApprovals } from './approvals.ts';
import { leaveLease } from './lease.ts';
import type { RunPorts } from './ports.ts';
import { changeRun, claimRun, finishRun, type RunCounts, type RunEnd, readRun } from './runs.ts';
import { isRunOver, type Run, runs, stoppedCallsOf } from './schema.ts';

/**
 * Stops a run. Its worker notices within a second; a waiting run ends at once. Throws Conflict if the run has
 * already ended.
 */
export async function stopRun(ports: RunPorts, run: Run): Promise<Run> {
  if (isRunOver(run.status)) throw new Conflict('run_over', `This run is already over (${run.status}).`);
  const marked = await runs.update(ports.records, { id: run.id }, { set: { stopRequested: true } });
  tellFollowers(run.id);
  return marked.parked
    ? endSuspended(ports, marked, stoppedParts(), { status: 'stopped', error: null })
    : marked;
}

/** The number of stopped calls that a run remembers, which is more than a step has. */
const MAX_STOPPED = 50;

/**
 * Stops a running call of a run. The run continues with the next step. Its worker notices within a second.
 * Nothing happens if the call isn't running: otherwise, a call that waits for an approval would be stopped
 * when a person approves it later. Throws Conflict if the run is over.
 */
export async function stopCall(ports: TimedRecords, { id }: Run, toolCallId: string): Promise<Run> {
  const { records } = ports;
  return whileOvertaken(async () => {
    const now = await readRun(records, id);
    if (isRunOver(now.status)) throw new Conflict('run_over', `This run is already over (${now.status}).`);
    const asked = await openApprovals(ports, id);
    if (asked.some((approval) => approval.toolCallId === toolCallId)) return now;
    const ids = [...stoppedCallsOf(now), toolCallId].slice(-MAX_STOPPED);
    const set = { stoppedCalls: JSON.stringify(ids) };
    return changeRun(records, id, set, { stoppedCalls: now.stoppedCalls });
  }, failOvertaken);
}

/**
 * Suspends a run until an answer, or until another process continues it. Its lease stays short, so that the scheduler
 * tick finds a run whose process dies between the two writes. The tick moves the lease to the time of the run's next
 * check.
 */
export async function suspendRun(
  ports: RunPorts,
  run: Run,
  { waiting, ...counts }: { waiting: boolean } & RunCounts,
): Promise<void> {
  await leaveLease(ports, run.id);
  const status = waiting ? ('waiting' as const) : ('running' as const);
  const set = { parked: true, status, ...counts };
  const parked = await changeRun(ports.records, run.id, set, { owner: run.owner });
  // A stop was requested before the suspension.
  if (parked?.stopRequested)
    await endSuspended(ports, parked, stoppedParts(), { status: 'stopped', error: null });
  tellFollowers(run.id);
  // If this process dies first, the scheduler tick announces it.
  if (parked?.status === 'waiting' && !parked.stopRequested) await announceWaiting(ports, parked);
}

export function stoppedParts(): StreamPart[] {
  return [{ type: 'abort', reason: 'stopped' }];
}

/**
 * Ends a run that has no worker. Claims the run, so that no other process does, and writes its last events.
 */
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
