import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

export const noteTypeSchema = z
  .enum(['manual', 'summary', 'faq', 'brief', 'timeline', 'memory', 'daily_report', 'weekly_report'])
  .meta({ title: 'NoteType' });
export type NoteType = z.infer<typeof noteTypeSchema>;

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

const title = z.string().trim().min(1).max(500).meta({ pattern: '\\S' });

export const notesQuery = pageQuery.extend({
  workspaceId: idSchema,
  type: noteTypeSchema.optional(),
  q: z.string().trim().max(200).optional().describe('words that all stand in the title or the content'),
});
export type NotesQuery = z.output<typeof notesQuery>;
export const noteParams = z.object({ noteId: idSchema });
export const createNoteSchema = z.strictObject({
  workspaceId: idSchema,
  title,
  content: z.string().default(''),
});
export type CreateNote = z.output<typeof createNoteSchema>;
export const updateNoteSchema = z
  .strictObject({
    title: title.optional(),
    content: z.string().optional(),
    ifUpdatedAt: timestampSchema
      .optional()
      .describe('its `updatedAt` as it was read: 409 when somebody changed the note since'),
  })
  .refine(({ title, content }) => title !== undefined || content !== undefined, {
    message: 'must have a title or content',
  })
  .describe('It needs `title` or `content`.');
export type UpdateNote = z.output<typeof updateNoteSchema>;

/** Where a workspace's notes lie in the records store. */
export function notesPartition(workspaceId: string): string {
  return `NOTE#${workspaceId}`;
}

/** Listed newest first within a workspace: ids are UUIDv7. */
export const notes = collection({
  kind: 'note',
  schema: noteSchema,
  key: ({ workspaceId, id }: { workspaceId: string; id: string }) => ({
    partition: notesPartition(workspaceId),
    sort: id,
  }),
});

/**
 * The workspace that a note lies in: with it a note is found by its id alone, at once after it was made, which a
 * secondary index does not promise on DynamoDB. It is written before its note and removed after it; only where a whole
 * workspace goes, the places go first, page by page.
 */
export const notePlaces = collection({
  kind: 'note-place',
  schema: z.object({ id: z.string(), workspaceId: z.string() }),
  key: ({ id }: { id: string }) => ({ partition: 'NOTE_PLACE', sort: id }),
});
