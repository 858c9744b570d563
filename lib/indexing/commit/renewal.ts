import { firstGeneration } from '../../passages/embedding-space.ts';
import type { WriterPorts } from '../ports.ts';
import { renewSpace } from '../renew-space.ts';
import { isRunning, syncs } from '../schema.ts';
import { failSync, startSync } from '../sync.ts';
import type { OtherLength } from './commit-rows.ts';

/**
 * Handles vectors of another length: replaces the running sync with one that fills another table next to the
 * current one. If some vectors have the length of the table, the service has several models under one name.
 */
export function renewalOf(
  ports: WriterPorts,
  { workspaceId, space }: { workspaceId: string; space: string },
) {
  let renewed: string | undefined;
  return {
    async explain({ length, wanted, isOfAll }: OtherLength): Promise<string> {
      renewed = isOfAll ? await renewSpace(ports, workspaceId, space) : undefined;
      return renewed === undefined
        ? `The service returns vectors of ${wanted} and of ${length} dimensions under one model name. Check the embedding service, then re-index.`
        : `The vectors have ${length} dimensions, and the index ${wanted}. It is being built again.`;
    },
    async start(): Promise<void> {
      if (renewed === undefined) return;
      const sync = await syncs.get(ports.records, { workspaceId });
      if (sync !== undefined && isRunning(sync.status) && sync.space !== renewed)
        await failSync(
          ports,
          sync,
          'The embedding model has other dimensions. The index is being built again.',
        );
      await startSync({ ...ports, space: firstGeneration(space) }, workspaceId);
    },
  };
}
