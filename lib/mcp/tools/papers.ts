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
    title: 'Search scientific papers',
    description:
      'Searches several sources of scientific papers by keywords. Returns title, authors, abstract, and URLs of each paper. Sources that fail are listed in `errors`.',
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
    title: 'Read a scientific paper',
    description:
      'Reads the text of a paper that search_papers found, or of a paper on a supported site. Long papers come in parts: pass `next` to read the next part.',
    access: 'member',
    input: z.strictObject({
      url: address.describe('`url` of an article that search_papers found'),
      pdfUrl: address.optional().describe('its `pdfUrl`'),
      offset: z.int().min(1).optional().describe('first line, from 1'),
      limit: z.int().min(1).optional().describe('how many lines; default: as many as fit'),
      column: z.int().min(1).optional().describe('where to begin within the first line, from 1'),
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
