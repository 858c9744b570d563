import { randomUUID } from 'node:crypto';
import { log } from '../log.ts';
import { type Clock, expiryAfter, timestamp } from '../ports/clock.ts';
import { type FieldExpectation, ifExpected, type Records } from '../ports/records.ts';
import { writeWhenRoom } from '../queue/send-when-space.ts';
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
  /** How long a run may be silent before its worker counts as dead. */
  leaseMs?: number;
}

export type TaskRunEnd = Pick<TaskRun, 'error' | 'summary' | 'noteId'> & {
  status: 'success' | 'error' | 'skipped';
};

export const LEASE_MS = 60_000;
/** A run that no worker takes within so many lease periods gets another message. */
const PATIENCE = 5;
/** A run that kills its workers is given up. */
const MAX_ATTEMPTS = 3;
const DIED = 'The processes that worked on this run stopped before it was done.';

export function isTaskRunOver(status: TaskRun['status']): boolean {
  return status !== 'waiting' && status !== 'running';
}

function leaseEnd({ clock, leaseMs = LEASE_MS }: Omit<TaskRunPorts, 'records'>, times = 1): string {
  return timestamp(clock, times * leaseMs);
}

/** Returns a run that isn't stored yet, with a lease that starts now, owned by its creator if there is one. */
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
 * Claims a run for this process: a new one, a waiting one, or one whose worker died. Undefined if another process works on it,
 * or it is done: of several processes with the same message, one gets it.
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

/** A finished run is claimed as it is: only its task must still be notified. */
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

/** Every change of a run's record renews its lease. Undefined if the expectation didn't hold. */
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

/**
 * The outcome of claiming a task for a run: the task, which now belongs to the run; how the run ends instead; or that it has to
 * wait for the tick.
 */
export type TaskClaim = { task: StoredTask } | { end: TaskRunEnd } | 'later';

/** Makes the run the active one of its task. */
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

/**
 * Returns the run that holds the task, unless it is over, so that a process that died between the two steps doesn't block the
 * task.
 */
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

/** Returns a claimed run: it waits until the tick enqueues it. */
export async function postponeRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const set = { status: 'waiting' as const, startedAt: null, attempts: run.attempts - 1 };
  await change(ports, run, set, { owner: run.owner });
}

/** For callers that sent another message for a waiting run: the next one is due only later. */
export async function waitOn(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const { owner, leaseUntil, status } = run;
  await change(ports, run, { leaseUntil: leaseEnd(ports, PATIENCE) }, { owner, leaseUntil, status });
}

/** Releases a run whose parts continue by themselves: no process works on it until the tick brings it again. */
export async function parkTaskRun(
  ports: TaskRunPorts,
  run: TaskRun,
  counts: Partial<Pick<TaskRun, 'partsTotal' | 'partsDone' | 'partsFailed'>>,
): Promise<void> {
  const set = { ...counts, attempts: 1, leaseUntil: leaseEnd(ports, PATIENCE) };
  await change(ports, run, set, { owner: run.owner, status: 'running' });
}

/** Releases a run whose work continues elsewhere: the tick brings it again, although no process died. */
export async function leaveRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  await change(ports, run, { attempts: 0 }, { owner: run.owner, status: 'running' });
}

/** Adds the result of a part; this is also a heartbeat of the run. Undefined if it is over. */
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

/** Sends a heartbeat. False if the run now belongs to another process. */
export async function renewTaskLease(ports: TaskRunPorts, run: TaskRun): Promise<boolean> {
  return (await change(ports, run, {}, { owner: run.owner, status: 'running' })) !== undefined;
}

/** Ends a run, once; does nothing if it now belongs to another process. */
export async function endRun(
  ports: TaskRunPorts,
  run: TaskRun,
  end: TaskRunEnd & Partial<TaskRun>,
): Promise<void> {
  const set = { ...end, finishedAt: timestamp(ports.clock) };
  const ended = await writeWhenRoom(() => change(ports, run, set, { owner: run.owner, status: 'running' }));
  if (ended === undefined) return log.warn('a run was left to another process', { runId: run.id });
  await writeWhenRoom(() => settleRun(ports, ended));
}

/** Tells the task how its run ended. The lease is released last: until then, any process that finds it expired repeats this. */
export async function settleRun(ports: TaskRunPorts, run: TaskRun): Promise<void> {
  const { taskId, id, status, error } = run;
  const set = { activeRunId: null, lastRunStatus: status, lastRunError: error };
  await ifExpected(tasks.update(ports.records, { id: taskId }, { set }, { activeRunId: id }));
  await change(ports, run, { leaseUntil: null }, { owner: run.owner });
}
