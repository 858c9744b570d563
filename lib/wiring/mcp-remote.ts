import type { Config } from '../config.ts';
import type { McpRemote } from '../ports/mcp-remote.ts';

/** Opens MCP servers that workspaces name, through the configured proxies. */
export async function openMcpRemote({ proxy }: Config): Promise<McpRemote> {
  const { sdkMcpRemote } = await import('../adapters/mcp/client.ts');
  return sdkMcpRemote({ proxy });
}
