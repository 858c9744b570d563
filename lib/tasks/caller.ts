import type { Caller } from '../access/caller.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { StoredTask } from './schema.ts';

/** The actor of a task in the activity of a workspace. */
export function actorOfTask({ id }: Pick<StoredTask, 'id'>): string {
  return `task:${id}`;
}

/** The caller for a task's work in other areas: a member of this workspace. */
export function callerOfTask(task: Pick<StoredTask, 'id'>, { id }: Workspace): Caller {
  return { id: actorOfTask(task), role: 'member', workspaceIds: [id] };
}
