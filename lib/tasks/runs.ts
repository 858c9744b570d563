import { randomUUID } from 'node:crypto';
import { log } from '../log.ts';
import { type Clock, expiryAfter, timestamp } from '../ports/clock.ts';
import { type FieldExpectation, ifExpected, type Records } from '../ports/records.ts';
import {
  KEEP_TASK_RUN_SECONDS,
  leasePlace,
  type StoredTask,
  type TaskMessage,
  type TaskRun,
  taskRuns,
  tasks,
} from './schema.ts';

export interface TaskRunPorts {
  records: Records;
  clock: Clock;
  /** How long a run may be silent until its worker is taken for dead. */
  leaseMs?: number;
}

export type TaskRunEnd = Pick<TaskRun, 'error' | 'summary' | 'noteId'> & {
  status: 'success' | 'error' | 'skipped';
};

export const LEASE_MS = 60_000;
/** A run that nobody takes up in so many times as long gets another message. */
const PATIENCE = 5;
/** A run that its workers do not survive is given up. */
const MAX_ATTEMPTS = 3;
const DIED = 'The processes that worked on this run stopped before it was done.';

export function isTaskRunOver(status: TaskRun['status']): boolean {
  return status !== 'waiting' && status !== 'running';
}

function leaseEnd({ clock, leaseMs = LEASE_MS }: Omit<TaskRunPorts, 'records'>, times = 1): string {
  return timestamp(clock, times * leaseMs);
}

/** A run that is not stored yet: its maker's, or nobody's yet, with a lease that begins now. */
export function newRun(
  ports: Omit<TaskRunPorts, 'records'>,
  { taskId, runId, trigger, scheduledFor }: TaskMessage,
  status: 'waiting' | 'running',
): TaskRun {
  return {
    id: runId,
    taskId,
    trigger,
    scheduledFor,
    status,
    startedAt: status === 'running' ? timestamp(ports.clock) : null,
    finishedAt: null,
    error: null,
    summary: null,
    noteId: null,
    attempts: status === 'running' ? 1 : 0,
    partsTotal: null,
    partsDone: 0,
    partsFailed: 0,
    owner: randomUUID(),
    leaseUntil: leaseEnd(ports, status === 'running' ? 1 : PATIENCE),
    expiresAt: expiryAfter(ports.clock, KEEP_TASK_RUN_SECONDS),
  };
}

/**
 * Takes a run for this process: a new one, one that waits, or one whose worker died. Undefined when another works on it, or
 * it is done: of several with the same message one gets it.
 */
export async function claimTaskRun(ports: TaskRunPorts, message: TaskMessage): Promise<TaskRun | undefined> {
  const run = newRun(ports, message, 'running');
  if (await taskRuns.create(ports.records, run)) return run;
  const there = await taskRuns.get(ports.records, run);
  if (there === undefined || there.leaseUntil === null) return undefined;
  if (there.status !== 'waiting' && isAlive(there, ports.clock)) return undefined;
  return takeOver(ports, there);
}

function isAlive({ leaseUntil }: TaskRun, clock: Clock): boolean {
  return leaseUntil !== null && Date.parse(leaseUntil) > clock.now();
}

/** One that is over is taken as it is: only the word to its task is missing. */
async function takeOver(ports: TaskRunPorts, run: TaskRun): Promise<TaskRun | undefined> {
  const { owner, leaseUntil, status, attempts } = run;
  const started = run.startedAt ?? timestamp(ports.clock);
  const again = isTaskRunOver(status)
    ? {}
    : { status: 'running' as const, startedAt: started, attempts: attempts + 1 };
  const taken = await change(ports, run, { ...again, owner: randomUUID() }, { owner, leaseUntil, status });
  if (taken !== undefined && taken.attempts > 1) log.warn('a run was taken over', { runId: run.id });
  return taken;
}

/** Every change of a run's record gives it a new lease. Undefined when the expectation did not hold. */
async function change(
  ports: TaskRunPorts,
  run: TaskRun,
  set: Partial<TaskRun>,
  expect: FieldExpectation,
): Promise<TaskRun | undefined> {
  const leaseUntil = set.leaseUntil === undefined ? leaseEnd(ports) : set.leaseUntil;
  const index = leasePlace({ id: run.id, leaseUntil }) ?? null;
  return ifExpected(taskRuns.update(ports.records, run, { set: { ...set, leaseUntil }, index }, expect));
}

/** What a claimed run finds: its task, which is now its own; or how it ends instead; or that it has to wait for the tick. */
export type TaskClaim = { task: StoredTask } | { end: TaskRunEnd } | 'later';

