import type { Records } from '../../ports/records.ts';
import { links, linksPartition } from '../schema.ts';

/** Deletes a workspace's dataset links; keeps the datasets. */
export async function dropLinks(records: Records, workspaceId: string): Promise<void> {
  const own = links.all(records, { partition: linksPartition(workspaceId) });
  await links.deleteMany(records, await Array.fromAsync(own));
}
