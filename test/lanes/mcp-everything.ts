import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMcp } from '../../lib/adapters/mcp/server.ts';
import { NotFound } from '../../lib/errors.ts';
import type { McpOffer, McpToolInfo } from '../../lib/ports/mcp.ts';

/**
 * Features that the conformance suite of the protocol requires of a server, by its names, through the
 * service's own adapter: the service's own tools use the same code under other names.
 */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const TOOLS: Record<string, string> = {
  test_simple_text: 'This is a simple text response for testing.',
  test_error_handling: 'This tool intentionally returns an error for testing',
  test_tool_with_progress: 'done',
};

const offer: McpOffer = {
  title: 'Everything',
  version: '1',
  instructions: '',
  tools: Object.keys(TOOLS).map(toInfo),
  async callTool(name, _input, { progress }) {
    const text = TOOLS[name];
    if (text === undefined) throw new NotFound('not_found', 'no such tool');
    for (const done of name === 'test_tool_with_progress' ? [0, 50, 100] : []) progress(done, `${done}`);
    return { texts: [text], isError: name === 'test_error_handling' };
  },
  templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'data by id' }],
  listResources: async () => ({
    items: [
      { uri: 'test://static-text', name: 'text', mediaType: 'text/plain', size: 4 },
      { uri: 'test://static-binary', name: 'binary', mediaType: 'image/png', size: 70 },
    ],
  }),
  async readResource(uri) {
    if (uri === 'test://static-binary') return { uri, mediaType: 'image/png', base64: PIXEL };
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) return { uri, mediaType: 'application/json', text: JSON.stringify({ id }) };
    return { uri, mediaType: 'text/plain', text: 'text' };
  },
  listPrompts: async () => ({
    items: [
      { name: 'test_simple_prompt', title: 'Simple', description: 'a prompt', parameters: [] },
      {
        name: 'test_prompt_with_arguments',
        title: 'With arguments',
        description: 'a prompt',
        parameters: ['arg1', 'arg2'].map((name) => ({ name, description: name, required: true })),
      },
    ],
  }),
  getPrompt: async (_name, values) => ({ description: 'a prompt', text: `With ${JSON.stringify(values)}` }),
};

function toInfo(name: string): McpToolInfo {
  const hints = { readOnly: true, openWorld: false };
  return { name, title: name, description: name, inputSchema: { type: 'object', properties: {} }, hints };
}

/** Starts it on a free loopback port; returns its URL. */
export async function startEverything(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => server.close() };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  const headers = Object.entries(request.headers).filter(([name]) =>
    /^(accept|content-type|mcp-.*)$/.test(name),
  );
  const answer = await answerMcp(
    new Request('http://test/mcp', {
      method: 'POST',
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: Buffer.concat(pieces),
    }),
    offer,
  );
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  for await (const piece of answer.body ?? []) response.write(piece);
  response.end();
}
