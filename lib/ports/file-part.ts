import * as z from 'zod';

/** The names of file parts: one for each way in which formats are divided (lib/formats, Unit). */
export const filePartShape = {
  page: z.number().int().optional().describe('of a PDF, from 1; 1 of a picture'),
  slide: z.number().int().optional().describe('of a presentation, from 1'),
  sheet: z.string().optional().describe('of a workbook: its name'),
  rows: z
    .array(z.number().int())
    .length(2)
    .optional()
    .describe('first and last of the sheet, as it numbers them'),
  of: z
    .number()
    .int()
    .optional()
    .describe(
      'how many rows the sheet has, by its own numbers, or lines a file of rows: these are some of them',
    ),
  cell: z.number().int().optional().describe('of a notebook, from 1'),
  recognized: z
    .literal(true)
    .optional()
    .describe('the text was recognized in a picture of the page, and may hold errors'),
};

/** The part of a file in which something is, in addition to its lines; empty if the format has no parts. */
export const filePartSchema = z.strictObject(filePartShape);
export type FilePart = z.infer<typeof filePartSchema>;
