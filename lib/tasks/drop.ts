import type { Records } from '../ports/records.ts';
import { TASKS, tasks } from './schema.ts';

/** Removes the tasks of a deleted workspace. */
export async function dropTasks(records: Records, workspaceId: string): Promise<void> {
  for await (const task of tasks.all(records, { partition: TASKS })) {
    if (task.workspaceId === workspaceId) await tasks.delete(records, task);
  }
}
