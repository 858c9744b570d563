import type { Caller } from '../access/caller.ts';
import { hasRole } from '../api-contract/roles.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { McpRemote } from '../ports/mcp-remote.ts';
import { type Records, wasExpected } from '../ports/records.ts';
import { redactUrl } from '../secrets/redact-url.ts';
import { requireWorkspace } from '../workspaces/access.ts';
import type { DropOfWorkspace } from '../workspaces/callbacks.ts';
import { changeHeaders, dropHeaders, type HeaderPorts } from './headers.ts';
import { type CreateMcpServer, type McpServer, mcpServers, mcpServersPartition } from './schema.ts';

export type ServerPorts = HeaderPorts;

/** Maximum servers per workspace, because each adds to the start time of every run. */
const MAX_SERVERS = 10;

export async function listServers(records: Records, workspaceId: string): Promise<McpServer[]> {
  const page = { partition: mcpServersPartition(workspaceId), limit: 2 * MAX_SERVERS };
  return (await mcpServers.list(records, page)).items;
}

/** Returns a server by name. Throws NotFound. */
export async function findServer(records: Records, workspaceId: string, name: string): Promise<McpServer> {
  const server = await mcpServers.get(records, { workspaceId, name });
  if (server === undefined)
    throw new NotFound('mcp_server_not_found', 'This MCP server does not exist in the workspace.');
  return server;
}

/** Matches names of query parameters that contain keys. Keys belong in a header if the server accepts one. */
const KEY_NAME = /key|token|secret|passw|pwd|auth|signature|^sig$|credential|jwt/i;

/**
 * Returns the server as the API shows it. The URL has no query if the query contains a key, or the caller may
 * not change the servers.
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

/** Adds a server. Throws Conflict for a name in use, and beyond a workspace's maximum; InvalidInput. */
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
  await refuseMore(ports.records, workspaceId);
  const server: McpServer = {
    ...{ id: newId(), workspaceId, name, url, headerNames: Object.keys(headers) },
    ...{ createdBy: caller.id, createdAt: timestamp(ports.clock) },
  };
  if (server.headerNames.length > 0) await createWithHeaders(ports, server, headers);
  else await createWithoutHeaders(ports.records, server);
  return server;
}

async function refuseMore(records: Records, workspaceId: string): Promise<void> {
  if ((await listServers(records, workspaceId)).length < MAX_SERVERS) return;
  throw new Conflict(
    'too_many_mcp_servers',
    `A workspace can have at most ${MAX_SERVERS} MCP servers. Remove one first.`,
  );
}

/** Creates a server. Checking its URL takes time, during which the workspace may have been deleted. */
async function createWithoutHeaders(records: Records, server: McpServer): Promise<void> {
  await requireWorkspace(records, server.workspaceId);
  await createServer(records, server);
}

/**
 * Creates a server with headers. They are stored first, because otherwise the server could be called without
 * them.
 */
async function createWithHeaders(
  ports: ServerPorts,
  server: McpServer,
  headers: Record<string, string>,
): Promise<void> {
  const { workspaceId } = server;
  const readServers = () => listServers(ports.records, workspaceId);
  await changeHeaders(ports, workspaceId, readServers, async ({ headers: others, store }) => {
    await store({ ...others, [server.id]: headers });
    try {
      await createServer(ports.records, server);
    } catch (error) {
      await store(others);
      throw error;
    }
  });
}

async function createServer(records: Records, server: McpServer): Promise<void> {
  if (await mcpServers.create(records, server)) return;
  throw new Conflict('mcp_server_exists', 'name is already used by another MCP server of the workspace.', {
    field: 'name',
  });
}

/** Removes a server. Throws NotFound. */
export async function removeServer(ports: ServerPorts, workspaceId: string, name: string): Promise<void> {
  const { records } = ports;
  const server = await findServer(records, workspaceId, name);
  if (server.headerNames.length > 0) {
    const readOthers = async () =>
      (await listServers(records, workspaceId)).filter(({ id }) => id !== server.id);
    await changeHeaders(ports, workspaceId, readOthers, ({ headers, store }) => store(headers));
  }
  // Another process may have removed the server, and added one with the same name.
  await wasExpected(mcpServers.delete(records, server, { id: server.id }));
}

/** Deletes the servers of a deleted workspace. */
export function dropMcpServers(ports: Omit<HeaderPorts, 'records'>): DropOfWorkspace {
  return (records, workspaceId) =>
    dropHeaders({ ...ports, records }, workspaceId, async () => {
      for (const server of await listServers(records, workspaceId)) {
        await mcpServers.delete(records, server);
      }
    });
}
