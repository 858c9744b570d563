import type { Records } from '../ports/records.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { answersPartition } from './kept-records.ts';

/** Removes the stored model answers of a deleted workspace. */
export async function dropAnswers(records: Records, workspaceId: string): Promise<void> {
  await dropPartition(records, answersPartition(workspaceId));
}