/** The run becomes the one that its task runs. */
export async function claimTask(ports: TaskRunPorts, run: TaskRun): Promise<TaskClaim> {
  const task = await tasks.get(ports.records, { id: run.taskId });
  if (task === undefined) return { end: failedEnd('The task was deleted.') };
  if (run.attempts > MAX_ATTEMPTS) return { end: failedEnd(DIED) };
  if (!task.isEnabled && run.trigger === 'schedule') return { end: skipped('The task was disabled.') };
  const before = await otherRun(ports.records, task, run);
  if (before !== undefined && !isAlive(before, ports.clock)) return 'later'; // the tick brings both, the dead one first
  if (before !== undefined) return { end: skipped('The previous run was still in progress.') };
  const set = {
    activeRunId: run.id,
    lastRunAt: run.startedAt,
    lastRunStatus: 'running' as const,
    lastRunError: null,
  };
  const { activeRunId } = task;
  const taken = await ifExpected(tasks.update(ports.records, task, { set }, { activeRunId }));
  return taken === undefined ? claimTask(ports, run) : { task: taken };
}

/** The run that its task is held by, unless it is over: whose process ended between the two is in nobody's way. */
async function otherRun(
  records: Records,
  { id, activeRunId }: StoredTask,
  run: TaskRun,
): Promise<TaskRun | undefined> {
  if (activeRunId === null || activeRunId === run.id) return undefined;
  const other = await taskRuns.get(records, { taskId: id, id: activeRunId });
  return other !== undefined && isTaskRunOver(other.status) ? undefined : other;
}

export function failedEnd(error: string): TaskRunEnd {
  return { status: 'error', error, summary: null, noteId: null };
}

export function skipped(summary: string): TaskRunEnd {
  return { status: 'skipped', error: null, summary, noteId: null };
}

/** Gives a claimed run back: it waits until the tick sends for it. */
export async function postponeRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const set = { status: 'waiting' as const, startedAt: null, attempts: run.attempts - 1 };
  await change(ports, run, set, { owner: run.owner });
}

/** For who has sent another message for a run that waits: the next is due only later. */
export async function waitOn(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const { owner, leaseUntil, status } = run;
  await change(ports, run, { leaseUntil: leaseEnd(ports, PATIENCE) }, { owner, leaseUntil, status });
}

/** Lets go of a run whose parts go on by themselves: nobody works on it until the tick brings it again. */
export async function parkTaskRun(
  ports: TaskRunPorts,
  run: TaskRun,
  counts: Partial<Pick<TaskRun, 'partsTotal' | 'partsDone' | 'partsFailed'>>,
): Promise<void> {
  const set = { ...counts, attempts: 1, leaseUntil: leaseEnd(ports, PATIENCE) };
  await change(ports, run, set, { owner: run.owner, status: 'running' });
}

/** Lets go of a run whose work goes on elsewhere: the tick brings it again, and nobody died meanwhile. */
export async function leaveRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  await change(ports, run, { attempts: 0 }, { owner: run.owner, status: 'running' });
}

/** What a part came to; with it the run shows a sign of life. Undefined when it is over. */
export function addToRun(
  ports: TaskRunPorts,
  run: TaskRun,
  add: { partsDone: number; partsFailed: number },
): Promise<TaskRun | undefined> {
  const leaseUntil = leaseEnd(ports, PATIENCE);
  const index = leasePlace({ id: run.id, leaseUntil }) ?? null;
  return ifExpected(
    taskRuns.update(ports.records, run, { add, set: { leaseUntil }, index }, { status: 'running' }),
  );
}

/** A sign of life. False when the run is another's now. */
export async function renewTaskLease(ports: TaskRunPorts, run: TaskRun): Promise<boolean> {
  return (await change(ports, run, {}, { owner: run.owner, status: 'running' })) !== undefined;
}

/** The last word on a run, once; nothing when it is another's by now. */
export async function endRun(
  ports: TaskRunPorts,
  run: TaskRun,
  end: TaskRunEnd & Partial<TaskRun>,
): Promise<void> {
  const set = { ...end, finishedAt: timestamp(ports.clock) };
  const ended = await change(ports, run, set, { owner: run.owner, status: 'running' });
  if (ended === undefined) return log.warn('a run was left to another process', { runId: run.id });
  await settleRun(ports, ended);
}

/** Tells the task how its run ended. The lease goes last: until then whoever finds it lapsed does the same again. */
export async function settleRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const { taskId, id, status, error } = run;
  const set = { activeRunId: null, lastRunStatus: status, lastRunError: error };
  await ifExpected(tasks.update(ports.records, { id: taskId }, { set }, { activeRunId: id }));
  await change(ports, run, { leaseUntil: null }, { owner: run.owner });
}
