import * as z from 'zod';

/** The names of file parts, one for each unit by which formats are divided (lib/formats, Unit). */
export const filePartShape = {
  page: z.number().int().optional().describe('Page of a PDF, starting at 1. Always 1 for an image.'),
  slide: z.number().int().optional().describe('Slide of a presentation, starting at 1.'),
  sheet: z.string().optional().describe('Name of the sheet in a workbook.'),
  rows: z
    .array(z.number().int())
    .length(2)
    .optional()
    .describe('First and last row of the sheet, as the sheet numbers them.'),
  of: z
    .number()
    .int()
    .optional()
    .describe(
      'Total number of rows of the sheet, as the sheet numbers them, or of lines of a file of rows. The passage contains only some of them.',
    ),
  cells: z
    .string()
    .optional()
    .describe('Cell of the sheet, or first and last one, if they are in one row: `C7`, `B7:D7`.'),
  cell: z.number().int().optional().describe('Cell of a notebook, starting at 1.'),
  recognized: z.literal(true).optional().describe('Whether the text comes from OCR and may contain errors.'),
};

/** The part of a file, in addition to the lines. Empty if the format has no parts. */
export const filePartSchema = z.strictObject(filePartShape);
export type FilePart = z.infer<typeof filePartSchema>;
