import type { StreamPart } from '../api-contract/stream-part.ts';
import type { ErrorCode } from '../error-codes.ts';
import { type ErrorDetails, errorDetails, errorText, knownError } from '../known-error.ts';
import type { Held } from '../leases/hold.ts';
import { log } from '../log.ts';
import { MODEL_ERRORS } from '../ports/language-model.ts';
import { FramesTaken, lastFrame, openRecorder, type Recorder } from '../run-events/record-frames.ts';
import { failureParts, STREAM_ERRORS } from '../ui-messages/error-parts.ts';
import { WORKSPACE_ERRORS } from '../workspaces/access.ts';
import { callAgentWorker, openApprovals } from './approvals.ts';
import { holdRunLease, RunStopped, RunTimeUp } from './lease.ts';
import type { RunPorts } from './ports.ts';
import { finishRun, type RunCounts, type RunEnd } from './runs.ts';
import type { Run } from './schema.ts';
import { stoppedParts, suspendRun } from './stop.ts';

/** The error codes with which the stream of an agent or research run may end. */
export const RUN_STREAM_ERRORS = [
  ...MODEL_ERRORS,
  ...STREAM_ERRORS,
  ...WORKSPACE_ERRORS,
  'approval_expired',
  'conversation_not_found',
  'note_too_large',
  'plan_denied',
  'report_budget_used_up',
  'report_not_found',
  'rights_lost',
  'run_ended',
  'run_interrupted',
  'run_timeout',
] as const satisfies ErrorCode[];

/** A run's work, from its current step to its end or its next stop. */
export interface RunWork {
  run: Run;
  /** Milliseconds for which this process may work on the run. */
  timeLeftMs: number;
  /** Returns the number of model calls so far. */
  steps(): number;
  /** Returns the number of failed tool calls so far. Absent for runs without tools. */
  failedCalls?(): number;
  /** Stops these calls if they are running. Absent for runs without tools. */
  stopCalls?(toolCallIds: string[]): void;
  /** Yields every event in order. An exception ends the run. */
  parts(lease: Held): AsyncGenerator<StreamPart, WorkOutcome>;
  /** Stores the data with which the next worker continues. */
  keep(): Promise<void>;
  /** Called when the run has ended, so that no worker continues it. */
  forget(): Promise<void>;
  /** Stores the counts of changes so far. Never throws. */
  storeChangeCounts?(): Promise<void>;
  /** Starts the follow-up work of a run that succeeded. */
  follow?(): void;
}

export type WorkOutcome =
  /** `finish` is the run's last event; absent if a process sent it before it died. */
  | { kind: 'finished'; finish?: Extract<StreamPart, { type: 'finish' }> | undefined }
  /** The run waits for a person's answer, or continues in another process. */
  | { kind: 'parked'; waiting: boolean };

/** Milliseconds for the last events and the record. Followers in the same function are notified in time. */
const RESERVE_MS = 30_000;

/**
 * Works on a run until it ends or waits for something, and leaves a correct record. Never throws, because any
 * failure ends the run.
 */
export async function workOnRun(ports: RunPorts, work: RunWork): Promise<void> {
  const { run } = work;
  const lease = holdRunLease(ports, run, work.timeLeftMs - RESERVE_MS, work);
  try {
    const recorder = openRecorder(ports, run.id, await lastFrame(ports.records, run.id));
    try {
      await lease.ready;
      if (run.stopRequested) throw new RunStopped(true);
      const outcome = await record(recorder, lease, work.parts(lease));
      await settle(ports, work, recorder, { outcome, lease });
    } catch (error) {
      await endBadly(ports, work, recorder, lease.signal.aborted ? lease.signal.reason : error);
    }
  } catch (error) {
    log.error('a run could not be worked on', { runId: run.id }, error);
  } finally {
    lease.abort(new RunStopped(false)); // work may still be running after the run was taken over
  }
}

