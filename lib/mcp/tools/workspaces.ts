import * as z from 'zod';
import { readProgress } from '../../indexing/read-index-state.ts';
import { listWorkspaces } from '../../workspaces/registry.ts';
import type { McpPorts } from '../ports.ts';
import { defineMcpTool, READS } from './tool.ts';

const MOST = 50;

const output = z.object({
  workspaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      index: z
        .string()
        .describe(
          'Status of the latest sync: `ready`, `failed`, or in progress. `idle`: there was none yet, and search finds only files that were saved through the service.',
        ),
    }),
  ),
  next: z.string().optional().describe('Cursor of the next call, if there are more workspaces.'),
});

export function listWorkspacesTool({ records }: McpPorts) {
  return defineMcpTool({
    name: 'list_workspaces',
    title: 'List workspaces',
    description:
      'Lists the workspaces (folders of files) that this credential can access. Pass the `id` of a workspace to other tools as `workspaceId`.',
    access: 'viewer',
    input: z.strictObject({
      cursor: z.string().max(200).optional().describe('`next` from the previous result.'),
    }),
    output,
    hints: READS,
    foreign: false,
    async run({ cursor }, { caller }) {
      const page = await listWorkspaces(records, caller, { limit: MOST, cursor });
      const progress = await readProgress(
        records,
        page.items.map(({ id }) => id),
      );
      const workspaces = page.items.map(({ id, name }, place) => ({
        id,
        name,
        index: progress[place]?.status ?? 'idle',
      }));
      return { workspaces, next: page.cursor };
    },
  });
}
