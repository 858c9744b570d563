import * as z from 'zod';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';

/** Saved papers that their source reports as retracted. */
export const retractedPapers = collection({
  kind: 'retracted-paper',
  schema: z.object({ workspaceId: z.string(), path: z.string() }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: retractedPartition(workspaceId),
    sort: path,
  }),
});

export function retractedPartition(workspaceId: string): string {
  return `RETRACTED#${workspaceId}`;
}

export async function isRetracted(records: Records, workspaceId: string, path: string): Promise<boolean> {
  return (await retractedPapers.get(records, { workspaceId, path })) !== undefined;
}

export const RETRACTION_CHECKS = 'RETRACTION_CHECK';

/** Workspaces with saved papers, and the next time to ask the sources about these. */
export const retractionChecks = collection({
  kind: 'retraction-check',
  schema: z.object({ workspaceId: z.string(), dueAt: z.string() }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: RETRACTION_CHECKS, sort: workspaceId }),
  index: ({ workspaceId, dueAt }) => ({ partition: RETRACTION_CHECKS, sort: `${dueAt}#${workspaceId}` }),
});

/** Schedules checks of a saved paper. Its source is asked at the next tick, and then once per day. */
export async function checkRetractionsSoon(
  { records, clock }: TimedRecords,
  workspaceId: string,
): Promise<void> {
  await retractionChecks.put(records, { workspaceId, dueAt: timestamp(clock) });
}
