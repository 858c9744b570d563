import { ServiceError } from '../errors.ts';
import { log } from '../log.ts';
import { requireRights } from '../tokens/rights.ts';
import {
  claimTask,
  claimTaskRun,
  endRun,
  failed,
  isOver,
  LEASE_MS,
  postponeRun,
  renewTaskLease,
  settleRun,
  type TaskRunEnd,
  type TaskRunPorts,
} from './runs.ts';
import type { StoredTask, TaskMessage, TaskRun, TaskType } from './schema.ts';

export interface RunnerContext {
  task: StoredTask;
  run: TaskRun;
  /** Aborted when the time is up, or the run is another process's. */
  signal: AbortSignal;
  /** Milliseconds since the epoch, by when it must be over. */
  until: number;
}

/** What a run came to; what went wrong is thrown, ServiceErrors with texts for the caller. */
export interface Outcome {
  status: 'success' | 'skipped';
  summary: string;
  noteId?: string | undefined;
}

/**
 * Does the work of a type of task. Called again with the same run when the process before died at it: what it leaves behind
 * goes by the id of the run, where that matters.
 */
export type Runner = (context: RunnerContext) => Promise<Outcome>;

export interface RunTaskPorts extends TaskRunPorts {
  runners: Record<TaskType, Runner>;
}

/** Left for the last records. */
const RESERVE_MS = 10_000;
const SIGNS_OF_LIFE = 4;

/** Works on one message. It may come again, or several times at once: its run is run by one, and ended once. */
export async function runTask(ports: RunTaskPorts, message: TaskMessage, timeLeftMs: number): Promise<void> {
  const run = await claimTaskRun(ports, message);
  if (run === undefined) return;
  if (isOver(run.status)) return settleRun(ports, run);
  const claim = await claimTask(ports, run);
  if (claim === 'later') return postponeRun(ports, run);
  await endRun(ports, run, 'end' in claim ? claim.end : await callRunner(ports, claim.task, run, timeLeftMs));
}

/** Never throws: whatever happens is how the run ends. */
async function callRunner(
  ports: RunTaskPorts,
  task: StoredTask,
  run: TaskRun,
  timeLeftMs: number,
): Promise<TaskRunEnd> {
  const lease = keepTaskLease(ports, run, timeLeftMs - RESERVE_MS);
  const until = ports.clock.now() + timeLeftMs - RESERVE_MS;
  try {
    await requireSaverRights(ports, task);
    const work = ports.runners[task.taskType]({ task, run, signal: lease.signal, until });
    const { status, summary, noteId = null } = await Promise.race([work, lease.aborted]);
    log.info('a task was run', { taskId: task.id, runId: run.id, status });
    return { status, summary: summary.slice(0, 1000), noteId, error: null };
  } catch (error) {
    return failed(describe(error, run));
  } finally {
    lease.end();
  }
}

/** Who could not save the task now has it run no more. Throws Forbidden. */
async function requireSaverRights(ports: RunTaskPorts, { savedBy, workspaceId }: StoredTask): Promise<void> {
  if (savedBy === null) return;
  await requireRights(ports, savedBy, workspaceId === null ? 'admin' : 'member', workspaceId);
}

function describe(error: unknown, { id: runId }: TaskRun): string {
  if (error instanceof ServiceError || error instanceof RunFailed) return error.message.slice(0, 1000);
  log.error('the run of a task failed', { runId }, error);
  return 'internal error';
}

/** An end whose text is for whoever reads the history. */
export class RunFailed extends Error {}

/** Renews the lease while the run is worked on; aborts the signal when it is another's, or the time is up. */
function keepTaskLease(ports: RunTaskPorts, run: TaskRun, timeLeftMs: number) {
  const controller = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const abort = (reason: Error) => {
    controller.abort(reason);
    reject(reason);
  };
  const renew = async () => {
    if (!(await renewTaskLease(ports, run))) abort(new RunFailed('the run is another process’s now'));
  };
  const renewing = setInterval(
    () =>
      renew().catch((error: unknown) =>
        log.warn('a lease was not renewed', { runId: run.id, reason: String(error) }),
      ),
    (ports.leaseMs ?? LEASE_MS) / SIGNS_OF_LIFE,
  );
  const deadline = setTimeout(
    () => abort(new RunFailed('the run took longer than it may')),
    Math.max(0, timeLeftMs),
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
