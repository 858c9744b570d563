import { paperWindow, readPaperWindow } from '../../agent/tools/read-paper.ts';
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

const paperInput = paperWindow('search_papers');

function readPaperTool({ papers }: McpPorts) {
  return defineMcpTool({
    name: 'read_paper',
    title: 'Read a scholarly paper',
    description:
      'Reads the text of a paper that search_papers found, or that is on a known site for papers. Long papers are returned in parts: pass `next` to continue.',
    access: 'member',
    input: paperInput,
    hints: OUTSIDE,
    foreign: true,
    run: (input, context) => readPaperWindow(papers, input, context),
  });
}
