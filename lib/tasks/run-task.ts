import { errorText, knownError } from '../known-error.ts';
import { log } from '../log.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf, requireApart } from '../workspaces/access.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { claimPart, endPart, type PartPorts, renewPart, type TaskPart } from './parts.ts';
import {
  claimTask,
  claimTaskRun,
  endRun,
  failedEnd,
  isTaskRunOver,
  LEASE_MS,
  leaveRun,
  postponeRun,
  renewTaskLease,
  settleRun,
  skipped,
  type TaskRunEnd,
} from './runs.ts';
import { type StoredTask, type TaskMessage, type TaskRun, type TaskType, taskRuns, tasks } from './schema.ts';
import { countPart, MAX_ATTEMPTS_OF_PART, spreadRun } from './spread-run.ts';

export interface RunnerContext {
  task: StoredTask;
  run: TaskRun;
  /** The task's workspace; for a task over all workspaces, the one of this part. */
  workspace: Workspace;
  /** Aborted when the time is over, or another process has taken over. */
  signal: AbortSignal;
  /** When it must end, in milliseconds since the epoch. */
  until: number;
}

/** The result of a run; failures are thrown, as ServiceErrors with texts for the caller. */
export interface TaskOutcome {
  status: 'success' | 'skipped';
  summary: string;
  noteId?: string | undefined;
}

/** The work continues without this process, which is called again later. Only for a task of one workspace. */
export const LATER = 'later';

/**
 * Runs a type of task in one workspace. Called again with the same run if the previous process died; what it leaves behind is
 * named by the id of the run, if that matters.
 */
export type Runner = (context: RunnerContext) => Promise<TaskOutcome | typeof LATER>;

export interface RunTaskPorts extends PartPorts {
  runners: Record<TaskType, Runner>;
}

/** Reserved for the last records. */
const RESERVE_MS = 10_000;
const SIGNS_OF_LIFE = 4;

/** Handles one message. It may arrive again, or several times at once: one process works on its run, which ends once. */
export async function runTask(ports: RunTaskPorts, message: TaskMessage, timeLeftMs: number): Promise<void> {
  if (message.workspaceId !== undefined) return runPart(ports, message, timeLeftMs);
  const run = await claimTaskRun(ports, message);
  if (run === undefined) return;
  if (isTaskRunOver(run.status)) return settleRun(ports, run);
  const claim = await claimTask(ports, run);
  if (claim === 'later') return postponeRun(ports, run);
  if ('end' in claim) return endRun(ports, run, claim.end);
  if (claim.task.workspaceId === null) return spread(ports, claim.task, run, timeLeftMs);
  const lease = { renew: () => renewTaskLease(ports, run), timeLeftMs };
  const end = await callRunner(ports, { task: claim.task, run }, claim.task.workspaceId, lease);
  await (end === LATER ? leaveRun(ports, run) : endRun(ports, run, end));
}

/** Doesn't start what it couldn't have saved. */
async function spread(ports: RunTaskPorts, task: StoredTask, run: TaskRun, timeLeftMs: number) {
  const refused = await requireSaverRights(ports, task).catch((error: unknown) => describe(error, run));
  if (refused !== undefined) return endRun(ports, run, failedEnd(refused));
  const lease = keepLease(ports, { renew: () => renewTaskLease(ports, run), timeLeftMs });
  try {
    await spreadRun(ports, run);
  } finally {
    lease.end();
  }
}

/** Runs one workspace of a run over all of them. */
async function runPart(ports: RunTaskPorts, message: TaskMessage, timeLeftMs: number): Promise<void> {
  const run = await taskRuns.get(ports.records, { taskId: message.taskId, id: message.runId });
  if (run === undefined || isTaskRunOver(run.status)) return;
  const part = await claimPart(ports, message);
  if (part === undefined) return;
  const end = await workOnPart(ports, run, part, timeLeftMs);
  if (await endPart(ports, part, end)) await countPart(ports, run, end.status);
}

