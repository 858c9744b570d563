import type * as z from 'zod';
import { callTool } from '../../agent/calls/call.ts';
import type { Tool } from '../../agent/tools/tool.ts';
import type { Role } from '../../api-contract/roles.ts';
import { ServiceError } from '../../errors.ts';
import { idSchema } from '../../identifiers.ts';
import type { McpHints } from '../../ports/mcp.ts';
import type { UseKind } from '../../usage/schema.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { searchesSeveral } from './search-several.ts';
import { defineMcpTool, type McpContext, type McpTool, READS } from './tool.ts';

interface Clothes {
  name: string;
  title: string;
  access: Role;
  hints: McpHints;
  kind: UseKind;
  /** Replaces the agent's own description if that mentions tools that MCP clients don't get. */
  description?: string;
}

/** The agent's read-only tools, by their names in the agent. */
const OFFERED: Record<string, Clothes> = {
  searchWorkspace: {
    name: 'search',
    title: 'Search workspaces',
    access: 'viewer',
    hints: READS,
    kind: 'search',
    description:
      'Finds the passages of the indexed files of one or several workspaces (documents, data, code) that best match a question, with keyword and semantic search. Returns each passage with its path and lines. To find an exact text, use find_text. To get an answer with checked citations, use ask.',
  },
  listDirectory: {
    name: 'list_files',
    title: 'List a folder',
    access: 'viewer',
    hints: READS,
    kind: 'agent',
  },
  readFile: {
    name: 'read_file',
    title: 'Read a file',
    access: 'viewer',
    hints: READS,
    kind: 'agent',
    description:
      'Reads a text file, or the text of a document (such as PDF, DOCX, XLSX, or PPTX). Long files are returned in parts: pass `next` to continue. `hash` identifies this version of the file: pass it to write_file as `expectedHash`.',
  },
  grep: {
    name: 'find_text',
    title: 'Find text by regular expression',
    access: 'viewer',
    hints: READS,
    kind: 'agent',
  },
};

/** Runs these tools with the agent's own code and limits, in the workspace that the call names. */
export function agentTools(ports: McpPorts): McpTool[] {
  return ports.tools.flatMap((tool) => {
    const clothes = OFFERED[tool.name];
    if (clothes === undefined) return [];
    const offered = inClothes(ports, tool, clothes);
    return [clothes.kind === 'search' ? searchesSeveral(ports, offered) : offered];
  });
}

function inClothes(ports: McpPorts, tool: Tool, { kind, ...clothes }: Clothes): McpTool {
  return defineMcpTool({
    description: tool.description,
    ...clothes,
    foreign: true,
    input: tool.input.extend({
      workspaceId: idSchema.describe('ID of a workspace from list_workspaces.'),
    }) as z.ZodObject,
    async run({ workspaceId, ...input }, context) {
      const toolContext = await findPlace(ports, context, String(workspaceId), kind);
      const call = { id: '', name: tool.name, input: '' };
      const { output, isError } = await callTool({ call, tool, input }, toolContext);
      // The error has already become text in the agent's call.
      if (isError) throw new ServiceError('mcp_tool_failed', String(output));
      return output as object;
    },
  });
}

async function findPlace(
  { records }: McpPorts,
  { caller, signal }: McpContext,
  workspaceId: string,
  kind: UseKind,
) {
  const workspace = await findNamed({ records }, { caller }, workspaceId);
  const use = { callerId: caller.id, workspaceId: workspace.id, kind };
  return { runId: '', workspace, cwd: '', caller, use, approvedBy: null, records, signal };
}
