import { LEFT_TO_CALLS_BYTES, withDiskReserve } from '../../async/disk-reserve.ts';
import { extractsPrefix } from '../../formats/extract-key.ts';
import { indexes } from '../../passages/search-space.ts';
import { passageTables, tablesPartition } from '../../passages/tables.ts';
import type { Records } from '../../ports/records.ts';
import { dropQuotesIn } from '../../quotations/records/keep-quotes.ts';
import type { Collection } from '../../records/collection.ts';
import { type Workspace, workspaces } from '../../workspaces/schema.ts';
import { askForMaintenance } from '../enqueue.ts';
import type { CommitMessage } from '../messages.ts';
import type { CommitPorts, WriterPorts } from '../ports.ts';
import { pendingPartition, pendingRecognitions, recognitionRuns } from '../recognize/schema.ts';
import {
  filesPartition,
  folderLooks,
  indexedFiles,
  skippedFiles,
  skippedLists,
  skippedPartition,
  syncs,
} from '../schema.ts';
import { waitingFiles, waitingPartition } from '../waiting-files.ts';
import { folderWatches } from '../watch/schema.ts';
import { dropCleanings } from './cleaning.ts';
import { commitResults, type Results } from './commit-results.ts';
import { asOnlyWriter } from './only-writer.ts';
import { takePlan, takeProbe, takeSplit } from './progress.ts';
import { extractWalks, staleExtracts, stalePartition } from './stale-extracts.ts';

const FILES_AT_ONCE = 500;

/**
 * Processes a workspace's messages in order, as the only writer of its tables. Throws LeaseLost if the worker
 * was paused past its lease. The messages then arrive again, and files that it may have written late are read
 * again.
 */
export async function commitMessages(ports: CommitPorts, messages: CommitMessage[]): Promise<void> {
  const [first] = messages;
  if (first !== undefined)
    await asOnlyWriter(ports, first, (held) => commitInOrder({ ...ports, held }, messages));
}

/** Merges adjacent results into one commit. Writes nothing for a deleted workspace. */
async function commitInOrder(ports: WriterPorts, messages: CommitMessage[]): Promise<void> {
  let workspace = await workspaces.get(ports.records, { id: messages[0]?.workspaceId ?? '' });
  const pending: Results[] = [];
  const flush = async () => {
    const batch = pending.splice(0);
    if (workspace !== undefined && batch.length > 0) await commitResults(ports, workspace, batch);
  };
  for (const message of messages) {
    const joins = message.kind === 'results' && (pending[0]?.space ?? message.space) === message.space;
    if (!joins) await flush();
    if (message.kind === 'results') pending.push(message);
    else await takeOther(ports, message, workspace);
    if (message.kind === 'drop') workspace = undefined; // later messages belong to the dropped index
  }
  await flush();
}

async function takeOther(
  ports: WriterPorts,
  message: Exclude<CommitMessage, Results>,
  workspace: Workspace | undefined,
): Promise<void> {
  ports.held.requireHeld();
  if (message.kind === 'drop')
    return withDiskReserve(() => dropAll(ports, message.workspaceId), LEFT_TO_CALLS_BYTES);
  if (workspace === undefined) return;
  if (message.kind === 'plan') return takePlan(ports, message);
  if (message.kind === 'split') return takeSplit(ports, message);
  if (message.kind === 'probe') return takeProbe(ports, message);
  return askForMaintenance(ports, [message]);
}

async function dropAll({ records, vectors, objects }: CommitPorts, workspaceId: string): Promise<void> {
  await vectors.drop(workspaceId);
  // Without records of pending OCR, its results aren't stored.
  await dropAllOf(records, pendingRecognitions, pendingPartition(workspaceId));
  await objects.deletePrefix(extractsPrefix(workspaceId));
  await dropAllOf(records, staleExtracts, stalePartition(workspaceId));
  await extractWalks.delete(records, { workspaceId });
  await dropAllOf(records, indexedFiles, filesPartition(workspaceId));
  await dropCleanings(records, workspaceId);
  await dropAllOf(records, waitingFiles, waitingPartition(workspaceId));
  await folderLooks.delete(records, { workspaceId });
  await folderWatches.delete(records, { workspaceId });
  await dropAllOf(records, skippedFiles, skippedPartition(workspaceId));
  await recognitionRuns.delete(records, { workspaceId });
  await skippedLists.delete(records, { workspaceId });
  await dropAllOf(records, passageTables, tablesPartition(workspaceId));
  await dropQuotesIn(records, workspaceId);
  await syncs.delete(records, { workspaceId });
  await indexes.delete(records, { workspaceId });
}

async function dropAllOf<Item extends Id, Id>(
  records: Records,
  { list, deleteMany }: Collection<Item, Id>,
  partition: string,
): Promise<void> {
  for (;;) {
    const { items } = await list(records, { partition, limit: FILES_AT_ONCE });
    if (items.length === 0) return;
    await deleteMany(records, items);
  }
}
