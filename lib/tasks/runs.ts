import type { Held } from '../leases/hold.ts';
import { log } from '../log.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { writeWhenRoom } from '../queue/send-when-space.ts';
import { report } from '../telemetry/events.ts';
import { announceEvent } from '../webhooks/announce.ts';
import {
  KEEP_TASK_RUN_SECONDS,
  leasePlace,
  type StoredTask,
  type TaskMessage,
  type TaskRun,
  taskRuns,
  tasks,
} from './schema.ts';
import { isOver, type WorkPorts, workItems } from './work-items.ts';

export type TaskRunEnd = Pick<TaskRun, 'error' | 'summary' | 'noteId'> & {
  status: 'success' | 'error' | 'skipped';
};

/** Maximum attempts, after which a run that kills its workers is dropped. */
const MAX_ATTEMPTS = 3;
const DIED = 'The processes that worked on this run stopped before it was done.';

const runItems = workItems(taskRuns, 5);

/** Returns a new run that waits for its message. Doesn't store it. */
export function newRun(
  ports: Omit<WorkPorts, 'records'>,
  { taskId, runId, trigger, scheduledFor }: TaskMessage,
): TaskRun {
  return {
    id: runId,
    taskId,
    trigger,
    scheduledFor,
    startedAt: null,
    finishedAt: null,
    error: null,
    summary: null,
    noteId: null,
    partsTotal: null,
    partsDone: 0,
    partsFailed: 0,
    ...runItems.waiting(ports),
    expiresAt: expiryAfter(ports.clock, KEEP_TASK_RUN_SECONDS),
  };
}

/**
 * Claims a run for this process: a new one, a waiting one, or one whose worker died. Undefined if another
 * process works on it, or it's done. Of several processes with the same message, only one claims it.
 */
export async function claimTaskRun(ports: WorkPorts, message: TaskMessage): Promise<TaskRun | undefined> {
  const startedAt = timestamp(ports.clock);
  const started = {
    status: 'running' as const,
    startedAt,
    attempts: 1,
    leaseUntil: runItems.leaseEnd(ports),
  };
  const run = { ...newRun(ports, message), ...started };
  if (await taskRuns.create(ports.records, run)) return run;
  const there = await taskRuns.get(ports.records, run);
  if (there === undefined || there.leaseUntil === null) return undefined;
  if (there.status !== 'waiting' && !runItems.isLapsed(there, ports.clock)) return undefined;
  return takeOver(ports, there);
}

/** Claims a run. A finished run is claimed unchanged, because only its task still has to be notified. */
async function takeOver(ports: WorkPorts, run: TaskRun): Promise<TaskRun | undefined> {
  const startedAt = run.startedAt ?? timestamp(ports.clock);
  const again = { status: 'running' as const, startedAt, attempts: run.attempts + 1 };
  const taken = await runItems.claim(ports, run, isOver(run) ? {} : again);
  if (taken !== undefined && taken.attempts > 1) log.warn('a run was taken over', { runId: run.id });
  return taken;
}

/**
 * The outcome of claiming a task for a run: the claimed task, how the run ends instead, or that it must wait
 * for the tick.
 */
export type TaskClaim = { task: StoredTask } | { end: TaskRunEnd } | 'later';

