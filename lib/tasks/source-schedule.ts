import type { Caller } from '../access/caller.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { StoredSource } from '../sources/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { tasks } from './schema.ts';
import { createTask, deleteTask, updateTask } from './tasks.ts';

/** Returns the schedule of a source; null if its task was deleted or disabled. */
export async function scheduleOf(
  records: Records,
  { taskId }: Pick<StoredSource, 'taskId'>,
): Promise<string | null> {
  const task = taskId === null ? undefined : await tasks.get(records, { id: taskId });
  return task?.isEnabled ? task.schedule : null;
}

/**
 * Gives a source a scheduled task, or removes it (null). The task runs with the rights of the person who saves it.
 * Returns the ID of the task.
 */
export async function scheduleSource(
  ports: TimedRecords,
  caller: Caller,
  workspace: Workspace,
  { id, name, taskId }: Pick<StoredSource, 'id' | 'name' | 'taskId'>,
  schedule: string | null,
): Promise<string | null> {
  const task = taskId === null ? undefined : await tasks.get(ports.records, { id: taskId });
  if (schedule === null) {
    if (task !== undefined) await deleteTask(ports.records, caller, task.id);
    return null;
  }
  if (task !== undefined) {
    await updateTask(ports, caller, task.id, { schedule, isEnabled: true, workspace: undefined });
    return task.id;
  }
  const named = { name: `Sync ${name}`, taskType: 'source_sync' as const, config: { sourceId: id } };
  const created = await createTask(ports, caller, workspace, {
    ...{ ...named, schedule, timezone: 'UTC', isEnabled: true },
  });
  return created.id;
}
