import type * as z from 'zod';
import { searchWorkspaces } from '../../retrieval/search-workspaces.ts';
import type { McpPorts } from '../ports.ts';
import { findAllNamed, NAMES_WORKSPACES, namedFields } from './find-workspace.ts';
import { defineMcpTool, type McpContext, type McpTool } from './tool.ts';

interface Searched {
  query: string;
  limit?: number;
  paths?: string[];
  workspaceId?: string;
  workspaceIds?: string[];
}

const DEFAULT_LIMIT = 8;

/** Returns the search tool of one workspace, extended to search a list of workspaces. */
export function searchesSeveral(ports: McpPorts, tool: McpTool): McpTool {
  const input = tool.input.extend(namedFields).refine(...NAMES_WORKSPACES) as z.ZodObject;
  return defineMcpTool({
    ...tool,
    input,
    run: (given, context) => {
      const asked = given as unknown as Searched;
      return asked.workspaceIds === undefined ? tool.run(given, context) : search(ports, asked, context);
    },
  });
}

async function search(ports: McpPorts, asked: Searched, context: McpContext): Promise<object> {
  const workspaces = [await findAllNamed(ports, context, asked)].flat();
  const ids = workspaces.map(({ id }) => id);
  const use = { callerId: context.caller.id, workspaceId: ids[0] ?? null, kind: 'search' as const };
  const { mode, passages } = await searchWorkspaces(ports.searchFor(use), ids, asked.query);
  if (mode === 'none') return { passages: [], note: 'The workspaces are not indexed yet.' };
  const shown = passages.slice(0, asked.limit ?? DEFAULT_LIMIT).map((passage) => {
    const { workspaceId, path, startLine, endLine, part, context: under, text } = passage;
    return { workspaceId, path, startLine, endLine, ...part, ...(under && { context: under }), text };
  });
  return { passages: shown };
}
