import type * as z from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Role } from '../../api-contract/roles.ts';
import type { McpCall, McpHints } from '../../ports/mcp.ts';

/**
 * A tool for MCP clients: the rule of an endpoint with a description. Checking the input, truncating and delimiting the result,
 * and errors are in call-tool.ts, once for all tools.
 */
export interface McpTool<Schema extends z.ZodObject = z.ZodObject> {
  /** Lower case with underscores. */
  name: string;
  title: string;
  /** For the client's model: what it does, when to use it, what it returns. */
  description: string;
  /** The lowest role that gets it: that of the endpoint. */
  access: Role;
  input: Schema;
  /** Set for a tool whose output is also data for programs, and is never truncated. */
  output?: z.ZodObject | undefined;
  hints: McpHints;
  /** True if it returns text that users, or outsiders, wrote. */
  foreign: boolean;
  /** A JSON object. Throws ServiceErrors with texts for the model; any other error is reported as an internal one. */
  run(input: z.output<Schema>, context: McpContext): Promise<object>;
  /** Returns the text for a reader; default: its JSON. */
  show?(output: Record<string, unknown>): string;
  /** How to get the part that was truncated. */
  rest?: string | undefined;
}

export interface McpContext extends McpCall {
  caller: Caller;
  /** Milliseconds until the platform ends the function. */
  timeLeftMs: number;
}

/** Checks at compile time that a tool's functions fit its own schema. */
export function defineMcpTool<Schema extends z.ZodObject>(tool: McpTool<Schema>): McpTool {
  return tool as unknown as McpTool;
}

export const READS: McpHints = { readOnly: true, openWorld: false };
