import * as z from 'zod';

/** The `url` of an article that a search answered: what the sources say of it is known by that. */
export const keepPaperBody = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('`url` of an article, as a search answered it'),
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
    isWhole: z.boolean().describe('false: a report could fetch its abstract only'),
  })
  .meta({ id: 'KeptPaper' });
export type KeptPaper = z.infer<typeof keptPaperSchema>;
