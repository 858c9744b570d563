import type { Caller } from '../../lib/access/caller.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { setLogLevel } from '../../lib/log.ts';
import { enqueueDueTasks } from '../../lib/tasks/enqueue-due-tasks.ts';
import { type Runner, runTask } from '../../lib/tasks/run-task.ts';
import {
  type StoredTask,
  type TaskRun,
  type TaskType,
  taskMessageSchema,
  taskRuns,
  taskRunsPartition,
  tasks,
  taskTypeSchema,
} from '../../lib/tasks/schema.ts';
import { createTask } from '../../lib/tasks/tasks.ts';
import { findWorkspace } from '../../lib/workspaces/access.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export const ADMIN: Caller = { id: 'admin', role: 'admin', workspaceIds: null };
const START = Date.parse('2026-03-01T00:00:30Z');
export const MINUTE_MS = 60_000;
/** The workspace of tasks that specify no other. */
export const HOME = '01a1fcf8-a7e2-778b-8bd9-87a5309f0000';

/**
 * Tasks without a host: real SQLite, a clock that only the test sets, and scheduler ticks and workers that
 * the test calls.
 */
export async function startTaskRig() {
  setLogLevel('error');
  const database = openDatabase(await tempFolder());
  whenDone(async () => database.close());
  createQueues(database, [{ name: 'task', fifo: false, visibilityTimeoutSeconds: 5400 }]);
  const time = { now: START };
  const clock = { now: () => time.now };
  const ports = {
    records: sqliteRecords(database, clock),
    taskQueue: sqliteQueue(database, 'task'),
    clock,
    leaseMs: 2000,
  };
  const home = {
    id: HOME,
    name: 'home',
    rootPath: '/home-of-tasks',
    createdAt: new Date(START).toISOString(),
  };
  await workspaces.create(ports.records, home);
  const called: string[] = [];
  const doing: { run: Runner } = { run: async () => ({ status: 'success', summary: 'done' }) };
  const runner: Runner = (context) => {
    called.push(context.run.id);
    return doing.run(context);
  };
  const types = taskTypeSchema.options.map((type) => [type, runner]);
  const runners = Object.fromEntries(types) as Record<TaskType, Runner>;

  async function add(
    fields: { workspaceId?: string | null; [field: string]: unknown } = {},
  ): Promise<StoredTask> {
    const plain = { name: 't', taskType: 'source_sync', schedule: '* * * * *', timezone: 'UTC' } as const;
    const rest = { config: null, isEnabled: true };
    const { workspaceId = home.id, ...more } = fields;
    const workspace = workspaceId === null ? null : await findWorkspace(ports.records, ADMIN, workspaceId);
    const { id } = await createTask(ports, ADMIN, workspace, { ...plain, ...rest, ...more });
    return find(id);
  }

  async function find(id: string): Promise<StoredTask> {
    const task = await tasks.get(ports.records, { id });
    if (task === undefined) throw new Error('no such task');
    return task;
  }

  async function history(taskId: string): Promise<TaskRun[]> {
    return (await taskRuns.list(ports.records, { partition: taskRunsPartition(taskId) })).items;
  }

  /** Returns the queued messages. */
  async function receive() {
    const messages = await ports.taskQueue.receive({ max: 10 });
    await ports.taskQueue.delete(messages.map(({ receipt }) => receipt));
    return messages.map(({ body }) => taskMessageSchema.parse(JSON.parse(body)));
  }

  /** Handles the queued messages, one after the other, until no message is left. */
  async function work(): Promise<void> {
    for (let messages = await receive(); messages.length > 0; messages = await receive()) {
      for (const message of messages) await runTask({ ...ports, runners }, message, 900_000);
    }
  }

  return {
    ports: { ...ports, runners },
    time,
    called,
    doing,
    add,
    find,
    history,
    receive,
    work,
    tick: () => enqueueDueTasks(ports),
  };
}

export type TaskRig = Awaited<ReturnType<typeof startTaskRig>>;
