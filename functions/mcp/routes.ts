import { Readable } from 'node:stream';
import * as z from 'zod';
import { backgroundWorkDone } from '../../lib/async/after-response.ts';
import { Forbidden } from '../../lib/errors.ts';
import { DELETED, deletedSchema, errorSchema, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, type RouteInput, rawBody, routeFor } from '../../lib/http/route.ts';
import { offerTo } from '../../lib/mcp/offer-tools.ts';
import type { McpPorts } from '../../lib/mcp/ports.ts';
import { type RemotePorts, toolsOfServer } from '../../lib/mcp-servers/remote-tools.ts';
import {
  createMcpServerSchema,
  mcpServerName,
  mcpServerSchema,
  serverToolsParams,
  serverToolsQuery,
  serverToolsSchema,
} from '../../lib/mcp-servers/schema.ts';
import { addServer, describeServer, listServers, removeServer } from '../../lib/mcp-servers/servers.ts';
import type { AnswerMcp } from '../../lib/ports/mcp.ts';
import { requireBoundedJson } from '../../lib/validation/bounded-json.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

interface Ports extends HttpPorts, McpPorts, RemotePorts {
  answerMcp: AnswerMcp;
  version: string;
  /**
   * The URL at which clients reach the service, and the origins whose pages may call it. Null if the
   * authorizer has already checked them.
   */
  origins: { publicUrl: string | undefined; corsOrigins: string[] } | null;
}

const route = routeFor<Ports>();
const MAX_BODY = 5 * 1024 * 1024;

const messageSchema = {
  type: 'object' as const,
  required: ['jsonrpc', 'method'],
  additionalProperties: false,
  properties: {
    jsonrpc: { type: 'string' as const, const: '2.0' },
    id: { type: ['string', 'integer'] as ('string' | 'integer')[] },
    method: { type: 'string' as const },
    params: { type: 'object' as const },
  },
};

/**
 * The response to an error before the protocol gets the request. From then on, errors have the protocol's
 * format.
 */
const mcpErrorSchema = z
  .union([
    errorSchema,
    z
      .looseObject({
        jsonrpc: z.literal('2.0').meta({ title: 'JsonRpcVersion' }),
        error: z
          .looseObject({
            code: z.int().describe('Error code of JSON-RPC, such as -32601.'),
            message: z.string().describe('Sentence that explains the error.'),
          })
          .meta({ title: 'JsonRpcErrorDetail' }),
      })
      .meta({ title: 'JsonRpcError' }),
  ])
  .meta({ id: 'McpError' });

