import type { Records } from '../../ports/records.ts';
import { type DatasetLink, links, linksPartition } from '../schema.ts';

/** Deletes a workspace's dataset links; keeps the datasets. */
export async function dropLinks(records: Records, workspaceId: string): Promise<void> {
  const own: DatasetLink[] = [];
  for await (const link of links.all(records, { partition: linksPartition(workspaceId) })) own.push(link);
  await links.deleteMany(records, own);
}
