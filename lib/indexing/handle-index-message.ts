import { log } from '../log.ts';
import { embeddingSpaceOf } from '../passages/embedding-space.ts';
import { readFilledSpace } from '../passages/search-space.ts';
import { NO_ID } from '../passages/tables.ts';
import { leadsToOwnPlace } from '../paths/own-folders.ts';
import type { Delivery } from '../queue/worker.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { sendCommit, sendIndex } from './enqueue.ts';
import { type Batch, type GoesOn, type IndexMessage, NO_TALLY } from './messages.ts';
import type { IndexPorts } from './ports.ts';
import { readingOf } from './read/how-read.ts';
import { indexBatch, indexTouched } from './read/index-files.ts';
import { ReaderFailed } from './read/read-file.ts';
import { recognizeStep } from './recognize/recognize-step.ts';
import { advanceReindex } from './reindex.ts';
import { lookAtWorkspace, scanWorkspace } from './scan/scan.ts';
import { type IndexedFile, indexError, isRunning, syncs } from './schema.ts';
import { failSync } from './sync.ts';

/**
 * The number of the delivery at which a batch is split, or a single file is skipped, because each earlier
 * delivery threw or ended its worker.
 */
export const SPLIT_AT = 3;
export const GIVE_UP_AT = 4;

type ScanMessage = Extract<IndexMessage, { kind: 'scan' }>;
type FilesMessage = Extract<IndexMessage, { kind: 'files' }>;
type BatchMessage = FilesMessage & { batch: Batch };

/** Handles one message of the queues `index` and `touch`. */
export async function handleIndexMessage(
  ports: IndexPorts,
  message: IndexMessage,
  { receiveCount }: Delivery,
): Promise<void> {
  if (message.kind === 'reindex') return advanceReindex(ports, message);
  if (message.kind === 'probe') return sendCommit(ports.commitQueue, message);
  const workspace = await workspaces.get(ports.records, { id: message.workspaceId });
  if (workspace === undefined) return;
  if (await leadsToOwnPlace(workspace.rootPath)) return refuseOwnPlace(ports, message);
  switch (message.kind) {
    case 'scan':
      return scan(ports, workspace, message, receiveCount);
    case 'touch':
      return indexTouched(ports, workspace, message);
    case 'look':
      return lookAtWorkspace(ports, workspace);
    case 'quotes':
      return ports.checkQuotes?.(workspace, message);
    case 'recognize':
      return recognizeStep(ports, workspace, message, receiveCount);
    case 'files':
      return indexFiles(ports, workspace, message, receiveCount);
  }
}

async function indexFiles(
  ports: IndexPorts,
  workspace: Workspace,
  message: FilesMessage,
  receiveCount: number,
): Promise<void> {
  const count = message.files.length;
  if (isBatch(message) && count > 1 && receiveCount >= SPLIT_AT) return splitBatch(ports, message);
  if (isBatch(message) && count === 1 && receiveCount >= GIVE_UP_AT) return giveUp(ports, message);
  try {
    await indexBatch(ports, workspace, message);
  } catch (error) {
    // The other files don't wait, because the fault may be this file's.
    if (!(error instanceof ReaderFailed && isBatch(message) && count > 1)) throw error;
    log.warn('a batch is split, for a reader failed', { reason: error.message });
    await splitBatch(ports, message);
  }
}

/**
 * Fails the sync instead of reading the service's own folder. Otherwise, re-indexing all workspaces would
 * wait for this sync.
 */
async function refuseOwnPlace(ports: IndexPorts, message: IndexMessage): Promise<void> {
  if (message.kind !== 'scan') return;
  const sync = await syncs.get(ports.records, { workspaceId: message.workspaceId });
  if (sync?.syncId === message.syncId && isRunning(sync.status))
    await failSync(
      ports,
      sync,
      "The workspace directory overlaps the service's own folders. Remove the workspace.",
    );
}

function isBatch(message: FilesMessage): message is BatchMessage {
  return message.batch !== undefined;
}

/** A scan that keeps failing ends its sync, so that nothing waits for it. */
async function scan(
  ports: IndexPorts,
  workspace: Workspace,
  message: ScanMessage,
  receiveCount: number,
): Promise<void> {
  const { syncId } = message;
  if (receiveCount < GIVE_UP_AT) return scanWorkspace(ports, workspace, message);
  const sync = await syncs.get(ports.records, { workspaceId: workspace.id });
  if (sync?.syncId === syncId && isRunning(sync.status)) {
    await failSync(ports, sync, 'Scanning the directory failed repeatedly. Sync again.');
  }
}

/** Splits the batch, so that one bad file doesn't affect the others. */
async function splitBatch({ indexQueue, commitQueue }: IndexPorts, message: BatchMessage): Promise<void> {
  const { workspaceId, batch, files } = message;
  await sendCommit(commitQueue, { kind: 'split', workspaceId, batch, parts: files.length });
  const parts = files.map((file, index) => ({
    ...message,
    batch: { ...batch, number: `${batch.number}/${index}` },
    files: [file],
    removed: index === 0 ? message.removed : [],
    goesOn: index === 0 ? withoutTexts(message.goesOn) : undefined,
  }));
  await sendIndex(indexQueue, workspaceId, parts);
}

/** Returns the message without its texts, because the writer counts those of the whole batch. */
function withoutTexts(goesOn: GoesOn | undefined): GoesOn | undefined {
  return goesOn && { ...goesOn, tally: { ...goesOn.tally, texts: 0 } };
}

/** Records the files as failed, and counts the batch as done. */
async function giveUp(
  { records, commitQueue, embedder, clock }: IndexPorts,
  message: BatchMessage,
): Promise<void> {
  const { workspaceId, batch, files, removed, goesOn } = message;
  const tally = goesOn?.tally ?? NO_TALLY;
  const readAt = clock.now();
  const space = await readFilledSpace(records, workspaceId, embeddingSpaceOf(embedder));
  const given = { workspaceId, space, readAt, error: 'Indexing this file failed repeatedly. Sync again.' };
  await sendCommit(commitQueue, {
    kind: 'results',
    workspaceId,
    space,
    results: [
      ...files.map(({ path }) => ({ outcome: 'failed' as const, path, readAt, file: givenUp(path, given) })),
      ...removed.map((path) => ({ outcome: 'removed' as const, path, readAt })),
    ],
    finishes: {
      ...tally,
      batch,
      removedCount: tally.removedCount + removed.length,
      failedCount: tally.failedCount + files.length,
      errors: [...tally.errors, ...files.map(({ path }) => indexError(path, given.error))],
    },
  });
}

type Given = Pick<IndexedFile, 'workspaceId' | 'space' | 'readAt' | 'error'>;

/** Returns the record of a file of which only the failure is known. */
function givenUp(path: string, given: Given): IndexedFile {
  return {
    ...given,
    ...readingOf(path),
    path,
    size: 0,
    mtimeMs: 0,
    ctimeMs: 0,
    hash: '',
    chunks: 0,
    table: NO_ID,
    embedded: true,
    reason: 'broken',
    givenUp: true,
  };
}