/** Makes the run the active one of its task. */
export async function claimTask(ports: WorkPorts, run: TaskRun): Promise<TaskClaim> {
  const task = await tasks.get(ports.records, { id: run.taskId });
  if (task === undefined) return { end: failedEnd('The task was deleted.') };
  if (run.attempts > MAX_ATTEMPTS) return { end: failedEnd(DIED) };
  if (!task.isEnabled && run.trigger === 'schedule') return { end: skipped('The task was disabled.') };
  const before = await otherRun(ports.records, task, run);
  // The tick recovers both, the dead one first.
  if (before !== undefined && runItems.isLapsed(before, ports.clock)) return 'later';
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
 * Returns the run that has claimed the task, unless that run has ended. So a process that died between the
 * two steps doesn't block the task.
 */
async function otherRun(
  records: Records,
  { id, activeRunId }: StoredTask,
  run: TaskRun,
): Promise<TaskRun | undefined> {
  if (activeRunId === null || activeRunId === run.id) return undefined;
  const other = await taskRuns.get(records, { taskId: id, id: activeRunId });
  return other !== undefined && isOver(other) ? undefined : other;
}

export function failedEnd(error: string): TaskRunEnd {
  return { status: 'error', error, summary: null, noteId: null };
}

export function skipped(summary: string): TaskRunEnd {
  return { status: 'skipped', error: null, summary, noteId: null };
}

/** Undoes the claim of a run. The run then waits until the tick enqueues it. */
export async function postponeRun(ports: WorkPorts, run: TaskRun): Promise<void> {
  await runItems.change(ports, run, { status: 'waiting', startedAt: null, attempts: run.attempts - 1 });
}

/** Extends a waiting run's lease, for callers that sent another message for it. */
export async function waitOn(ports: WorkPorts, run: TaskRun): Promise<void> {
  const { leaseUntil, status } = run;
  await runItems.change(ports, run, {}, { waits: true, leaseUntil, status });
}

/**
 * Releases a run whose parts continue on their own. No process works on it until the tick enqueues it again.
 */
export async function parkTaskRun(
  ports: WorkPorts,
  run: TaskRun,
  counts: Partial<Pick<TaskRun, 'partsTotal' | 'partsDone' | 'partsFailed'>>,
): Promise<void> {
  await runItems.change(ports, run, { ...counts, attempts: 1 }, { waits: true, status: 'running' });
}

/** Releases a run whose work continues elsewhere. The tick enqueues it again, although no process died. */
export async function leaveRun(ports: WorkPorts, run: TaskRun): Promise<void> {
  await runItems.change(ports, run, { attempts: 0 }, { status: 'running' });
}

/** Adds the result of a part, which is also a heartbeat of the run. Undefined if the run is over. */
export function addToRun(
  ports: WorkPorts,
  { taskId, id }: TaskRun,
  add: { partsDone: number; partsFailed: number },
): Promise<TaskRun | undefined> {
  const leaseUntil = runItems.leaseEnd(ports, true);
  const change = { add, set: { leaseUntil }, index: leasePlace({ id, leaseUntil }) ?? null };
  return ifExpected(taskRuns.update(ports.records, { taskId, id }, change, { status: 'running' }));
}

export function holdRun(ports: WorkPorts, run: TaskRun, timeLeftMs: number): Held {
  return runItems.hold(ports, run, timeLeftMs);
}

/** Ends a run, once. Does nothing if the run now belongs to another process. */
export async function endRun(
  ports: WorkPorts,
  run: TaskRun,
  end: TaskRunEnd & Partial<TaskRun>,
): Promise<void> {
  const set = { ...end, finishedAt: timestamp(ports.clock) };
  const ended = await writeWhenRoom(() => runItems.change(ports, run, set, { status: 'running' }));
  if (ended === undefined) return log.warn('a run was left to another process', { runId: run.id });
  if (end.status === 'error') await reportFailure(ports, ended);
  await writeWhenRoom(() => settleRun(ports, ended));
}

/** Reports a failure, because no one watches a task while it runs. */
async function reportFailure({ records }: WorkPorts, { taskId, id, error }: TaskRun): Promise<void> {
  const task = await tasks.get(records, { id: taskId });
  const { taskType, workspaceId } = task ?? {};
  report('task_failed', 'a task failed', { taskId, runId: id, taskType, workspaceId, reason: error });
}

/** Tells webhooks that a run failed. Idempotent; false if it has to be repeated. */
async function announceFailure(ports: WorkPorts, { taskId, id, finishedAt }: TaskRun): Promise<boolean> {
  const task = await tasks.get(ports.records, { id: taskId });
  if (task === undefined || finishedAt === null) return true;
  const { workspaceId, taskType, name: title } = task;
  const path = workspaceId === null ? null : `/w/${workspaceId}/tasks/${taskId}`;
  const data = { taskId, runId: id, workspaceId, taskType, title, path };
  return announceEvent(ports, { type: 'task.failed', name: id, at: Date.parse(finishedAt), data });
}

/**
 * Notifies the task of its run's outcome. The lease is released last; until then, any process that finds it
 * expired repeats this.
 */
export async function settleRun(ports: WorkPorts, run: TaskRun): Promise<void> {
  const { taskId, id, status, error } = run;
  if (status === 'error' && !(await announceFailure(ports, run))) return;
  const set = { activeRunId: null, lastRunStatus: status, lastRunError: error };
  await ifExpected(tasks.update(ports.records, { id: taskId }, { set }, { activeRunId: id }));
  await runItems.change(ports, run, { leaseUntil: null });
}
