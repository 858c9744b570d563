/** A server of the Model Context Protocol that somebody else runs: whatever it says is a stranger's word. */
export interface McpRemote {
  /** Throws InvalidInput for an address that would be refused. */
  check(url: string): Promise<void>;
  /** Its tools, at most so many. Throws UpstreamFailed, InvalidInput for an address that is refused, the signal's reason. */
  listTools(server: RemoteServer, options: RemoteOptions): Promise<RemoteTool[]>;
  /** What it answered, as it came, within its bounds. Throws as listTools does. */
  callTool(server: RemoteServer, call: RemoteCall, options: RemoteOptions): Promise<RemoteResult>;
}

export interface RemoteServer {
  url: string;
  /** Sent with every request; values are secrets. */
  headers: Record<string, string>;
}

export interface RemoteCall {
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
  /** Kinds of content that are no text. */
  leftOut: string[];
  isError: boolean;
}
