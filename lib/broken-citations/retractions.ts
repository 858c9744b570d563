import * as z from 'zod';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';

/** Kept papers that their source says are retracted. */
export const retractedPapers = collection({
  kind: 'retracted-paper',
  schema: z.object({ workspaceId: z.string(), path: z.string() }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: retractedPartition(workspaceId),
    sort: path,
  }),
});

export function retractedPartition(workspaceId: string): string {
  return `RETRACTED#${workspaceId}`;
}

export async function isRetracted(records: Records, workspaceId: string, path: string): Promise<boolean> {
  return (await retractedPapers.get(records, { workspaceId, path })) !== undefined;
}