async function record<Result>(
  recorder: Recorder,
  lease: Held,
  parts: AsyncGenerator<StreamPart, Result>,
): Promise<Result> {
  for (;;) {
    const { done, value } = await parts.next();
    if (done) return value;
    try {
      lease.requireHeld();
      recorder.write(value);
    } catch (error) {
      await parts.throw(error); // releases the model's stream
      throw error;
    }
  }
}

async function settle(
  ports: RunPorts,
  work: RunWork,
  recorder: Recorder,
  { outcome, lease }: { outcome: WorkOutcome; lease: Held },
): Promise<void> {
  const { run } = work;
  if (outcome.kind === 'parked') return park(ports, work, recorder, { waiting: outcome.waiting, lease });
  lease.requireHeld();
  if (outcome.finish !== undefined) recorder.write(outcome.finish);
  await recorder.flush();
  await end(ports, work, { status: 'done', error: null, ...countsOf(work) });
  work.follow?.();
  log.info('a run is done', { runId: run.id, steps: work.steps() });
}

/**
 * First stores the data with which the next worker continues. Checks approvals last, because an answer may
 * arrive at any time.
 */
async function park(
  ports: RunPorts,
  work: RunWork,
  recorder: Recorder,
  { waiting, lease }: { waiting: boolean; lease: Held },
): Promise<void> {
  const { run } = work;
  await recorder.flush();
  await work.keep();
  lease.requireHeld();
  lease.stop();
  await suspendRun(ports, run, { waiting, ...countsOf(work) });
  await work.storeChangeCounts?.();
  try {
    if ((await openApprovals(ports, run.id)).length === 0) await callAgentWorker(ports, run.id);
  } catch (error) {
    // This worker no longer owns the run, so it must not end it. The scheduler tick calls another worker.
    log.warn('failed to report a suspended run', { runId: run.id, reason: String(error) });
  }
}

type Ending = Pick<RunWork, 'run' | 'steps' | 'failedCalls' | 'forget' | 'storeChangeCounts'>;

function countsOf({ steps, failedCalls }: Pick<RunWork, 'steps' | 'failedCalls'>): RunCounts {
  return { steps: steps(), ...(failedCalls && { failedCalls: failedCalls() }) };
}

/** Ends a run that was taken over but can't be worked on. */
export async function failRun(ports: RunPorts, work: Ending, error: unknown): Promise<void> {
  const recorder = openRecorder(ports, work.run.id, await lastFrame(ports.records, work.run.id));
  await endBadly(ports, work, recorder, error);
}

/**
 * Writes the last events, which contain the reason. If this fails too, the scheduler tick finds the run dead.
 */
async function endBadly(ports: RunPorts, work: Ending, recorder: Recorder, error: unknown): Promise<void> {
  const { run } = work;
  if (error instanceof FramesTaken || (error instanceof RunStopped && !error.byPerson)) {
    log.warn('a run was left to another process', { runId: run.id });
    return;
  }
  const { parts, ...fields } = badEnd(run, error);
  try {
    for (const part of parts) recorder.write(part);
    await recorder.flush();
    await end(ports, work, { ...fields, ...countsOf(work) });
  } catch (failure) {
    log.error('the end of a run could not be kept', { runId: run.id }, failure);
  }
}

function badEnd(run: Run, error: unknown): Omit<RunEnd, keyof RunCounts> & { parts: StreamPart[] } {
  if (error instanceof RunStopped) return { parts: stoppedParts(), status: 'stopped', error: null };
  const text = describe(error);
  if (knownError(error) === undefined && !(error instanceof RunTimeUp))
    log.error('the work on a run failed', { runId: run.id }, error);
  return { parts: failureParts(text, detailsOf(error)), status: 'failed', error: text };
}

function describe(error: unknown): string {
  if (error instanceof RunTimeUp) return 'The run took longer than allowed.';
  return errorText(error);
}

function detailsOf(error: unknown): ErrorDetails {
  return error instanceof RunTimeUp ? { code: 'run_timeout' } : errorDetails(error);
}

async function end(
  ports: RunPorts,
  { run, forget, storeChangeCounts }: Ending,
  fields: RunEnd,
): Promise<void> {
  await finishRun(ports, run, fields);
  await forget();
  await storeChangeCounts?.();
}
