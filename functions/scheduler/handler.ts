import { sweepKept } from '../../lib/agent/undo/kept-folders.ts';
import { sweepChats } from '../../lib/bots/work/sweep.ts';
import { readConfig } from '../../lib/config.ts';
import { sweepDownloads } from '../../lib/datasets/download/sweep.ts';
import { sweepFollowed } from '../../lib/evidence/follow.ts';
import { cleanQuietTables } from '../../lib/indexing/commit/cleaning.ts';
import { failStalledSyncs } from '../../lib/indexing/fail-stalled-syncs.ts';
import { renewIndexes } from '../../lib/indexing/renew-indexes.ts';
import { log } from '../../lib/log.ts';
import { sweepOffboardings } from '../../lib/offboarding/sweep.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { settleDocuments } from '../../lib/quotations/checks/settle-documents.ts';
import { sweepErasures } from '../../lib/runs/erase.ts';
import { sweepRuns } from '../../lib/runs/sweep.ts';
import { recallSources } from '../../lib/sources/work.ts';
import { askForRetractions } from '../../lib/tasks/check-retractions.ts';
import { enqueueDueTasks } from '../../lib/tasks/enqueue-due-tasks.ts';
import { sweepDrafts } from '../../lib/verify/draft-checks.ts';
import { sweepWebhooks } from '../../lib/webhooks/deliver.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openTidying } from '../../lib/wiring/storage.ts';

const config = readConfig();
const tidy = await openTidying(config);
const ports = {
  records: await openRecords(config),
  agentQueue: await openQueue(config, 'agent'),
  botQueue: await openQueue(config, 'bot'),
  datasetQueue: await openQueue(config, 'dataset'),
  indexQueue: await openQueue(config, 'index'),
  maintainQueue: await openQueue(config, 'maintain'),
  touchQueue: await openQueue(config, 'touch'),
  taskQueue: await openQueue(config, 'task'),
  clock: systemClock,
};

/** Functions that check each minute for due work: dead workers, lost messages, and scheduled work. */
const reapers = [
  failStalledSyncs,
  settleDocuments,
  askForRetractions,
  renewIndexes,
  cleanQuietTables,
  sweepRuns,
  sweepErasures,
  sweepOffboardings,
  sweepKept,
  sweepDrafts,
  sweepFollowed,
  sweepChats,
  sweepDownloads,
  enqueueDueTasks,
  recallSources,
  sweepWebhooks,
  ...(tidy === undefined ? [] : [tidy]),
];

/**
 * The scheduler tick, which runs every minute and finds due work. Idempotent within a minute. If one part
 * fails, the others still run.
 */
export async function handler(): Promise<void> {
  const ticks = await Promise.allSettled(reapers.map((reaper) => reaper(ports)));
  const failed = ticks.filter((tick) => tick.status === 'rejected');
  for (const { reason } of failed) log.error('a part of the tick failed', {}, reason);
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${ticks.length} parts of the scheduler tick failed.`);
}
