import * as z from 'zod';
import { writtenSchema } from '../../files/schema.ts';
import { writeFileFor } from '../../files/write-file.ts';
import { idSchema } from '../../identifiers.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { defineMcpTool } from './tool.ts';

const input = z.strictObject({
  workspaceId: idSchema.describe('ID of a workspace from list_workspaces.'),
  path: z.string().max(4096).describe('Path relative to the workspace, with `/` between its parts.'),
  content: z.string().max(4_000_000),
  expectedHash: z
    .string()
    .max(64)
    .nullable()
    .optional()
    .describe(
      'Hash that the file must have now (`hash` from read_file); otherwise the call fails. Null if the file must not exist yet.',
    ),
});

export function mcpWriteFileTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Creates a text file in a workspace or replaces a whole one, and creates missing parent folders. The file is indexed automatically. Pass `expectedHash` to avoid overwriting other changes.',
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
