import { modelOf } from '../../passages/embedding-space.ts';
import { indexes, readSearchSpace } from '../../passages/search-space.ts';
import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { askForMaintenance } from '../enqueue.ts';
import type { CommitMessage, FinishedBatch } from '../messages.ts';
import { type Plan, planned } from '../plan.ts';
import type { CommitPorts, WriterPorts } from '../ports.ts';
import { recordSync } from '../record-sync.ts';
import { indexError, isRunning, MAX_ERRORS, type Sync, syncs } from '../schema.ts';
import { unmarkSynced } from '../waiting-files.ts';
import { countAgain, reliableCounts } from './file-counts.ts';

/** The maximum share of files without vectors for a table to replace one of another model. */
const MAY_LACK = 0.1;

type EmbeddedTexts = NonNullable<Extract<CommitMessage, { kind: 'results' }>['embedded']>;
type Split = Extract<CommitMessage, { kind: 'split' }>;
type Probe = Extract<CommitMessage, { kind: 'probe' }>;

/**
 * The scan's plan replaces any earlier plan of the same sync. Files that the earlier plan finished are now
 * unchanged.
 */
export async function takePlan(ports: WriterPorts, plan: Plan): Promise<void> {
  const sync = await syncs.get(ports.records, { workspaceId: plan.workspaceId });
  if (sync?.syncId !== plan.syncId || !isRunning(sync.status) || sync.planId === plan.planId) return;
  await advance(ports, planned(sync, plan));
}

/**
 * All earlier messages have been handled, so silence counts from now on. The probe itself isn't a heartbeat.
 */
export async function takeProbe({ records, clock }: TimedRecords, probe: Probe): Promise<void> {
  const { workspaceId, syncId, sentAt } = probe;
  const sync = await syncs.get(records, { workspaceId });
  if (sync?.syncId !== syncId || sentAt <= sync.heartbeatAt) return;
  if (sync.probe === null || sync.probe.returnedAt !== null) return;
  const returned = { ...sync, probe: { ...sync.probe, returnedAt: timestamp(clock) } };
  await syncs.put(records, returned, { syncId, heartbeatAt: sync.heartbeatAt });
}

/** The parts of a split batch replace it in the counts. */
export async function takeSplit(ports: WriterPorts, { workspaceId, batch, parts }: Split): Promise<void> {
  const sync = await findSync(ports, workspaceId, batch);
  if (sync === undefined) return;
  await advance(ports, {
    ...sync,
    batches: sync.batches + parts,
    doneBatches: [...sync.doneBatches, batch.number],
    splitBatches: [...sync.splitBatches, batch.number],
    textsEmbedded: sync.textsEmbedded + textsOf(sync, batch.number),
    textsUnderWay: withoutBatch(sync, batch.number),
  });
}

/** Reports the progress of batches whose embedding takes long. A repeated message reports nothing new. */
export async function showEmbedded(
  ports: WriterPorts,
  workspaceId: string,
  underWay: EmbeddedTexts[],
): Promise<void> {
  const latest = new Map(underWay.map((embedded) => [embedded.batch.number, embedded]));
  for (const { batch, texts, files } of latest.values()) {
    const sync = await findSync(ports, workspaceId, batch);
    const told = sync?.textsUnderWay.find(({ number }) => number === batch.number);
    if (sync === undefined || !isNews({ texts, files }, told)) continue;
    // More read than embedded.
    const most = told !== undefined && filesOf(files) < filesOf(told.files) ? told.files : files;
    const textsUnderWay = [...withoutBatch(sync, batch.number), { number: batch.number, texts, files: most }];
    await advance(ports, { ...sync, textsUnderWay });
  }
}

type UnderWay = Omit<Sync['textsUnderWay'][number], 'number'>;

function isNews({ texts, files }: UnderWay, told: UnderWay | undefined): boolean {
  if (told === undefined) return texts > 0 || filesOf(files) > 0;
  return texts > told.texts || (texts === told.texts && filesOf(files) > filesOf(told.files));
}

function filesOf(files: UnderWay['files']): number {
  return Object.values(files).reduce((sum, files) => sum + files, 0);
}