export const mcpRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/mcp-servers',
    operationId: 'listMcpServers',
    summary: 'List MCP servers',
    description:
      'Returns the remote MCP servers whose tools the agent can use in the workspace. Header values are never returned.',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: z.array(mcpServerSchema) },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, caller }, { records }) {
      const servers = await listServers(records, workspace.id);
      return reply(
        200,
        servers.map((server) => describeServer(server, caller)),
      );
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/mcp-servers',
    operationId: 'addMcpServer',
    summary: 'Add an MCP server',
    description: 'Each call of one of its tools, `mcp__NAME__tool`, needs approval.',
    access: 'member',
    params: workspaceParams,
    body: createMcpServerSchema,
    audit: 'mcp-servers.add',
    auditAbout: ({ body: { name, url } }) => `${name} at ${new URL(url).host}`,
    example: {
      name: 'tickets',
      url: 'https://tickets.example.com/mcp',
      headers: { authorization: 'Bearer a-secret' },
    },
    replies: { 201: mcpServerSchema },
    errors: [
      'concurrent_changes',
      'invalid_url',
      'mcp_headers_too_large',
      'mcp_server_exists',
      'too_many_mcp_servers',
      'url_not_public',
    ],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await addServer(ports, caller, workspace.id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/workspaces/{workspaceId}/mcp-servers',
    operationId: 'deleteMcpServer',
    summary: 'Delete an MCP server',
    description: 'Its headers are deleted too.',
    access: 'member',
    params: workspaceParams,
    query: z.object({ name: mcpServerName.describe('Name of the MCP server.') }),
    audit: 'mcp-servers.remove',
    auditAbout: ({ query }) => query.name,
    replies: { 200: deletedSchema },
    errors: ['concurrent_changes', 'mcp_server_not_found'],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query }, ports) {
      await removeServer(ports, workspace.id, query.name);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/mcp-servers/{name}/tools',
    operationId: 'listMcpServerTools',
    summary: 'List the tools of an MCP server',
    description:
      'Returns the tools as the agent gets them, and what the permission rules say about them. The list is cached for five minutes. If the server does not respond within 8 seconds, returns 502 with the reason and the time of the failure, and the server is not called again for a minute, unless a member sends `fresh`.',
    access: 'viewer',
    params: serverToolsParams,
    query: serverToolsQuery,
    replies: { 200: serverToolsSchema },
    errors: ['mcp_server_failed', 'mcp_server_not_found'],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, query, caller }, ports) {
      // Each refresh calls the server with its members' credentials.
      const fresh = query.fresh && caller.role !== 'viewer';
      return reply(200, await toolsOfServer(ports, workspace.id, params.name, fresh));
    },
  }),
  route({
    method: 'POST',
    path: '/api/mcp',
    operationId: 'sendMcpMessage',
    summary: 'Send an MCP message',
    description:
      'Endpoint of the Model Context Protocol (Streamable HTTP without sessions), for MCP clients. It accepts the same credentials as all other operations. It accepts one JSON-RPC message: a request returns a stream that ends with its response, and a notification returns 202.',
    access: 'viewer',
    body: rawBody.meta({ override: messageSchema }),
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    bodyType: { raw: 'application/json', maxBytes: MAX_BODY },
    idempotent: false,
    replies: {
      200: {
        mediaType: 'text/event-stream',
        description: 'JSON-RPC messages. The last one is the response.',
        event: z.looseObject({
          event: z.literal('message').optional(),
          data: z.string().meta({ pattern: '^\\{.*\\}$', description: 'JSON-RPC message.' }),
        }),
      },
      202: { mediaType: 'text/plain', description: 'Empty body.' },
    },
    errors: ['media_type_unsupported', 'not_acceptable', 'not_found'],
    refusal: mcpErrorSchema,
    async handle({ headers, body, caller, timeLeftMs }, ports) {
      if (ports.origins !== null) requireOwnOrigin(headers.origin, ports.origins);
      requireBoundedJson(new TextDecoder().decode(body), 'the body');
      const request = toRequest(headers, body);
      const { version } = ports;
      const response = await ports.answerMcp(
        request,
        offerTo(ports, caller, { version, timeLeftMs: timeLeftMs() }),
      );
      return toReply(response);
    },
  }),
];

/** Passes on only the headers that the protocol knows. */
function toRequest(headers: RouteInput['headers'], body: Uint8Array): Request {
  const own = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-[\w-]+)$/.test(name));
  return new Request('http://service/api/mcp', {
    method: 'POST',
    headers: Object.fromEntries(own.map(([name, value]) => [name, value ?? ''])),
    body: new Uint8Array(body),
  });
}

async function toReply(response: Response) {
  const { status, body } = response;
  const type = response.headers.get('content-type') ?? 'text/plain';
  const headers = { 'content-type': type, 'x-accel-buffering': 'no' };
  const answered = status as 200 | 202;
  if (body === null || !type.startsWith('text/event-stream'))
    return reply(answered, await response.text(), headers);
  return reply(answered, Readable.from(outlast(body)), headers);
}

/**
 * Ends the response only after its background work, because Lambda freezes a function when its response has
 * ended.
 */
async function* outlast(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
  await backgroundWorkDone();
}

/**
 * Throws Forbidden for a page's request (which has an Origin) unless the page is the service's own or in
 * CORS_ORIGINS. This is the protocol's protection against DNS rebinding. Other clients send no Origin.
 */
function requireOwnOrigin(
  origin: string | undefined,
  { publicUrl, corsOrigins }: { publicUrl: string | undefined; corsOrigins: string[] },
): void {
  if (origin === undefined || corsOrigins.includes(origin)) return;
  if (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return;
  throw new Forbidden('origin_refused', "This origin isn't listed in CORS_ORIGINS.");
}
