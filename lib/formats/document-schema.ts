import * as z from 'zod';

/** The checked facts of a document, as stored with its file. */
export const documentFactsSchema = z.object({
  title: z.string().optional(),
  authors: z.array(z.string()).optional(),
  year: z.number().int().optional(),
  doi: z.string().optional(),
  arxivId: z.string().optional(),
  tags: z.array(z.string()).optional(),
});
export type DocumentFacts = z.infer<typeof documentFactsSchema>;
