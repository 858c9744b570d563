import { firstIdOf } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import type { PageQuery } from '../records/page.ts';
import { type Activity, activities, activitiesPartition } from './schema.ts';

/** The maximum number of activities read for one report. */
const MAX_LISTED = 20_000;

/** Returns a page of a workspace's activities, newest first. */
export async function pageActivities(
  records: Records,
  workspaceId: string,
  { limit, cursor }: PageQuery,
): Promise<{ items: Activity[]; cursor?: string }> {
  return activities.list(records, {
    partition: activitiesPartition(workspaceId),
    order: 'descending',
    limit,
    cursor,
  });
}

/**
 * Lists activities from one moment until before another (both in milliseconds), oldest first. Returns at most
 * 20,000.
 */
export async function listActivities(
  records: Records,
  workspaceId: string,
  { from, to }: { from: number; to: number },
): Promise<{ activities: Activity[]; complete: boolean }> {
  const found: Activity[] = [];
  const partition = activitiesPartition(workspaceId);
  const within = { partition, from: firstIdOf(from), to: firstIdOf(to) };
  for await (const activity of activities.all(records, within)) {
    if (found.length === MAX_LISTED) return { activities: found, complete: false };
    found.push(activity);
  }
  return { activities: found, complete: true };
}
