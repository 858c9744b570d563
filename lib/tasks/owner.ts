import { type Caller, callerSchema } from '../access/caller.ts';
import { SERVICE } from '../activity/record.ts';
import { audited } from '../audit/record.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import { ifExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { hasRights } from '../tokens/rights.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import { type StoredTask, tasks } from './schema.ts';
import { reschedule } from './tasks.ts';

const OF_SERVICE: Caller = { id: SERVICE, role: 'admin', workspaceIds: null };

/**
 * Disables a task whose owner has lost their rights, because it would fail each time. Administrators find
 * that in the audit log. The console shows it until someone saves the task, or it is handed over.
 */
export async function stopTask(ports: TimedRecords, task: StoredTask, reason: string): Promise<void> {
  if (!task.isEnabled) return;
  const { id, name, workspaceId, updatedAt } = task;
  const set = { isEnabled: false, nextRunAt: null, stoppedAt: timestamp(ports.clock) };
  const about = `${id} (${name}): ${reason}`;
  await audited(ports, OF_SERVICE, { action: 'tasks.stop', workspaceId, about }, () =>
    ifExpected(tasks.update(ports.records, task, { set, index: null }, { updatedAt, isEnabled: true })),
  );
  log.error('a task was stopped, because its owner has no rights left', { taskId: id, workspaceId });
}

/**
 * Gives a task to another person, with whose rights it then runs. Enables it again if it was stopped. Returns
 * `left` if that person may not save such a task, and `later` if the task has changed since it was read.
 * Idempotent.
 */
export async function handOverTask(
  ports: TimedRecords,
  task: StoredTask,
  to: Caller,
): Promise<'done' | 'later' | 'left'> {
  const { workspaceId, updatedAt, stoppedAt, schedule, timezone } = task;
  const place = workspaceId === null ? null : await guardedPlaceOf(ports.records, workspaceId);
  if (!(await hasRights(ports, to, place === null ? 'admin' : 'member', place))) return 'left';
  const owner = { savedBy: callerSchema.parse(to), updatedAt: timestamp(ports.clock) };
  const change =
    stoppedAt == null
      ? { set: owner }
      : reschedule(task, { ...owner, schedule, timezone, isEnabled: true, stoppedAt: null }, ports.clock);
  const changed = await ifExpected(tasks.update(ports.records, task, change, { updatedAt }));
  return changed === undefined ? 'later' : 'done';
}
