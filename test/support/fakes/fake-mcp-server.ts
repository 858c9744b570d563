import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** A tool as the server lists it, unchecked. */
export interface FakeTool {
  name: string;
  description?: string;
  inputSchema: unknown;
  [more: string]: unknown;
}

const VERSION = '2025-11-25';

/**
 * A remote MCP server in wire format. It responds as configured, and can do things that no library allows.
 */
export function fakeMcp() {
  const state = {
    tools: [{ name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } }] as FakeTool[],
    /** The result of a call. */
    answer: (input: Json): Json => ({ content: [{ type: 'text', text: `echo ${JSON.stringify(input)}` }] }),
    /** Called first. Returns true if it handled the request. */
    misbehave: undefined as
      | ((request: IncomingMessage, response: ServerResponse, body: Json) => boolean)
      | undefined,
    calls: [] as Json[],
    headers: [] as IncomingMessage['headers'][],
    lists: 0,
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(state, request, response).catch(() => response.destroy());
  };
  return { state, listener };
}

/** Starts such a server on loopback. */
export async function startFakeMcpServer() {
  const { state, listener } = fakeMcp();
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, state, stop };
}

export type FakeMcpServer = Awaited<ReturnType<typeof startFakeMcpServer>>;

async function serve(
  state: FakeMcpServer['state'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = '';
  for await (const piece of request) text += String(piece);
  const body = (text === '' ? {} : JSON.parse(text)) as Json;
  state.headers.push(request.headers);
  if (state.misbehave?.(request, response, body)) return;
  if (body.id === undefined) return void response.writeHead(202).end();
  const result = resultOf(state, String(body.method), (body.params ?? {}) as Json);
  const error = { code: -32601, message: 'no such method' };
  const answer = { jsonrpc: '2.0', id: body.id, ...(result === undefined ? { error } : { result }) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function resultOf(state: FakeMcpServer['state'], method: string, params: Json): Json | undefined {
  if (method === 'initialize')
    return {
      protocolVersion: VERSION,
      capabilities: { tools: {} },
      serverInfo: { name: 'fake', version: '1' },
    };
  if (method === 'tools/list') {
    state.lists += 1;
    return { tools: state.tools };
  }
  if (method !== 'tools/call') return undefined;
  state.calls.push(params);
  return state.answer((params.arguments ?? {}) as Json);
}