/** Counts each finished batch once, however often its message arrives. */
export async function countBatches(
  ports: WriterPorts,
  workspaceId: string,
  finished: FinishedBatch[],
): Promise<void> {
  for (const done of finished) {
    const sync = await findSync(ports, workspaceId, done.batch);
    if (sync === undefined) continue;
    await advance(ports, {
      ...sync,
      doneBatches: [...sync.doneBatches, done.batch.number],
      newCount: sync.newCount + done.newCount,
      updatedCount: sync.updatedCount + done.updatedCount,
      unchangedCount: sync.unchangedCount + done.unchangedCount,
      removedCount: sync.removedCount + done.removedCount,
      failedCount: sync.failedCount + done.failedCount,
      textsEmbedded: sync.textsEmbedded + Math.max(done.texts, textsOf(sync, done.batch.number)),
      textsUnderWay: withoutBatch(sync, done.batch.number),
      skippedCount: sync.skippedCount + done.skippedCount,
      // Some files turn out not to belong in the index only when they are read.
      total: sync.total - done.skippedCount,
      lackingCount: sync.lackingCount + done.lackingCount,
      errors: [...sync.errors, ...done.errors].slice(0, MAX_ERRORS),
    });
  }
}

function textsOf({ textsUnderWay }: Sync, batch: string): number {
  return textsUnderWay.find(({ number }) => number === batch)?.texts ?? 0;
}

function withoutBatch({ textsUnderWay }: Sync, batch: string): Sync['textsUnderWay'] {
  return textsUnderWay.filter(({ number }) => number !== batch);
}

/** Returns the sync if it still waits for this batch. */
async function findSync({ records }: CommitPorts, workspaceId: string, batch: FinishedBatch['batch']) {
  const sync = await syncs.get(records, { workspaceId });
  if (sync === undefined || !isRunning(sync.status)) return undefined;
  if (sync.syncId !== batch.syncId || sync.planId !== batch.planId) return undefined;
  return sync.doneBatches.includes(batch.number) || isStrayPart(sync, batch.number) ? undefined : sync;
}

/**
 * Returns whether a part belongs to a batch that was already done when it was split. Such a batch was
 * delivered once too often.
 */
function isStrayPart({ splitBatches }: Sync, number: string): boolean {
  const [whole = '', part] = number.split('/');
  return part !== undefined && !splitBatches.includes(whole);
}

async function advance(ports: WriterPorts, sync: Sync): Promise<void> {
  const now = timestamp(ports.clock);
  const complete = sync.doneBatches.length >= sync.batches;
  const ended = complete ? { ...(await settle(ports, sync)), finishedAt: now } : {};
  const stored = { ...sync, ...ended, heartbeatAt: now };
  const kept = await syncs.put(ports.records, stored, { syncId: sync.syncId });
  if (!complete || !kept) return;
  await unmarkSynced(ports, sync);
  await recordSync(ports, sync);
}

/**
 * Returns the end of a complete sync. If the embedding service failed in the meantime, the earlier model's
 * vectors are better than a few of the new one's. Searches then continue in the old table, and the next sync
 * embeds the missing texts.
 */
async function settle(ports: WriterPorts, sync: Sync): Promise<Partial<Sync>> {
  const before = await readSearchSpace(ports.records, sync.workspaceId);
  const isSearched = before !== undefined && before !== sync.space && modelOf(before) !== null;
  const { lackingCount, total, errors } = sync;
  if (!isSearched || lackingCount <= total * MAY_LACK) {
    await switchSpace(ports, sync);
    return { status: 'ready' };
  }
  const error = `Embedding failed for ${lackingCount} files. Searches still use the previous index. Sync again.`;
  return { status: 'failed', errors: [indexError('', error), ...errors].slice(0, MAX_ERRORS) };
}

/** From now on, searches use the space that this sync filled, and the old one is deleted. */
async function switchSpace(ports: WriterPorts, sync: Sync): Promise<void> {
  const { records, vectors } = ports;
  const { workspaceId, space } = sync;
  const before = await indexes.get(records, { workspaceId });
  const counts = reliableCounts(before);
  const renewing = before?.renewing === space ? undefined : before?.renewing;
  const { renewals } = before ?? {};
  await indexes.put(records, {
    ...{ workspaceId, space, ...counts },
    ...(renewing !== undefined && { renewing }),
    ...(renewals !== undefined && { renewals }),
  });
  if (counts === undefined) await countAgain(ports, workspaceId);
  await vectors.drop(workspaceId, { keepSpace: space }); // also deletes leftovers of an interrupted run
  if (sync.batches > 0) await askForMaintenance(ports, [{ workspaceId, space }]);
}
