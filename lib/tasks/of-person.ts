import type { Records } from '../ports/records.ts';
import { type StoredTask, TASKS, tasks } from './schema.ts';

/** Yields the tasks that run with the rights of a person, because they saved them last. */
export async function* tasksOf(records: Records, personId: string): AsyncGenerator<StoredTask> {
  for await (const task of tasks.all(records, { partition: TASKS }))
    if (task.savedBy.id === personId) yield task;
}
