import { sdkMcpRemote } from '../../lib/adapters/mcp/client.ts';

/**
 * What the service does with a server of others, for the conformance suite, which starts this with the address of its own:
 * asks for the tools, and calls them.
 */
const INPUTS: Record<string, Record<string, unknown>> = { add_numbers: { a: 2, b: 3 } };
const address = new URL(process.argv.at(-1) ?? '');
// The suite's server is on this machine: the guard refuses the name whatever it leads to.
address.hostname = '127.0.0.1';
const remote = sdkMcpRemote({ allowAnyPort: true, isPublic: () => true });
const server = { url: address.href, headers: {} };
const limits = { signal: new AbortController().signal, timeoutMs: 20_000 };
const tools = await remote.listTools(server, limits);
for (const { name } of tools) {
  const { texts, isError } = await remote.callTool(server, { name, input: INPUTS[name] ?? {} }, limits);
  if (isError || texts.length === 0) throw new Error(`${name}: ${texts.join(' ')}`);
}
