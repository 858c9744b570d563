import type { Records } from '../../ports/records.ts';
import { DUE, type Run, runLeases, runs } from '../schema.ts';

/**
 * How many active runs of the whole service are read: those that the tick looks at last. A run that waits for a
 * person is among them, because it's looked at when its approval expires.
 */
const MAX_LOOKED_AT = 1000;

/** The runs that wait for a person, newest first, by their workspaces: two reads, however many workspaces there are. */
export async function waitingRuns(records: Records): Promise<Map<string, Run[]>> {
  const query = { partition: DUE, byIndex: true, order: 'descending' as const, limit: MAX_LOOKED_AT };
  const { items } = await runLeases.list(records, query);
  const found = await runs.getMany(
    records,
    items.map(({ runId }) => ({ id: runId })),
  );
  const waiting = found.filter(({ status }) => status === 'waiting');
  return Map.groupBy(
    waiting.sort((one, other) => (one.id < other.id ? 1 : -1)),
    ({ workspaceId }) => workspaceId,
  );
}
