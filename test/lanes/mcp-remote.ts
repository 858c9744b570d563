import { sdkMcpRemote } from '../../lib/adapters/mcp/client.ts';

/**
 * Client side of the service with a remote server, for the conformance suite, which starts this with the URL
 * of its own server: lists the tools, and calls them.
 */
const INPUTS: Record<string, Record<string, unknown>> = { add_numbers: { a: 2, b: 3 } };
const address = new URL(process.argv.at(-1) ?? '');
// The suite's server is on this host: the guard rejects the name whatever it resolves to.
address.hostname = '127.0.0.1';
const remote = sdkMcpRemote({ allowAnyPort: true, isPublic: () => true });
const server = { url: address.href, headers: {} };
const limits = { signal: new AbortController().signal, timeoutMs: 20_000 };
const tools = await remote.listTools(server, limits);
for (const { name } of tools) {
  const { texts, isError } = await remote.callTool(server, { name, input: INPUTS[name] ?? {} }, limits);
  if (isError || texts.length === 0) throw new Error(`${name}: ${texts.join(' ')}`);
}
