import type { Queue } from '../ports/queue.ts';
import type { CommitMessage, IndexMessage } from './messages.ts';

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

/** Asks for everything that the index holds of a workspace to be removed. */
export async function dropIndex(commitQueue: Queue, workspaceId: string): Promise<void> {
  await sendCommit(commitQueue, { kind: 'drop', workspaceId });
}

/** All of a workspace's commits are one FIFO group: its tables have one writer. */
export async function sendCommit(commitQueue: Queue, body: CommitMessage): Promise<void> {
  await commitQueue.send([{ groupId: body.workspaceId, body }]);
}
