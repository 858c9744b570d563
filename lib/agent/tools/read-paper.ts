import * as z from 'zod';
import { NotConfigured } from '../../errors.ts';
import type { Papers } from '../../ports/papers.ts';
import { defineTool } from './tool.ts';
import { cutWindow, lineUnits } from './window.ts';

const address = z.url({ protocol: /^https?$/ }).max(2000);

/** Returns the input schema of a tool that reads a result of the tool `searchTool`. */
export function paperWindow(searchTool: string) {
  return z.strictObject({
    url: address.describe(`\`url\` of a paper that ${searchTool} found.`),
    pdfUrl: address.optional().describe('`pdfUrl` of the same paper.'),
    offset: z.int().min(1).optional().describe('First line to read, starting at 1.'),
    limit: z.int().min(1).optional().describe('Maximum number of lines. Defaults to as many as fit.'),
    column: z.int().min(1).optional().describe('Column at which to start in the first line, starting at 1.'),
  });
}

/** Returns the lines of a paper that fit, and where the rest starts. */
export async function readPaperWindow(
  papers: Papers,
  { url, pdfUrl, ...request }: z.infer<ReturnType<typeof paperWindow>>,
  { signal }: { signal: AbortSignal },
) {
  const paper = await papers.read({ url, pdfUrl }, { signal });
  const { content, first, last, total, next } = cutWindow(paper.text, lineUnits(paper.text), request);
  return { url: paper.url, content, startLine: first, endLine: last, totalLines: total, next };
}

const input = paperWindow('searchArticles');

export function readPaperTool({ papers }: { papers: Papers | undefined }) {
  return defineTool({
    name: 'readPaper',
    description:
      'Reads the text of a scholarly paper that searchArticles found, or that is on a known site for papers. Long papers are returned in parts: pass `next` to continue.',
    input,
    inEveryMode: false,
    timeoutMs: 120_000,
    async run(asked, context) {
      if (papers === undefined)
        throw new NotConfigured('papers_not_configured', 'Paper search is not configured.');
      return readPaperWindow(papers, asked, context);
    },
  });
}
