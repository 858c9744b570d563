import { activitiesPartition } from '../activity/schema.ts';
import type { Records } from '../ports/records.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { reportsPartition } from './report-claims.ts';
import { notePlaces, notes, notesPartition } from './schema.ts';

const AT_ONCE = 100;

/** Removes the notes of a deleted workspace, the sources of its reports, and the records that say which reports exist. */
export async function dropNotes(records: Records, workspaceId: string): Promise<void> {
  for (;;) {
    const { items } = await notes.list(records, { partition: notesPartition(workspaceId), limit: AT_ONCE });
    if (items.length === 0) break;
    await notePlaces.deleteMany(records, items);
    await notes.deleteMany(records, items);
  }
  await dropPartition(records, activitiesPartition(workspaceId));
  await dropPartition(records, reportsPartition(workspaceId));
}
