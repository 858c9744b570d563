import type { Caller } from '../access/caller.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { StoredTask } from './schema.ts';

/** Returns the actor of a task in a workspace's activity. */
export function actorOfTask({ id }: Pick<StoredTask, 'id'>): string {
  return `task:${id}`;
}

/** Returns the caller as which a task works in other areas: a member of this workspace. */
export function callerOfTask(task: Pick<StoredTask, 'id'>, { id }: Workspace): Caller {
  return { id: actorOfTask(task), role: 'member', workspaceIds: [id] };
}
