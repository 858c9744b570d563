import * as z from 'zod';
import { cutWindow, lineUnits } from '../../agent/tools/window.ts';
import { isInOrder, searchFields } from '../../papers/schema.ts';
import type { McpPorts } from '../ports.ts';
import { defineMcpTool, type McpTool } from './tool.ts';

const OUTSIDE = { readOnly: true, openWorld: true };

export function paperTools(ports: McpPorts): McpTool[] {
  return [searchPapersTool(ports), readPaperTool(ports)];
}

function searchPapersTool({ papers }: McpPorts) {
  return defineMcpTool({
    name: 'search_papers',
    title: 'Search scholarly papers',
    description:
      'Searches scholarly papers by keywords in several sources at the same time. Returns the title, authors, abstract, and URLs of each. Sources that fail are listed in `errors`.',
    access: 'viewer',
    input: searchFields.refine(isInOrder, { path: ['dateTo'], message: 'must not be before dateFrom' }),
    hints: OUTSIDE,
    foreign: true,
    rest: 'Use a smaller maxResults.',
    run: (query, { signal }) => papers.search(query, { signal }),
  });
}

const address = z.url({ protocol: /^https?$/ }).max(2000);

function readPaperTool({ papers }: McpPorts) {
  return defineMcpTool({
    name: 'read_paper',
    title: 'Read a scholarly paper',
    description:
      'Reads the text of a paper that search_papers found, or that is on a known site for papers. Long papers are returned in parts: pass `next` to continue.',
    access: 'member',
    input: z.strictObject({
      url: address.describe('`url` of a paper that search_papers found.'),
      pdfUrl: address.optional().describe('`pdfUrl` of the same paper.'),
      offset: z.int().min(1).optional().describe('First line to read, starting at 1.'),
      limit: z.int().min(1).optional().describe('Maximum number of lines. Defaults to as many as fit.'),
      column: z
        .int()
        .min(1)
        .optional()
        .describe('Column at which to start in the first line, starting at 1.'),
    }),
    hints: OUTSIDE,
    foreign: true,
    async run({ url, pdfUrl, ...request }, { signal }) {
      const paper = await papers.read({ url, pdfUrl }, { signal });
      const { content, first, last, total, next } = cutWindow(paper.text, lineUnits(paper.text), request);
      return { url: paper.url, content, startLine: first, endLine: last, totalLines: total, next };
    },
  });
}
