import * as z from 'zod';
import { writtenSchema } from '../../files/schema.ts';
import { writeFileFor } from '../../files/write-file.ts';
import { idSchema } from '../../identifiers.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { defineMcpTool } from './tool.ts';

const input = z.strictObject({
  workspaceId: idSchema.describe('of list_workspaces'),
  path: z.string().max(4096).describe('relative to the workspace, / between its parts'),
  content: z.string().max(4_000_000),
  expectedHash: z
    .string()
    .max(64)
    .nullable()
    .optional()
    .describe('refuse unless the file has it now (`hash` of read_file); null: refuse if there is a file'),
});

export function mcpWriteFileTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Creates or replaces a text file in a workspace, with its parent folders. The file is indexed automatically. Pass `expectedHash` so that no change of someone else is lost.',
    access: 'member',
    input,
    output: z.object(writtenSchema.shape),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    foreign: false,
    async run({ workspaceId, ...file }, context) {
      return writeFileFor(ports, context.caller, await findNamed(ports, context, workspaceId), file);
    },
  });
}
