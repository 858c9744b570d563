import * as z from 'zod';
import { type Caller, callerSchema, requireAdminOfAll } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { requireGrantable } from '../permissions/store.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import { ExpectationFailed, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import { findSkill } from '../skills/run.ts';
import { invalidInput } from '../validation/describe-issues.ts';
import { findWorkspace, rolesIn, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { TaskPorts } from './parts.ts';
import { newRun } from './runs.ts';
import { nextSlot } from './schedule.ts';
import {
  CONFIGS,
  type CreateTask,
  type CustomConfig,
  duePlace,
  type StoredTask,
  TASKS,
  type Task,
  type TaskMessage,
  type TaskRun,
  taskRuns,
  taskRunsPartition,
  tasks,
  type UpdateTask,
  watchConfig,
} from './schema.ts';
import { isOver } from './work-items.ts';

/** Error codes for a task that the caller names. */
export const TASK_ERRORS = [
  ...WORKSPACE_ERRORS,
  'task_not_found',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

/** Error codes for a task's config. */
export const TASK_CONFIG_ERRORS = [
  'always_not_allowed',
  'skill_disabled',
  'skill_not_found',
  'tool_unknown',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

/** Maximum bytes of all fields together, as JSON, so that they fit in a record. */
const MAX_TASK_BYTES = 256 * 1024;
const READ_AT_ONCE = 1000;

/**
 * Lists the tasks that the caller can see, of one workspace or of all, newest first. Only credentials that
 * aren't workspace-scoped see global tasks.
 */
export async function listTasks(
  records: Records,
  caller: Caller,
  workspace: Workspace | undefined,
  { limit, cursor }: PageQuery,
): Promise<{ items: Task[]; cursor?: string }> {
  const roleIn = rolesIn(records, caller);
  const sees = async ({ workspaceId }: Task) =>
    workspaceId === null ? caller.workspaceIds === null : (await roleIn(workspaceId)) !== undefined;
  const wanted = async (task: Task) =>
    (workspace === undefined || task.workspaceId === workspace.id) && (await sees(task));
  const all = workspace === undefined && caller.workspaceIds === null;
  const query = { partition: TASKS, order: 'descending' as const, limit: all ? limit + 2 : READ_AT_ONCE };
  const page = await pageUpTo((to) => only(tasks.all(records, { ...query, to }), wanted), { limit, cursor });
  return { ...page, items: page.items.map(describeTask) };
}

async function* only<Item>(
  items: AsyncIterable<Item>,
  wanted: (item: Item) => Promise<boolean>,
): AsyncGenerator<Item> {
  for await (const item of items) if (await wanted(item)) yield item;
}

/** Returns the task without its internal fields, as the API shows it. */
export function describeTask({ activeRunId: _a, savedBy: _s, ...task }: StoredTask): Task {
  return task;
}

/** Returns the task, for a caller who can see it. Throws NotFound, and the errors of findWorkspace. */
export async function findTask(records: Records, caller: Caller, taskId: string): Promise<StoredTask> {
  const task = await tasks.get(records, { id: taskId });
  if (task === undefined) throw new NotFound('task_not_found', 'This task does not exist.');
  if (task.workspaceId !== null) await findWorkspace(records, caller, task.workspaceId);
  else if (caller.workspaceIds !== null)
    throw new Forbidden(
      'workspace_scoped_token',
      "This token is limited to its workspaces and can't access this task.",
    );
  return task;
}

/**
 * Creates a task of the workspace, or a global one without a workspace. Throws InvalidInput for a config that doesn't match the
 * type, Forbidden for a global task unless the caller is a global administrator, and the errors of findSkill.
 */
export async function createTask(
  { records, clock }: TimedRecords,
  caller: Caller,
  workspace: Workspace | null,
  input: Omit<CreateTask, 'workspaceId'>,
): Promise<Task> {
  if (workspace === null) requireAdminOfAll(caller);
  const workspaceId = workspace?.id ?? null;
  const now = timestamp(clock);
  const task: StoredTask = {
    ...input,
    workspaceId,
    id: newId(),
    config: await readConfig(records, caller, { ...input, workspaceId }),
    nextRunAt: nextRun(input, clock),
    lastRunAt: null,
    lastRunStatus: null,
    lastRunError: null,
    activeRunId: null,
    savedBy: callerSchema.parse(caller),
    createdAt: now,
    updatedAt: now,
  };
  await tasks.create(records, checkSize(task));
  return describeTask(task);
}

/** Returns a task's config, with defaults for omitted fields. Throws InvalidInput that names the field. */
async function readConfig(
  records: Records,
  caller: Caller,
  { taskType, workspaceId, config }: Pick<CreateTask, 'taskType' | 'workspaceId' | 'config'>,
): Promise<Record<string, unknown>> {
  const sent = { config: config ?? {} };
  const isWatch = taskType === 'custom' && sent.config.research !== undefined;
  const schema = z.object({ config: isWatch ? watchConfig : CONFIGS[taskType] });
  const parsed = schema.safeParse(sent);
  if (!parsed.success) throw invalidInput(parsed.error, schema, sent, 'body');
  const read: Record<string, unknown> = parsed.data.config;
  if (taskType !== 'custom') return read;
  if (workspaceId === null)
    throw new InvalidInput('missing_value', 'workspaceId is required for a custom task.', {
      field: 'workspaceId',
    });
  if (isWatch) return read;
  const { skillId, permits = [] } = read as CustomConfig;
  for (const [index, grant] of permits.entries()) requireGrantable(grant, `config.permits.${index}`);
  if (skillId !== undefined) await findSkill(records, caller, workspaceId, skillId);
  return read;
}

type Plan = Pick<Task, 'schedule' | 'timezone' | 'isEnabled'>;

function nextRun({ schedule, timezone, isEnabled }: Plan, clock: Clock): string | null {
  const next = isEnabled ? nextSlot(schedule, timezone, clock.now()) : undefined;
  return next === undefined ? null : new Date(next).toISOString();
}

function checkSize(task: StoredTask): StoredTask {
  if (Buffer.byteLength(JSON.stringify(task)) <= MAX_TASK_BYTES) return task;
  throw new InvalidInput(
    'invalid_value',
    `config is too large: a task can have at most ${MAX_TASK_BYTES / 1024} KB in all.`,
    { field: 'config' },
  );
}

/** The workspace was found for the caller; null moves the task to all workspaces. */
type TaskChange = Omit<UpdateTask, 'workspaceId'> & { workspace?: Workspace | null | undefined };

/**
 * Changes the named fields, all or none. Runs and the tick continue in the meantime. Throws the errors of
 * createTask.
 */
export async function updateTask(
  ports: TimedRecords,
  caller: Caller,
  taskId: string,
  change: TaskChange,
): Promise<Task> {
  const { records, clock } = ports;
  if (change.workspace === null) requireAdminOfAll(caller);
  const task = await findForChange(records, caller, taskId);
  const { name, taskType, schedule, timezone, config, isEnabled } = { ...task, ...change };
  const workspaceId = change.workspace === undefined ? task.workspaceId : (change.workspace?.id ?? null);
  const definition = { name, taskType, schedule, timezone, workspaceId, isEnabled };
  const set = {
    ...definition,
    config: await readConfig(records, caller, { taskType, workspaceId, config }),
    savedBy: callerSchema.parse(caller),
    ...(task.stoppedAt && { stoppedAt: null }),
    // `updatedAt` distinguishes versions, so it always increases.
    updatedAt: new Date(Math.max(clock.now(), Date.parse(task.updatedAt) + 1)).toISOString(),
  };
  checkSize({ ...task, ...set });
  // While the schedule stays the same, the tick decides when the task is due.
  const update = isSamePlan(task, definition) ? { set } : reschedule(task, set, clock);
  try {
    return describeTask(await tasks.update(records, task, update, { updatedAt: task.updatedAt }));
  } catch (error) {
    // The task was changed in the meantime, so try again.
    if (error instanceof ExpectationFailed) return updateTask(ports, caller, taskId, change);
    throw error;
  }
}

function isSamePlan(one: Plan, other: Plan): boolean {
  return (
    one.schedule === other.schedule && one.timezone === other.timezone && one.isEnabled === other.isEnabled
  );
}

/** Returns a change of the task with the next time of its plan. */
export function reschedule<Set extends Plan>({ id }: StoredTask, set: Set, clock: Clock) {
  const nextRunAt = nextRun(set, clock);
  return { set: { ...set, nextRunAt }, index: duePlace({ id, nextRunAt }) ?? null };
}

/** Deletes a task. Its active run continues to its end; its history expires. */
export async function deleteTask(records: Records, caller: Caller, taskId: string): Promise<void> {
  const task = await findForChange(records, caller, taskId);
  await tasks.delete(records, task);
}

/**
 * Requires access: members change the tasks of their workspaces, and only global administrators change global
 * ones.
 */
async function findForChange(records: Records, caller: Caller, taskId: string): Promise<StoredTask> {
  const task = await findTask(records, caller, taskId);
  if (task.workspaceId === null) requireAdminOfAll(caller);
  return task;
}

/** Starts a run now, even of a disabled task. Throws Conflict while one is running. */
export async function runTaskNow(ports: TaskPorts, caller: Caller, taskId: string): Promise<string> {
  const { records, clock, taskQueue } = ports;
  const task = await findForChange(records, caller, taskId);
  if (await isRunning(records, task))
    throw new Conflict('task_already_running', 'This task is already running.');
  const message: TaskMessage = { taskId, runId: newId(), trigger: 'manual', scheduledFor: timestamp(clock) };
  // The lease makes the tick send another message if this one is lost.
  await taskRuns.create(records, newRun(ports, message));
  await taskQueue.send([{ groupId: task.workspaceId ?? taskId, body: message }]);
  return message.runId;
}

async function isRunning(records: Records, { id, activeRunId }: StoredTask): Promise<boolean> {
  if (activeRunId === null) return false;
  const run = await taskRuns.get(records, { taskId: id, id: activeRunId });
  return run !== undefined && !isOver(run);
}

/** Lists the history, newest first. */
export async function listTaskRuns(
  records: Records,
  caller: Caller,
  taskId: string,
  { limit, cursor }: PageQuery,
) {
  const { id } = await findTask(records, caller, taskId);
  const query = { partition: taskRunsPartition(id), order: 'descending' as const, limit, cursor };
  const page = await taskRuns.list(records, query);
  return { ...page, items: page.items.map(describeRun) };
}

function describeRun({ owner: _o, leaseUntil: _l, expiresAt: _e, ...run }: TaskRun) {
  const { partsTotal: total, partsDone: done, partsFailed: failed, ...fields } = run;
  return { ...fields, workspaces: total === null ? null : { total, done, failed } };
}

/** Removes the tasks of a deleted workspace. */
export async function dropTasks(records: Records, workspaceId: string): Promise<void> {
  for await (const task of tasks.all(records, { partition: TASKS })) {
    if (task.workspaceId === workspaceId) await tasks.delete(records, task);
  }
}
