/** A third party's MCP server. Everything that it sends is untrusted content. */
export interface McpRemote {
  /** Throws InvalidInput for a refused URL. */
  check(url: string): Promise<void>;
  /**
   * Returns the server's tools, up to a limit. Throws UpstreamFailed, InvalidInput for a refused URL, and the signal's
   * reason.
   */
  listTools(server: RemoteServer, options: RemoteOptions): Promise<RemoteTool[]>;
  /** Returns the tool's response unchanged, within the limits. Throws the errors of listTools. */
  callTool(server: RemoteServer, call: RemoteCall, options: RemoteOptions): Promise<RemoteResult>;
}

export interface RemoteServer {
  url: string;
  /** Sent with every request; values are secrets. */
  headers: Record<string, string>;
}

interface RemoteCall {
  name: string;
  input: Record<string, unknown>;
}

export interface RemoteOptions {
  signal: AbortSignal;
  timeoutMs: number;
}

export interface RemoteTool {
  name: string;
  description: string;
  /** The schema as it was sent, in any form. */
  inputSchema: unknown;
}

export interface RemoteResult {
  texts: string[];
  /** Content types that were omitted because they aren't text. */
  leftOut: string[];
  isError: boolean;
}
