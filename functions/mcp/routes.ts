import { Readable } from 'node:stream';
import * as z from 'zod';
import { backgroundWorkDone } from '../../lib/async/after-response.ts';
import { DELETED, deletedSchema, errorSchema, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, type RouteInput, rawBody, routeFor } from '../../lib/http/route.ts';
import { offerTo } from '../../lib/mcp/offer-tools.ts';
import { requireOwnOrigin } from '../../lib/mcp/origin.ts';
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
  /** Where clients reach the service; the origins whose pages may call; null where the authorizer has looked at them. */
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

/** The answer to what goes wrong before the protocol has the request; after that its own words are used. */
const mcpErrorSchema = z
  .union([
    errorSchema,
    z
      .looseObject({
        jsonrpc: z.literal('2.0').meta({ title: 'JsonRpcVersion' }),
        error: z.looseObject({ code: z.int(), message: z.string() }).meta({ title: 'JsonRpcErrorDetail' }),
      })
      .meta({ title: 'JsonRpcError' }),
  ])
  .meta({ id: 'McpError' });

export const mcpRoutes = [
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/mcp-servers',
    summary: 'The remote servers whose tools the agent gets in a workspace; no value of a header is shown',
    access: 'viewer',
    params: workspaceParams,
    replies: { 200: z.array(mcpServerSchema) },
    refusals: [404],
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
    summary: 'Name a remote server of the Model Context Protocol',
    description: 'Each call of its tools, `mcp__NAME__tool`, waits for a person.',
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
    refusals: [404, 409],
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await addServer(ports, caller, workspace.id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/workspaces/{workspaceId}/mcp-servers',
    summary: 'Take a remote server away, with its headers',
    access: 'member',
    params: workspaceParams,
    query: z.object({ name: mcpServerName }),
    audit: 'mcp-servers.remove',
    auditAbout: ({ query }) => query.name,
    replies: { 200: deletedSchema },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query }, ports) {
      await removeServer(ports, workspace.id, query.name);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/mcp-servers/{name}/tools',
    summary: 'The tools of a remote server, in its own words, and what the rules say of them',
    description:
      'As the agent gets them; a list is kept for five minutes. A server that gives none within 8 seconds is answered by 502 ' +
      'with the reason and since when, and not asked again for a minute, but by `fresh` of a member.',
    access: 'viewer',
    params: serverToolsParams,
    query: serverToolsQuery,
    replies: { 200: serverToolsSchema },
    refusals: [404, 502],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, query, caller }, ports) {
      const fresh = query.fresh && caller.role !== 'viewer'; // each asks that server, with what members keep for it
      return reply(200, await toolsOfServer(ports, workspace.id, params.name, fresh));
    },
  }),
  route({
    method: 'POST',
    path: '/api/mcp',
    summary: 'The Model Context Protocol, over Streamable HTTP without sessions',
    description:
      'For clients of the protocol, with the same credentials as everywhere: infra/mcp.md. Takes one JSON-RPC message; a request is answered by a stream that ends with its response, a notification by 202.',
    access: 'viewer',
    body: rawBody.meta({ override: messageSchema }),
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    bodyType: { raw: 'application/json', maxBytes: MAX_BODY },
    idempotent: false,
    replies: {
      200: {
        mediaType: 'text/event-stream',
        description: 'JSON-RPC messages, the last of them the response',
        event: z.looseObject({
          event: z.literal('message').optional(),
          data: z.string().meta({ pattern: '^\\{.*\\}$', description: 'a JSON-RPC message' }),
        }),
      },
      202: { mediaType: 'text/plain', description: 'Nothing' },
    },
    refusals: [404, 406, 413, 415],
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

/** Ends the answer only after the work that goes on behind it: a function is frozen when its answer has ended. */
async function* outlast(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
  await backgroundWorkDone();
}
