import * as z from 'zod';
import { NOTE_TYPES } from '../api-contract/note-types.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

const noteTypeSchema = z.enum(NOTE_TYPES).meta({ title: 'NoteType' });

/** Not strict, because records are parsed with it too, and a later version may have added a field. */
const noteSchema = z.object({
  id: z.uuid(),
  workspaceId: z.string(),
  title: z.string(),
  content: z.string().describe('Text of the note, as Markdown.'),
  type: noteTypeSchema,
  reportDate: z.iso
    .date()
    .nullable()
    .describe('Day of a daily report, or first day of the week of a weekly report.'),
  runId: z.string().optional().describe('ID of the research report that the note is. Absent for others.'),
  createdBy: z
    .string()
    .optional()
    .describe('ID of the caller who created the note. Absent for notes that the service wrote.'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema.describe(
    'Time of the latest change. Send it as `ifUpdatedAt` to change this version.',
  ),
});
export type Note = z.infer<typeof noteSchema>;

/** A note with its creator's name, because every note is visible to all users of its workspace. */
export const signedNoteSchema = noteSchema
  .extend({
    createdByName: z
      .string()
      .optional()
      .describe('Present name of the user or the token with the ID in `createdBy`, as far as it is known.'),
  })
  .meta({ id: 'Note' });

const title = z.string().trim().min(1).max(500).meta({ pattern: '\\S' });

export const notesQuery = pageQuery.extend({
  workspaceId: idSchema.describe('ID of the workspace.'),
  type: noteTypeSchema.optional().describe('Type of the notes to list.'),
  q: z.string().trim().max(200).optional().describe('Words that the title or the content must all contain.'),
});
export type NotesQuery = z.output<typeof notesQuery>;
export const noteParams = z.object({ noteId: idSchema.describe('ID of the note.') });
export const createNoteSchema = z.strictObject({
  workspaceId: idSchema,
  title,
  content: z.string().default('').describe('Text of the note, as Markdown.'),
});
export const updateNoteSchema = z
  .strictObject({
    title: title.optional(),
    content: z.string().optional().describe('New text of the note, as Markdown.'),
    ifUpdatedAt: timestampSchema
      .optional()
      .describe(
        'Value of `updatedAt` when you read the note. The request returns 409 if the note was changed after that.',
      ),
  })
  .refine(({ title, content }) => title !== undefined || content !== undefined, {
    message: 'must have a title or content',
  })
  .describe('Changes to a note. They need `title` or `content`.');
export type UpdateNote = z.output<typeof updateNoteSchema>;

/** Returns the partition of a workspace's notes in the records store. */
export function notesPartition(workspaceId: string): string {
  return `NOTE#${workspaceId}`;
}

/** The list is in order of time, because the IDs are UUIDv7. */
export const notes = collection({
  kind: 'note',
  schema: noteSchema,
  key: ({ workspaceId, id }: { workspaceId: string; id: string }) => ({
    partition: notesPartition(workspaceId),
    sort: id,
  }),
});

/**
 * The workspace of a note. This record finds a note by its ID right after creation, which a secondary index
 * of DynamoDB doesn't guarantee. It is written before its note and removed after it. When a whole workspace
 * is deleted, these records are removed first, page by page.
 */
export const notePlaces = collection({
  kind: 'note-place',
  schema: z.object({ id: z.string(), workspaceId: z.string() }),
  key: ({ id }: { id: string }) => ({ partition: 'NOTE_PLACE', sort: id }),
});
