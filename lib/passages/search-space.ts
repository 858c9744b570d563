import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { firstGeneration } from './embedding-space.ts';

const count = z.number().int();

/** The partition that lists the index records of all workspaces. */
export const INDEXES = 'INDEX';

/**
 * The space (lib/ports/vectors.ts) in which a workspace is searched, the rows added since its last
 * maintenance, and the number of indexed files (lib/indexing/commit/file-counts.ts).
 */
export const indexes = collection({
  kind: 'index',
  schema: z.object({
    workspaceId: z.string(),
    space: z.string(),
    /**
     * The space's next generation. It is being filled, because the model's name now returns other vectors.
     */
    renewing: z.string().optional(),
    /** When the latest renewals started, in milliseconds. */
    renewals: z.array(z.number()).optional(),
    rows: count.optional(),
    commits: count.optional(),
    /** Numbers of files by their state in the index. */
    searchable: count.optional(),
    textless: count.optional(),
    failed: count.optional(),
    /**
     * The number of commits that these three numbers include. If a commit was killed before it added its
     * files, all files are counted again.
     */
    counted: count.optional(),
    /** Identifies the commit that is changing file states. After a kill, it stays set. */
    counting: z.string().optional(),
    /** When the latest maintenance of each space started, in milliseconds. */
    maintained: z.record(z.string(), z.number()).optional(),
    /** The maintenance of each space that hasn't ended, because it's running or its worker died. */
    maintaining: z.record(z.string(), z.object({ beganAt: z.number(), aliveAt: z.number() })).optional(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: INDEXES, sort: workspaceId }),
});

export type SearchIndex = NonNullable<Awaited<ReturnType<typeof indexes.get>>>;

/** Returns the space that search must open; undefined if nothing was ever indexed. */
export async function readSearchSpace(records: Records, workspaceId: string): Promise<string | undefined> {
  return (await indexes.get(records, { workspaceId }))?.space;
}

/** Returns the space for indexing files: the latest generation of the configured embedder's space. */
export async function readFilledSpace(records: Records, workspaceId: string, space: string): Promise<string> {
  return filledSpace(await indexes.get(records, { workspaceId }), space);
}

export function filledSpace(index: SearchIndex | undefined, space: string): string {
  const first = firstGeneration(space);
  const own = [index?.renewing, index?.space].find((each) => each && firstGeneration(each) === first);
  return own ?? first;
}