async function workOnPart(
  ports: RunTaskPorts,
  run: TaskRun,
  part: TaskPart,
  timeLeftMs: number,
): Promise<TaskRunEnd> {
  if (part.attempts > MAX_ATTEMPTS_OF_PART)
    return failedEnd('The processes that worked on it stopped before it was done.');
  const { workspaceId } = part;
  const [task, workspace] = await Promise.all([
    tasks.get(ports.records, { id: run.taskId }),
    workspaces.get(ports.records, { id: workspaceId }),
  ]);
  if (task === undefined) return failedEnd('The task was deleted.');
  if (workspace === undefined) return skipped('The workspace was deleted.');
  const lease = { renew: () => renewPart(ports, part), timeLeftMs };
  const end = await callRunner(ports, { task, run }, workspaceId, lease);
  if (end === LATER) return failedEnd("This task can't run in every workspace.");
  return end.error === null ? end : { ...end, error: `${workspace.name}: ${end.error}`.slice(0, 1000) };
}

/** Never throws: whatever happens is the end of the work. */
async function callRunner(
  ports: RunTaskPorts,
  { task, run }: Pick<RunnerContext, 'task' | 'run'>,
  workspaceId: string,
  held: Held,
): Promise<TaskRunEnd | typeof LATER> {
  const lease = keepLease(ports, held);
  const until = ports.clock.now() + held.timeLeftMs - RESERVE_MS;
  try {
    await requireSaverRights(ports, task);
    const workspace = await workspaces.get(ports.records, { id: workspaceId });
    if (workspace === undefined) throw new RunFailed('The workspace does not exist.');
    await requireApart(workspace);
    const work = ports.runners[task.taskType]({ task, run, workspace, signal: lease.signal, until });
    const outcome = await Promise.race([work, lease.aborted]);
    if (outcome === LATER) return LATER;
    const { status, summary, noteId = null } = outcome;
    log.info('a task was run', { taskId: task.id, runId: run.id, workspaceId, status });
    return { status, summary: summary.slice(0, 1000), noteId, error: null };
  } catch (error) {
    return failedEnd(describe(error, run));
  } finally {
    lease.end();
  }
}

/** A task whose author could no longer save it no longer runs. Throws Forbidden. */
async function requireSaverRights(
  ports: RunTaskPorts,
  { savedBy, workspaceId }: StoredTask,
): Promise<undefined> {
  if (savedBy === null) return;
  const place = workspaceId === null ? null : await guardedPlaceOf(ports.records, workspaceId);
  await requireRights(ports, savedBy, place === null ? 'admin' : 'member', place);
}

function describe(error: unknown, { id: runId }: TaskRun): string {
  const known = error instanceof RunFailed ? error : knownError(error);
  if (known === undefined) log.error('the run of a task failed', { runId }, error);
  return (known?.message ?? errorText(error)).slice(0, 1000);
}

/** A failure whose text is for readers of the history. */
export class RunFailed extends Error {}

interface Held {
  /** Returns false if another process has taken over. */
  renew(): Promise<boolean>;
  timeLeftMs: number;
}

/** Renews the lease while there is work; aborts the signal if another process has taken over, or the time is over. */
function keepLease({ leaseMs = LEASE_MS }: RunTaskPorts, { renew, timeLeftMs }: Held) {
  const controller = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const abort = (reason: Error) => {
    controller.abort(reason);
    reject(reason);
  };
  const look = async () => {
    if (!(await renew())) abort(new RunFailed('Another process took over the run.'));
  };
  const renewing = setInterval(
    () => look().catch((error: unknown) => log.warn('a lease was not renewed', { reason: String(error) })),
    leaseMs / SIGNS_OF_LIFE,
  );
  const deadline = setTimeout(
    () => abort(new RunFailed('The run took longer than allowed.')),
    Math.max(0, timeLeftMs - RESERVE_MS),
  );
  return {
    signal: controller.signal,
    aborted,
    end() {
      clearInterval(renewing);
      clearTimeout(deadline);
    },
  };
}
