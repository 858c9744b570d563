import * as z from 'zod';
import { pastedWord } from '../api-contract/pasted.ts';
import { actionSchema } from '../permissions/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { flagField } from '../validation/flag-field.ts';
import { urlField } from '../validation/pasted-fields.ts';
import { workspaceParams } from '../workspaces/schema.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,23}$/;
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
/** Matches headers that the connection itself or the protocol sets. */
const OWN_HEADER =
  /^(host|connection|content-.*|transfer-encoding|accept|upgrade|expect|te|trailer|mcp-.*)$/i;

export const mcpServerName = z.string().regex(NAME, 'must be at most 24 characters of a-z, 0-9, and -');

export const createMcpServerSchema = z
  .strictObject({
    name: mcpServerName.describe(
      'Name of the server. It is part of the names of its tools: `mcp__NAME__tool`.',
    ),
    url: urlField(/^https$/, 'must be an HTTPS URL')
      .max(2048)
      .meta({
        pattern: '^https://',
        description:
          'HTTPS URL of the Streamable HTTP endpoint, at a public address. Put API keys into `headers`.',
      }),
    headers: z
      .record(
        z
          .string()
          .regex(HEADER_NAME)
          .refine((name) => !OWN_HEADER.test(name), "can't be set"),
        z
          .string()
          .min(1)
          .max(4096)
          .overwrite(pastedWord)
          .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII'),
      )
      .refine((headers) => Object.keys(headers).length <= 10, 'must have at most 10 entries')
      .default({})
      .describe(
        'Headers that are sent with every request to the server. They are stored as secrets and never returned.',
      ),
  })
  .meta({ id: 'CreateMcpServer' });
export type CreateMcpServer = z.output<typeof createMcpServerSchema>;

/** An MCP server, stored as members see it, except for a key in the URL (describeServer). */
export const mcpServerSchema = z
  .object({
    id: z.uuid(),
    workspaceId: z.string(),
    name: z.string().describe('Name of the server, which its tools have as `mcp__name__tool`.'),
    url: z
      .string()
      .describe(
        "URL of the server. Its query is omitted for callers who can't change the server, and if it contains a key.",
      ),
    headerNames: z.array(z.string()).describe('Names of the stored headers. Their values are secret.'),
    createdBy: z.string().describe('ID of the credential that added the server.'),
    createdAt: timestampSchema,
  })
  .meta({ id: 'McpServer' });
export type McpServer = z.infer<typeof mcpServerSchema>;

export const serverToolsParams = workspaceParams.extend({
  name: mcpServerName.describe('Name of the MCP server.'),
});

export const serverToolsQuery = z.object({
  fresh: flagField('Whether to fetch the list from the server now, even if a cached list exists.'),
});

const remoteToolShownSchema = z
  .strictObject({
    name: z.string().describe('Name of the tool for the agent and for permission rules: `mcp__NAME__tool`.'),
    remoteName: z.string().describe('Name of the tool on the server.'),
    description: z
      .string()
      .describe(
        'Description from the server, as plain text of at most 1,000 characters. It is untrusted content.',
      ),
    action: z
      .enum([...actionSchema.options, 'depends'])
      .describe('Action of the permission rules for a call. `depends` if it depends on the input.'),
  })
  .meta({ id: 'RemoteTool' });
export type RemoteToolShown = z.infer<typeof remoteToolShownSchema>;

export const serverToolsSchema = z
  .strictObject({
    tools: z.array(remoteToolShownSchema).describe('Tools of the server, at most 40.'),
    notices: z.array(z.string()).describe('Notices about tools that were left out.'),
  })
  .meta({ id: 'ServerTools' });
export type ServerToolsShown = z.infer<typeof serverToolsSchema>;

export function mcpServersPartition(workspaceId: string): string {
  return `MCP_SERVERS#${workspaceId}`;
}

export const mcpServers = collection({
  kind: 'mcp-server',
  schema: mcpServerSchema,
  key: ({ workspaceId, name }: { workspaceId: string; name: string }) => ({
    partition: mcpServersPartition(workspaceId),
    sort: name,
  }),
});
