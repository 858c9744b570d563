import * as z from 'zod';

/** What the sources say about a paper is known by the URL of its PDF. */
export const keepPaperBody = z
  .strictObject({
    pdfUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('PDF URL of a paper, exactly as a search within the last 30 days returned it.'),
  })
  .meta({ id: 'KeepPaper' });

export const keptPaperSchema = z
  .strictObject({
    path: z.string().describe('Path of the file in the workspace.'),
    title: z.string(),
    authors: z.array(z.string()).describe('Authors of the paper, at most 10.'),
    url: z.string().nullable(),
    doi: z.string().nullable(),
    arxivId: z.string().nullable(),
    publishedDate: z.iso.date().nullable(),
    license: z.string().nullable().describe('License of the paper, as its source names it.'),
    retrievedAt: z.iso.datetime().nullable(),
    isPdf: z
      .boolean()
      .describe('Whether the file is the PDF. False if a report saved its web page or its abstract.'),
    isWhole: z
      .boolean()
      .describe(
        'Whether the file contains the whole paper. False if a report could fetch only the abstract.',
      ),
  })
  .meta({ id: 'KeptPaper' });
export type KeptPaper = z.infer<typeof keptPaperSchema>;
