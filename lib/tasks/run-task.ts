import { errorText, knownError } from '../known-error.ts';
import { type Held, LeaseLost } from '../leases/hold.ts';
import { log } from '../log.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf, requireApart } from '../workspaces/access.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { stopTask } from './owner.ts';
import { claimPart, endPart, holdPart, type TaskPart, type TaskPorts } from './parts.ts';
import {
  claimTask,
  claimTaskRun,
  endRun,
  failedEnd,
  holdRun,
  leaveRun,
  postponeRun,
  settleRun,
  skipped,
  type TaskRunEnd,
} from './runs.ts';
import { type StoredTask, type TaskMessage, type TaskRun, type TaskType, taskRuns, tasks } from './schema.ts';
import { countPart, MAX_ATTEMPTS_OF_PART, spreadRun } from './spread-run.ts';
import { isOver, RESERVE_MS, RunFailed } from './work-items.ts';

export interface RunnerContext {
  task: StoredTask;
  run: TaskRun;
  /** The task's workspace; for a task over all workspaces, this part's workspace. */
  workspace: Workspace;
  /** Aborted at the time limit, or when another process has taken over. */
  signal: AbortSignal;
  /** When the run must end, in milliseconds since the epoch. */
  until: number;
}

/** The result of a run. Failures are thrown as ServiceErrors with texts for the caller. */
export interface TaskOutcome {
  status: 'success' | 'skipped';
  summary: string;
  noteId?: string | undefined;
}

/**
 * The work continues without this process, which is called again later. Only for a task in a single
 * workspace.
 */
export const LATER = 'later';

/**
 * Runs one type of task in one workspace. Called again with the same run if the previous process died, so
 * lasting results must contain the run's ID where a repetition matters.
 */
export type Runner = (context: RunnerContext) => Promise<TaskOutcome | typeof LATER>;

export interface RunTaskPorts extends TaskPorts {
  runners: Record<TaskType, Runner>;
}

/**
 * Handles one message. It may arrive repeatedly, even concurrently. One process works on its run, which ends
 * once.
 */
export async function runTask(ports: RunTaskPorts, message: TaskMessage, timeLeftMs: number): Promise<void> {
  if (message.workspaceId !== undefined) return runPart(ports, message, timeLeftMs);
  const run = await claimTaskRun(ports, message);
  if (run === undefined) return;
  if (isOver(run)) return settleRun(ports, run);
  const claim = await claimTask(ports, run);
  if (claim === 'later') return postponeRun(ports, run);
  if ('end' in claim) return endRun(ports, run, claim.end);
  if (claim.task.workspaceId === null) return spread(ports, claim.task, run, timeLeftMs);
  const held = holdRun(ports, run, timeLeftMs);
  const end = await callRunner(ports, { task: claim.task, run }, claim.task.workspaceId, {
    held,
    timeLeftMs,
  });
  if (end === undefined) return;
  await (end === LATER ? leaveRun(ports, run) : endRun(ports, run, end));
}

/** Splits a run into parts, unless its author could no longer save the task. */
async function spread(ports: RunTaskPorts, task: StoredTask, run: TaskRun, timeLeftMs: number) {
  const refused = await requireSaverRights(ports, task).catch((error: unknown) =>
    explain(ports, task, run, error),
  );
  if (refused !== undefined) return endRun(ports, run, failedEnd(refused));
  const held = holdRun(ports, run, timeLeftMs);
  try {
    await spreadRun(ports, run);
  } finally {
    held.stop();
  }
}

/** Runs one workspace of a run over all of them. */
async function runPart(ports: RunTaskPorts, message: TaskMessage, timeLeftMs: number): Promise<void> {
  const run = await taskRuns.get(ports.records, { taskId: message.taskId, id: message.runId });
  if (run === undefined || isOver(run)) return;
  const part = await claimPart(ports, message);
  if (part === undefined) return;
  const end = await workOnPart(ports, run, part, timeLeftMs);
  if (end !== undefined && (await endPart(ports, part, end))) await countPart(ports, run, end.status);
}

async function workOnPart(
  ports: RunTaskPorts,
  run: TaskRun,
  part: TaskPart,
  timeLeftMs: number,
): Promise<TaskRunEnd | undefined> {
  if (part.attempts > MAX_ATTEMPTS_OF_PART)
    return failedEnd('The processes that worked on it stopped before it was done.');
  const { workspaceId } = part;
  const [task, workspace] = await Promise.all([
    tasks.get(ports.records, { id: run.taskId }),
    workspaces.get(ports.records, { id: workspaceId }),
  ]);
  if (task === undefined) return failedEnd('The task was deleted.');
  if (workspace === undefined) return skipped('The workspace was deleted.');
  const held = holdPart(ports, part, timeLeftMs);
  const end = await callRunner(ports, { task, run }, workspaceId, { held, timeLeftMs });
  if (end === LATER) return failedEnd("This task can't run in every workspace.");
  return end?.error == null ? end : { ...end, error: `${workspace.name}: ${end.error}`.slice(0, 1000) };
}

/**
 * Never throws, because any failure ends the work. Returns undefined if the lease was lost, because another
 * process works on the run, or will.
 */
async function callRunner(
  ports: RunTaskPorts,
  { task, run }: Pick<RunnerContext, 'task' | 'run'>,
  workspaceId: string,
  { held, timeLeftMs }: { held: Held; timeLeftMs: number },
): Promise<TaskRunEnd | typeof LATER | undefined> {
  const until = ports.clock.now() + timeLeftMs - RESERVE_MS;
  try {
    await requireSaverRights(ports, task);
    const workspace = await workspaces.get(ports.records, { id: workspaceId });
    if (workspace === undefined) throw new RunFailed('The workspace does not exist.');
    await requireApart(workspace);
    const work = ports.runners[task.taskType]({ task, run, workspace, signal: held.signal, until });
    const outcome = await Promise.race([work, whenAborted(held.signal)]);
    if (outcome === LATER) return LATER;
    const { status, summary, noteId = null } = outcome;
    log.info('a task was run', { taskId: task.id, runId: run.id, workspaceId, status });
    return { status, summary: summary.slice(0, 1000), noteId, error: null };
  } catch (error) {
    if (error instanceof LeaseLost) log.warn('a run was left to another process', { runId: run.id });
    return error instanceof LeaseLost ? undefined : failedEnd(await explain(ports, task, run, error));
  } finally {
    held.stop();
  }
}

/** Throws Forbidden if the task's author could no longer save it. Such a task no longer runs. */
async function requireSaverRights(
  ports: RunTaskPorts,
  { savedBy, workspaceId }: StoredTask,
): Promise<undefined> {
  const place = workspaceId === null ? null : await guardedPlaceOf(ports.records, workspaceId);
  await requireRights(ports, savedBy, place === null ? 'admin' : 'member', place);
}

/**
 * Returns the reason of a failure. Stops a task that would fail again because its owner has no rights left.
 */
async function explain(ports: RunTaskPorts, task: StoredTask, run: TaskRun, error: unknown): Promise<string> {
  const reason = describe(error, run);
  if (knownError(error)?.code === 'rights_lost') await stopTask(ports, task, reason);
  return reason;
}

function describe(error: unknown, { id: runId }: TaskRun): string {
  const known = error instanceof RunFailed ? error : knownError(error);
  if (known === undefined) log.warn('the run of a task failed', { runId }, error);
  return (known?.message ?? errorText(error)).slice(0, 1000);
}

/** Rejects with the signal's reason once the signal is aborted, to race against work that may ignore it. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
