import * as z from 'zod';
import type { Queue } from '../ports/queue.ts';

const workspaceId = z.string();

/** A place that a batch of a sync has in it, so that a repeated message counts once. */
const batchSchema = z.object({ syncId: z.string(), number: z.number().int() });

/** A file as the scan saw it, with what may spare it the work: files of the same size that are indexed already. */
export const seenFileSchema = z.object({ path: z.string(), twins: z.array(z.string()).default([]) });
export type SeenFile = z.infer<typeof seenFileSchema>;

/** What the index worker takes from the queue `index`. */
export const indexMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan'), workspaceId, syncId: z.string() }),
  z.object({ kind: z.literal('files'), workspaceId, batch: batchSchema, files: z.array(seenFileSchema) }),
  z.object({ kind: z.literal('touch'), workspaceId, paths: z.array(z.string()) }),
]);
export type IndexMessage = z.infer<typeof indexMessageSchema>;

/** At most this many paths go into one message. */
const PATHS_AT_ONCE = 200;

/** Asks for files or directories that were written, moved or removed to be looked at again. */
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
  await commitQueue.send([{ groupId: workspaceId, body: { kind: 'drop', workspaceId } }]);
}
