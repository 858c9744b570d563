import { DATASETS, datasets } from '../../lib/datasets/schema.ts';
import type { Records } from '../../lib/ports/records.ts';
import { newClaim, ROOTS, rootClaims, type Workspace, workspaces } from '../../lib/workspaces/schema.ts';

/**
 * Updates the records that contain locations in the data folder. Chats of bots name their directory too: they learn at the next
 * message that it doesn't exist, and must be bound again.
 */
export async function moveRecords(records: Records, before: string, after: string): Promise<void> {
  const move = (path: string) => (path.startsWith(`${before}/`) ? after + path.slice(before.length) : path);
  for (const claim of await Array.fromAsync(rootClaims.all(records, { partition: ROOTS }))) {
    if (move(claim.rootPath) === claim.rootPath) continue;
    await rootClaims.delete(records, claim);
    await rootClaims.put(records, { ...newClaim(moved(claim.workspace)), state: claim.state });
  }
  for (const workspace of await Array.fromAsync(workspaces.all(records, { partition: 'WORKSPACE' })))
    await workspaces.put(records, moved(workspace));
  for (const dataset of await Array.fromAsync(datasets.all(records, { partition: DATASETS })))
    await datasets.put(records, { ...dataset, localPath: move(dataset.localPath) });

  function moved(workspace: Workspace): Workspace {
    return { ...workspace, rootPath: move(workspace.rootPath) };
  }
}
