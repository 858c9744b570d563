/**
 * The Model Context Protocol, as the areas speak of it: https://modelcontextprotocol.io/specification. What goes over the
 * wire, and in which of the protocol's revisions, is the adapter's.
 */

/** What one client is offered, for the length of one request. */
export interface McpOffer {
  /** The service's name, as clients show it. */
  title: string;
  version: string;
  /** For the client's model: what this is, and how the parts belong together. */
  instructions: string;
  tools: McpToolInfo[];
  /** Failures are results, for the client's model to read. Throws NotFound for a name that is not offered. */
  callTool(name: string, input: unknown, call: McpCall): Promise<McpToolResult>;
  templates: McpTemplate[];
  /** A page; the cursor is opaque to clients. Throws InvalidInput. */
  listResources(cursor: string | undefined): Promise<McpPage<McpResource>>;
  readResource(uri: string): Promise<McpContents>;
  listPrompts(cursor: string | undefined): Promise<McpPage<McpPrompt>>;
  getPrompt(name: string, values: Record<string, string>): Promise<{ description: string; text: string }>;
}

/** One call of a tool. */
export interface McpCall {
  /**
   * Aborted when the call's time is up. A client that cancels is not heard: it does so by closing its connection, of which
   * Lambda raises no event, or by another request, which another instance gets.
   */
  signal: AbortSignal;
  /** Says how far it is, to clients that asked for it. Never throws. */
  progress(done: number, message: string): void;
}

export interface McpToolInfo {
  name: string;
  title: string;
  description: string;
  /** JSON schemas. */
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  hints: McpHints;
}

/** The protocol's annotations: what a person may be told before the call. */
export interface McpHints {
  readOnly: boolean;
  /** Set for a tool that writes: whether it replaces what was there. */
  destructive?: boolean;
  idempotent?: boolean;
  /** Whether it reaches beyond the service. */
  openWorld: boolean;
}

export interface McpToolResult {
  texts: string[];
  /** Fits the tool's `outputSchema`. */
  structured?: Record<string, unknown> | undefined;
  isError: boolean;
}

export interface McpPage<Item> {
  items: Item[];
  cursor?: string | undefined;
}

export interface McpResource {
  uri: string;
  name: string;
  mediaType: string;
  size: number;
}

export interface McpTemplate {
  uriTemplate: string;
  name: string;
  description: string;
}

/** Text, or bytes as base64. */
export type McpContents = { uri: string; mediaType: string } & ({ text: string } | { base64: string });

export interface McpPrompt {
  name: string;
  title: string;
  description: string;
  parameters: { name: string; description: string; required: boolean }[];
}

/** Answers one request of a client; whatever it was, in the protocol's own words. */
export type AnswerMcp = (request: Request, offer: McpOffer) => Promise<Response>;
