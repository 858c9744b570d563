import * as z from 'zod';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../ports/collection.ts';

export const noteTypeSchema = z.enum([
  'manual',
  'summary',
  'faq',
  'brief',
  'timeline',
  'memory',
  'daily_report',
  'weekly_report',
]);

/** Not strict, for it is stored too: a later version may have added a field. */
export const noteSchema = z
  .object({
    id: z.uuid(),
    workspaceId: z.string(),
    title: z.string(),
    content: z.string(),
    type: noteTypeSchema,
    reportDate: z.iso.date().nullable().describe('the day, or the first day of the week, of a report'),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof noteSchema>;

/** Where a workspace's notes lie in the records store. */
export function notesPartition(workspaceId: string): string {
  return `NOTE#${workspaceId}`;
}

/** Listed newest first within a workspace: ids are UUIDv7. */
export const notes = collection({
  schema: noteSchema,
  key: ({ workspaceId, id }: { workspaceId: string; id: string }) => ({
    partition: notesPartition(workspaceId),
    sort: id,
  }),
});
