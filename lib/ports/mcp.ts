/**
 * The Model Context Protocol, as far as the areas use it: https://modelcontextprotocol.io/specification. The adapter
 * implements the wire format and the revisions of the protocol.
 */

/** The tools and resources offered to one client, for the duration of one request. */
export interface McpOffer {
  /** The service's name, as clients show it. */
  title: string;
  version: string;
  /** Tells the client's model what this service is, and how its parts work together. */
  instructions: string;
  tools: McpToolInfo[];
  /**
   * Returns failures as results, for the client's model to read. Throws NotFound for a name that isn't
   * offered.
   */
  callTool(name: string, input: unknown, call: McpCall): Promise<McpToolResult>;
  templates: McpTemplate[];
  /** Returns a page; the cursor is opaque to clients. Throws InvalidInput. */
  listResources(cursor: string | undefined): Promise<McpPage<McpResource>>;
  readResource(uri: string): Promise<McpContents>;
  listPrompts(cursor: string | undefined): Promise<McpPage<McpPrompt>>;
  getPrompt(name: string, values: Record<string, string>): Promise<{ description: string; text: string }>;
}

/** One tool call. */
export interface McpCall {
  /**
   * Aborted at the call's time limit. A client can't cancel a call, because closing its connection raises no event on
   * Lambda, and another request reaches another instance.
   */
  signal: AbortSignal;
  /** Reports progress to clients that asked for it. Never throws. */
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

/** The protocol's annotations, which clients may show before a call. */
export interface McpHints {
  readOnly: boolean;
  /** Set for a tool that writes; true if it replaces existing content. */
  destructive?: boolean;
  idempotent?: boolean;
  /** True if the tool reaches outside the service. */
  openWorld: boolean;
}

export interface McpToolResult {
  texts: string[];
  /** Matches the tool's `outputSchema`. */
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

/** Answers one request of a client, including errors, in the protocol's own format. */
export type AnswerMcp = (request: Request, offer: McpOffer) => Promise<Response>;
