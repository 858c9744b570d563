import type { Records } from '../ports/records.ts';
import { clones } from './schema.ts';

/** Forgets where the clone in a workspace came from that goes away. */
export async function dropClone(records: Records, workspaceId: string): Promise<void> {
  await clones.delete(records, { workspaceId });
}
