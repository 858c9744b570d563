import type { Records } from '../ports/records.ts';
import { framesSoFar } from '../run-events/follow-frames.ts';
import { foldFrames } from './fold-frames.ts';

export interface ReportChanges {
  /** Claims that the previous report didn't have. */
  fresh: number;
  /** Quotes of the previous report that no longer appear in their sources. */
  gone: number;
}

/** Returns what a refreshed report has that the previous one didn't, as its first section says it. */
export async function changesSince(
  records: Records,
  runId: string,
  previousRunId: string,
): Promise<ReportChanges> {
  const [now, before] = await Promise.all(
    [runId, previousRunId].map(async (id) => foldFrames(await framesSoFar(records, id)).evidence),
  );
  const idsOf = (evidence: typeof now = []) => new Set(evidence.map(({ id }) => id));
  const [ids, known] = [idsOf(now), idsOf(before)];
  const fresh = (now ?? []).filter(({ id, supports }) => supports === 'yes' && !known.has(id)).length;
  return { fresh, gone: [...known].filter((id) => !ids.has(id)).length };
}
