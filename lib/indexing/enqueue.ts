import { type Clock, expiryAfter } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { FilesChanged } from '../workspaces/changes.ts';
import type { CommitMessage, IndexMessage } from './messages.ts';
import { pendingLooks } from './schema.ts';

/** At most this many paths go into one message. */
const PATHS_AT_ONCE = 100;

/** Asks for files or folders that were written, moved or removed to be looked at again. */
export async function touchIndex(
  indexQueue: Queue,
  workspaceId: string,
  paths: string[],
  options: { fresh?: boolean } = {},
): Promise<void> {
  const groups: string[][] = [];
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE) {
    groups.push(paths.slice(start, start + PATHS_AT_ONCE));
  }
  await touchGroups(indexQueue, workspaceId, groups, options);
}

/** Who hears of changed files and has the index look at them again. */
export function filesChangedIn(indexQueue: Queue): FilesChanged {
  return (workspaceId, paths) => touchIndex(indexQueue, workspaceId, paths);
}

/** Each group is looked at as a whole: a moved file beside the path that it left. */
export async function touchGroups(
  indexQueue: Queue,
  workspaceId: string,
  groups: string[][],
  { fresh }: { fresh?: boolean } = {},
): Promise<void> {
  const messages: IndexMessage[] = groups.map((paths) => ({ kind: 'touch', workspaceId, paths, fresh }));
  if (messages.length > 0) await indexQueue.send(messages.map((body) => ({ body })));
}

/** Commands often come in bursts: one look serves all of them. */
const LOOK_DELAY_SECONDS = 2;
/** A look that was announced and never asked for (a crash in between) blocks the next no longer than this. */
const LOOK_EXPIRES_SECONDS = 60;

export interface TouchPorts {
  records: Records;
  indexQueue: Queue;
  clock: Clock;
}

/**
 * Asks for the whole workspace to be looked at soon, after what may have changed anything in it: a command. Free while a
 * look is announced already; the worker takes the announcement back before it looks, so no change falls between two looks.
 */
export async function touchWorkspace(
  { records, indexQueue, clock }: TouchPorts,
  workspaceId: string,
): Promise<void> {
  const expiresAt = expiryAfter(clock, LOOK_EXPIRES_SECONDS);
  if (!(await pendingLooks.create(records, { workspaceId, expiresAt }))) return;
  const body: IndexMessage = { kind: 'look', workspaceId };
  await indexQueue.send([{ body, delaySeconds: LOOK_DELAY_SECONDS }]);
}

/** Asks for everything that the index holds of a workspace to be removed. */
export async function dropIndex(commitQueue: Queue, workspaceId: string): Promise<void> {
  await sendCommit(commitQueue, { kind: 'drop', workspaceId });
}

/** All of a workspace's commits are one FIFO group: its tables have one writer. */
export async function sendCommit(commitQueue: Queue, body: CommitMessage): Promise<void> {
  await commitQueue.send([{ groupId: body.workspaceId, body }]);
}
