import type { CommitMessage } from './messages.ts';
import { countTexts, type Sync } from './schema.ts';

/** A sync's work, as a scan found it. */
export type Plan = Extract<CommitMessage, { kind: 'plan' }>;

/** Returns the sync at the start of a plan, when nothing is done yet. */
export function planned(
  sync: Sync,
  { planId, batches, total, unchanged, skipped, space, errors }: Plan,
): Sync {
  const counts = { newCount: 0, updatedCount: 0, removedCount: 0, failedCount: 0 };
  return {
    ...sync,
    ...counts,
    status: 'indexing',
    space,
    planId,
    doneBatches: [],
    splitBatches: [],
    textsEmbedded: countTexts(sync),
    textsUnderWay: [],
    lackingCount: 0,
    errors,
    batches,
    total,
    unchangedCount: unchanged,
    skippedCount: skipped,
  };
}
