import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { NotFound, ServiceError } from '../../errors.ts';
import { errorText, knownError } from '../../known-error.ts';
import { log } from '../../log.ts';
import type { McpContents, McpOffer, McpToolInfo } from '../../ports/mcp.ts';

const NAME = 'workspace-research-service';
/** Milliseconds between comments, which clients ignore. CloudFront ends a stream that is silent for 60 s. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Answers one request of the Model Context Protocol over Streamable HTTP, without sessions. Each request is
 * independent, as in revision 2026-07-28; the 2025 revisions are handled the same way. Responses are streams from their
 * first byte, so that no proxy considers a long call dead. Nothing is pushed, so subscriptions aren't accepted.
 */
export async function answerMcp(
  request: Request,
  offer: McpOffer,
  { keepAliveMs = KEEP_ALIVE_MS } = {},
): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(offer), {
    responseMode: 'sse',
    keepAliveMs,
    maxSubscriptions: 0,
    onerror: (error) => log.debug('a request of the protocol was refused', { reason: error.message }),
  });
  return handler.fetch(request);
}

function serverOf(offer: McpOffer): Server {
  const { title, version, instructions } = offer;
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const server = new Server({ name: NAME, title, version }, { capabilities, instructions });
  serveTools(server, offer);
  serveResources(server, offer);
  servePrompts(server, offer);
  return server;
}

function serveTools(server: Server, offer: McpOffer): void {
  server.setRequestHandler('tools/list', () => ({ tools: offer.tools.map(toWire) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = { signal: context.mcpReq.signal, progress: progressOf(context) };
    const { texts, structured, isError } = await inProtocol(() =>
      offer.callTool(params.name, params.arguments, call),
    );
    return {
      content: texts.map((text) => ({ type: 'text' as const, text })),
      ...(structured && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  });
}

function toWire({ name, title, description, inputSchema, outputSchema, hints }: McpToolInfo) {
  const annotations = {
    title,
    readOnlyHint: hints.readOnly,
    ...(hints.readOnly ? {} : { destructiveHint: hints.destructive ?? true }),
    ...(hints.idempotent === undefined ? {} : { idempotentHint: hints.idempotent }),
    openWorldHint: hints.openWorld,
  };
  const input = { ...inputSchema, type: 'object' as const };
  const output = outputSchema && { ...outputSchema, type: 'object' as const };
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: input,
    ...(output && { outputSchema: output }),
  };
}

/**
 * Returns a function that reports progress, if the client sent a token for it. The protocol requires
 * increasing numbers.
 */
function progressOf({ mcpReq }: ServerContext): (done: number, message: string) => void {
  const token = mcpReq._meta?.progressToken;
  let last = -1;
  return (done, message) => {
    if (token === undefined || done <= last) return;
    last = done;
    const params = { progressToken: token, progress: done, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function serveResources(server: Server, offer: McpOffer): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { items, cursor } = await inProtocol(() => offer.listResources(params?.cursor));
    const resources = items.map(({ mediaType, ...resource }) => ({ ...resource, mimeType: mediaType }));
    return { resources, ...(cursor !== undefined && { nextCursor: cursor }) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: offer.templates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return { contents: [contentsOf(await offer.readResource(uri))] };
    } catch (error) {
      if (error instanceof NotFound) throw new ResourceNotFoundError(uri, error.message);
      throw protocolError(error);
    }
  });
}

function contentsOf({ uri, mediaType, ...contents }: McpContents) {
  const place = { uri, mimeType: mediaType };
  return 'text' in contents ? { ...place, text: contents.text } : { ...place, blob: contents.base64 };
}

function servePrompts(server: Server, offer: McpOffer): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, cursor } = await inProtocol(() => offer.listPrompts(params?.cursor));
    const prompts = items.map(({ parameters, ...prompt }) => ({ ...prompt, arguments: parameters }));
    return { prompts, ...(cursor !== undefined && { nextCursor: cursor }) };
  });
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { description, text } = await inProtocol(() =>
      offer.getPrompt(params.name, params.arguments ?? {}),
    );
    const content = { type: 'text' as const, text };
    return { description, messages: [{ role: 'user' as const, content }] };
  });
}

async function inProtocol<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw protocolError(error);
  }
}

/** Translates errors for the caller into the protocol's terms; internal errors are only logged. */
function protocolError(error: unknown): Error {
  if (error instanceof ServiceError && error.status < 500)
    return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  if (knownError(error) === undefined) log.error('a request of the protocol failed', {}, error);
  return new ProtocolError(ProtocolErrorCode.InternalError, errorText(error));
}
