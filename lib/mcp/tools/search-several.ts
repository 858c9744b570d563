import type * as z from 'zod';
import { searchedScope } from '../../agent/tools/search-workspace.ts';
import { type SearchFilter, toolFilter } from '../../retrieval/filter/filter-schema.ts';
import { placesOf } from '../../retrieval/places.ts';
import { type SearchPorts, searchPassages } from '../../retrieval/search.ts';
import { searchWorkspaces } from '../../retrieval/search-workspaces.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { McpPorts } from '../ports.ts';
import { findAllNamed, NAMES_WORKSPACES, namedFields } from './find-workspace.ts';
import { defineMcpTool, type McpContext, type McpTool } from './tool.ts';

interface Searched {
  query: string;
  limit?: number;
  paths?: string[];
  filter?: SearchFilter;
  workspaceId?: string;
  workspaceIds?: string[];
}

const DEFAULT_LIMIT = 8;

/** Returns the search tool of one workspace, which also searches a list of them, and files that match a filter. */
export function searchesSeveral(ports: McpPorts, tool: McpTool): McpTool {
  const fields = { ...namedFields, filter: toolFilter };
  const input = tool.input.extend(fields).refine(...NAMES_WORKSPACES) as z.ZodObject;
  return defineMcpTool({
    ...tool,
    input,
    run: (given, context) => {
      const asked = given as unknown as Searched;
      const isPlain = asked.workspaceIds === undefined && asked.filter === undefined;
      return isPlain ? tool.run(given, context) : search(ports, asked, context);
    },
  });
}

async function search(ports: McpPorts, asked: Searched, context: McpContext): Promise<object> {
  const found = await findAllNamed(ports, context, asked);
  const { workspace } = placesOf(found);
  const use = { callerId: context.caller.id, workspaceId: workspace.id, kind: 'search' as const };
  const { mode, passages } = await find(ports.searchFor(use), asked, found);
  if (mode === 'none') return { passages: [], note: 'The workspaces are not indexed yet.' };
  const shown = passages.slice(0, asked.limit ?? DEFAULT_LIMIT).map((passage) => {
    const { workspaceId, path, startLine, endLine, part, context: under, text } = passage;
    const place = { ...(workspaceId && { workspaceId }), path, startLine, endLine, ...part };
    return { ...place, ...(under && { context: under }), text };
  });
  return { passages: shown };
}

function find(search: SearchPorts, { query, paths, filter }: Searched, found: Workspace | Workspace[]) {
  if (Array.isArray(found))
    return searchWorkspaces(
      search,
      found.map(({ id }) => id),
      query,
      { filter },
    );
  const scope = searchedScope({ workspace: found, cwd: '' }, paths);
  return searchPassages(search, found.id, query, { scope, filter });
}
