import * as z from 'zod';
import { FILES_NOTE_TYPES, REPORT_NOTE_TYPES } from '../api-contract/note-types.ts';
import { idSchema } from '../identifiers.ts';
import { dayField } from '../validation/pasted-fields.ts';

/** Note types that are generated from the files of a workspace. */
export const filesNoteType = z.enum([...FILES_NOTE_TYPES, 'memory']);
export type FilesNoteType = z.infer<typeof filesNoteType>;

/** Accepts a language tag, which becomes part of a prompt. */
const localeSchema = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language tag such as en or zh-CN');

export const generateBody = z.strictObject({
  workspaceId: idSchema,
  type: z.enum([...filesNoteType.options, ...REPORT_NOTE_TYPES]).meta({ title: 'GeneratedNoteType' }),
  locale: localeSchema.optional().describe('Language of the note. Defaults to the language of the files.'),
});

export const dailyReportBody = z.strictObject({
  workspaceId: idSchema,
  date: dayField
    .refine((day) => /^(19[7-9]\d|2\d{3})-/.test(day), 'must be between 1970 and 2999')
    .optional()
    .describe('Day of the report. Defaults to today.'),
  locale: localeSchema.optional().describe('Language of the report. Defaults to `en`.'),
});

export const weeklyReportBody = dailyReportBody.omit({ date: true });

export const skippedSchema = z
  .strictObject({
    skipped: z.literal(true).describe('Always true. No report was written.'),
    reason: z.enum(['no_activities', 'exists']),
    noteId: z.string().optional().describe('ID of the existing report.'),
  })
  .meta({ id: 'SkippedReport' });
