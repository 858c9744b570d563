import * as z from 'zod';

/** A paper is identified by its PDF's URL, as the sources returned it. */
export const savePaperBody = z
  .strictObject({
    pdfUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('PDF URL of a paper, exactly as a search within the last 30 days returned it.'),
  })
  .meta({ id: 'KeepPaper' });

export const savedPaperSchema = z
  .strictObject({
    path: z.string().describe('Path of the file in the workspace.'),
    title: z.string(),
    authors: z.array(z.string()).describe('Authors of the paper, at most 10.'),
    url: z.string().nullable().describe('URL of the page of the paper. Null if unknown.'),
    doi: z.string().nullable().describe('DOI, without a URL prefix. Null if unknown.'),
    arxivId: z.string().nullable().describe('ID on arXiv, such as `2005.11401`. Null if unknown.'),
    publishedDate: z.iso.date().nullable().describe('Date of publication. Null if unknown.'),
    license: z.string().nullable().describe('License of the paper, as its source names it.'),
    retrievedAt: z.iso.datetime().nullable().describe('Time of the download. Null if unknown.'),
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
export type SavedPaper = z.infer<typeof savedPaperSchema>;
