import type { Queue } from '../ports/queue.ts';
import type { CommitMessage, IndexMessage } from './messages.ts';

/** At most this many paths go into one message. */
const PATHS_AT_ONCE = 200;

/** Asks for files or folders that were written, moved or removed to be looked at again. */
export async function touchIndex(indexQueue: Queue, workspaceId: string, paths: string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE) {
    const body: IndexMessage = {
      kind: 'touch',
      workspaceId,
      paths: paths.slice(start, start + PATHS_AT_ONCE),
    };
    await indexQueue.send([{ body }]);
  }
}

/** Asks for everything that the index holds of a workspace to be removed. */
export async function dropIndex(commitQueue: Queue, workspaceId: string): Promise<void> {
  await sendCommit(commitQueue, { kind: 'drop', workspaceId });
}

/** All of a workspace's commits are one FIFO group: its tables have one writer. */
export async function sendCommit(commitQueue: Queue, body: CommitMessage): Promise<void> {
  await commitQueue.send([{ groupId: body.workspaceId, body }]);
}
