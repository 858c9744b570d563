import type { Client } from '@modelcontextprotocol/client';
import { InvalidInput, type ServiceError, UpstreamFailed } from '../../errors.ts';
import type { McpRemote, RemoteOptions, RemoteResult, RemoteServer } from '../../ports/mcp-remote.ts';
import { publicAddresses } from '../outbound/public-host.ts';
import { type GuardedOptions, guardedFetch, requireHttps } from './guarded-fetch.ts';

/** Limits for tools and for pages of them, above anything that a run can use. The rest is omitted. */
const MAX_TOOLS = 1000;
const MAX_PAGES = 5;

/**
 * External MCP servers over Streamable HTTP, with one short stateless connection per call. Sessions, subscriptions, and
 * requests to the client aren't supported. Schemas from a server are never compiled.
 */
export function sdkMcpRemote(options: GuardedOptions = {}): McpRemote {
  return {
    async check(url) {
      const address = new URL(url);
      requireHttps(address, options);
      await publicAddresses(address.hostname, options);
    },
    listTools: (server, limits) =>
      withClient(options, server, limits, async (client, request) => {
        const tools = [];
        let cursor: string | undefined;
        for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
          const found = await client.listTools(cursor === undefined ? {} : { cursor }, request);
          tools.push(...found.tools);
          cursor = found.nextCursor;
          if (cursor === undefined) break;
        }
        return tools.slice(0, MAX_TOOLS).map(({ name, description = '', inputSchema }) => {
          return { name, description, inputSchema };
        });
      }),
    callTool: (server, { name, input }, limits) =>
      withClient(options, server, limits, async (client, request) =>
        toResult(await client.callTool({ name, arguments: input }, request)),
      ),
  };
}

type ToolAnswer = Awaited<ReturnType<Client['callTool']>>;

function toResult({ content, structuredContent, isError = false }: ToolAnswer): RemoteResult {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const leftOut = content.flatMap(({ type }) => (type === 'text' ? [] : [type]));
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return { texts, leftOut: [...new Set(leftOut)], isError };
}

type Request = { signal: AbortSignal; timeout: number };

async function withClient<Value>(
  options: GuardedOptions,
  { url, headers }: RemoteServer,
  { signal, timeoutMs }: RemoteOptions,
  work: (client: Client, request: Request) => Promise<Value>,
): Promise<Value> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const address = new URL(url);
  const sdk = await import('@modelcontextprotocol/client'); // large, and most runs use no such server
  const { fetch, spent, close } = guardedFetch(address, AbortSignal.any([signal, deadline]), options);
  const both = AbortSignal.any([signal, deadline, spent]);
  const client = new sdk.Client(
    { name: 'workspace-research-service', version: '1' },
    { jsonSchemaValidator: TRUSTING, versionNegotiation: { mode: 'auto' } },
  );
  try {
    const transport = new sdk.StreamableHTTPClientTransport(address, { fetch, requestInit: { headers } });
    await client.connect(transport, { signal: both, timeout: timeoutMs });
    return await work(client, { signal: both, timeout: timeoutMs });
  } catch (error) {
    signal.throwIfAborted();
    spent.throwIfAborted();
    throw describe(address.hostname, error, deadline.aborted);
  } finally {
    await client.close().catch(() => undefined);
    close();
  }
}

/**
 * Accepts a result without checking it against the server's own schema: nothing depends on that, and a
 * pattern in it could run forever.
 */
const TRUSTING = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

/** Returns the error for the caller. It contains the guard's own messages, but none of the server's. */
function describe(host: string, error: unknown, isLate: boolean): ServiceError {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error)
    if (cause instanceof InvalidInput || cause instanceof UpstreamFailed) return cause;
  const what = isLate
    ? 'did not answer in time. Try again later.'
    : 'did not return a valid MCP response. Check the URL and its headers.';
  return new UpstreamFailed('mcp_server_failed', `${host} ${what}`, { cause: error });
}
