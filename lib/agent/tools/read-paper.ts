import * as z from 'zod';
import { NotConfigured } from '../../errors.ts';
import type { Papers } from '../../ports/papers.ts';
import { defineTool } from './tool.ts';
import { cutWindow, lineUnits } from './window.ts';

const address = z.url({ protocol: /^https?$/ }).max(2000);

const input = z.strictObject({
  url: address.describe('`url` of an article that searchArticles found'),
  pdfUrl: address.optional().describe('its `pdfUrl`'),
  offset: z.int().min(1).optional().describe('first line, from 1'),
  limit: z.int().min(1).optional().describe('how many lines; default: as many as fit'),
  column: z.int().min(1).optional().describe('where to begin within the first line, from 1'),
});

export function readPaperTool({ papers }: { papers: Papers | undefined }) {
  return defineTool({
    name: 'readPaper',
    description:
      'Reads the text of a scientific paper that searchArticles found, or that lies where papers do. Long ones come in parts: `next` is what to ask for to read on.',
    input,
    inEveryMode: false,
    timeoutMs: 120_000,
    async run({ url, pdfUrl, ...request }, { signal }) {
      if (papers === undefined)
        throw new NotConfigured('papers_not_configured', 'Paper search is not configured.');
      const paper = await papers.read({ url, pdfUrl }, { signal });
      const { content, first, last, total, next } = cutWindow(paper.text, lineUnits(paper.text), request);
      return { url: paper.url, content, startLine: first, endLine: last, totalLines: total, next };
    },
  });
}
