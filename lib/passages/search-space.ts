import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';

const count = z.number().int();

/** The partition of all of them. */
export const INDEXES = 'INDEX';

/**
 * The space (lib/ports/vectors.ts) that answers searches of a workspace, the rows added since its last maintenance, and how many
 * files the index holds (lib/indexing/commit/file-counts.ts).
 */
export const indexes = collection({
  kind: 'index',
  schema: z.object({
    workspaceId: z.string(),
    space: z.string(),
    rows: count.optional(),
    commits: count.optional(),
    /** Files by their state in the index. */
    searchable: count.optional(),
    textless: count.optional(),
    failed: count.optional(),
    /** The commits that these three include. An earlier release adds to `commits` only: then the files are counted again. */
    counted: count.optional(),
    /** Names the commit that is changing states of files; it stays if that commit is killed. */
    counting: z.string().optional(),
    /** When the latest maintenance of each space started, in milliseconds. */
    maintained: z.record(z.string(), z.number()).optional(),
    /** The maintenance of each space that hasn't ended: it is running, or its worker died. */
    maintaining: z.record(z.string(), z.object({ beganAt: z.number(), aliveAt: z.number() })).optional(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: INDEXES, sort: workspaceId }),
});

export type SearchIndex = NonNullable<Awaited<ReturnType<typeof indexes.get>>>;

/** Returns the space that search must open; undefined if nothing was ever indexed. */
export async function readSearchSpace(records: Records, workspaceId: string): Promise<string | undefined> {
  return (await indexes.get(records, { workspaceId }))?.space;
}
