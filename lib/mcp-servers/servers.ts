import type { Caller } from '../access/caller.ts';
import { hasRole } from '../api-contract/roles.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { McpRemote } from '../ports/mcp-remote.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import type { DropOfWorkspace } from '../workspaces/callbacks.ts';
import { type CreateMcpServer, type McpServer, mcpServers, mcpServersPartition } from './schema.ts';

export interface ServerPorts extends TimedRecords {
  secrets: Secrets;
}

/** Each costs the start of every run of the workspace its time. */
const MAX_SERVERS = 10;

export async function listServers(records: Records, workspaceId: string): Promise<McpServer[]> {
  const page = { partition: mcpServersPartition(workspaceId), limit: 2 * MAX_SERVERS };
  return (await mcpServers.list(records, page)).items;
}

/** Throws NotFound. */
export async function findServer(records: Records, workspaceId: string, name: string): Promise<McpServer> {
  const server = await mcpServers.get(records, { workspaceId, name });
  if (server === undefined)
    throw new NotFound('mcp_server_not_found', 'This MCP server does not exist in the workspace.');
  return server;
}

/** Names of keys in a query; a server that accepts them in a header as well gets them there. */
const KEY_NAME = /key|token|secret|passw|pwd|auth|signature|^sig$|credential|jwt/i;

/**
 * The server as the API returns it. Its URL lacks the query if that contains a key, and for callers who may not change
 * the servers.
 */
export function describeServer(server: McpServer, caller: Caller): McpServer {
  const { url } = server;
  const isWhole = hasRole(caller, 'member') && keyIn(url) === undefined;
  return { ...server, url: isWhole ? url : redactUrl(url) };
}

function keyIn(url: string): string | undefined {
  const { username, password, searchParams } = new URL(url);
  if (username !== '' || password !== '') return 'a user name or password';
  return [...searchParams.keys()].find((name) => KEY_NAME.test(name));
}

/** Throws Conflict for a name that is taken, and for more than a workspace may have; InvalidInput. */
export async function addServer(
  ports: ServerPorts & { remote: Pick<McpRemote, 'check'> },
  caller: Caller,
  workspaceId: string,
  { name, url, headers }: CreateMcpServer,
): Promise<McpServer> {
  const key = keyIn(url);
  if (key !== undefined)
    throw new InvalidInput(
      'invalid_url',
      `url can't contain a credential (${key.slice(0, 50)}). Put it into headers, which are stored as secrets.`,
      { field: 'url' },
    );
  await ports.remote.check(url);
  if ((await listServers(ports.records, workspaceId)).length >= MAX_SERVERS)
    throw new Conflict(
      'too_many_mcp_servers',
      `A workspace can have at most ${MAX_SERVERS} MCP servers. Remove one first.`,
    );
  const server: McpServer = {
    ...{ id: newId(), workspaceId, name, url, headerNames: Object.keys(headers) },
    ...{ createdBy: caller.id, createdAt: timestamp(ports.clock) },
  };
  // The secret first: a server without its headers would be asked without them.
  if (server.headerNames.length > 0) await ports.secrets.set(secretName(server), JSON.stringify(headers));
  if (await mcpServers.create(ports.records, server)) return server;
  await forgetHeaders(ports.secrets, server);
  throw new Conflict('mcp_server_exists', 'name is already used by another MCP server of the workspace.', {
    field: 'name',
  });
}

/** Throws NotFound. */
export async function removeServer(
  { records, secrets }: Pick<ServerPorts, 'records' | 'secrets'>,
  workspaceId: string,
  name: string,
): Promise<void> {
  const server = await findServer(records, workspaceId, name);
  await forgetHeaders(secrets, server);
  await mcpServers.delete(records, server);
}

/** Drops the servers of a workspace with it. */
export function dropMcpServers(secrets: Secrets): DropOfWorkspace {
  return async (records, workspaceId) => {
    for (const server of await listServers(records, workspaceId)) {
      await forgetHeaders(secrets, server);
      await mcpServers.delete(records, server);
    }
  };
}

/** Throws NotFound if they were deleted. */
export async function headersOf(secrets: Secrets, server: McpServer): Promise<Record<string, string>> {
  if (server.headerNames.length === 0) return {};
  const text = await secrets.get(secretName(server));
  if (text === undefined)
    throw new NotFound(
      'mcp_headers_missing',
      `The stored headers of ${server.name} are missing. Remove the server and add it again.`,
    );
  return JSON.parse(text) as Record<string, string>;
}

async function forgetHeaders(secrets: Secrets, server: McpServer): Promise<void> {
  if (server.headerNames.length > 0) await secrets.set(secretName(server), null);
}

/** Named by the server's id: one that is added again under the same name does not get the old one's secret. */
function secretName({ id }: McpServer): string {
  return `MCP_${id}`;
}
