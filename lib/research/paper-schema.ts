import * as z from 'zod';

/** What the sources say about a paper is known by the URL of its PDF. */
export const keepPaperBody = z
  .strictObject({
    pdfUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('of an article, as a search of the last 30 days answered it'),
  })
  .meta({ id: 'KeepPaper' });

export const keptPaperSchema = z
  .strictObject({
    path: z.string().describe('of the file in the workspace'),
    title: z.string(),
    authors: z.array(z.string()).describe('at most ten'),
    url: z.string().nullable(),
    doi: z.string().nullable(),
    arxivId: z.string().nullable(),
    publishedDate: z.iso.date().nullable(),
    license: z.string().nullable().describe('as its source names it'),
    retrievedAt: z.iso.datetime().nullable(),
    isPdf: z.boolean().describe('false: a report kept its page, or its abstract'),
    isWhole: z.boolean().describe('false: a report could fetch its abstract only'),
  })
  .meta({ id: 'KeptPaper' });
export type KeptPaper = z.infer<typeof keptPaperSchema>;
