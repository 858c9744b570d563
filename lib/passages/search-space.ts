import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';

const count = z.number().int();

/** Where all of them lie. */
export const INDEXES = 'INDEX';

/** Which space (lib/ports/vectors.ts) answers searches of a workspace, and what came in since its last maintenance. */
export const indexes = collection({
  kind: 'index',
  schema: z.object({
    workspaceId: z.string(),
    space: z.string(),
    rows: count.optional(),
    commits: count.optional(),
    /** When the latest maintenance of each space began, in milliseconds. */
    maintained: z.record(z.string(), z.number()).optional(),
    /** The maintenance of each space that has not ended: it goes on, or its worker died. */
    maintaining: z.record(z.string(), z.object({ beganAt: z.number(), aliveAt: z.number() })).optional(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: INDEXES, sort: workspaceId }),
});

/** The space that search must open; undefined when nothing was ever indexed. */
export async function readSearchSpace(records: Records, workspaceId: string): Promise<string | undefined> {
  return (await indexes.get(records, { workspaceId }))?.space;
}
