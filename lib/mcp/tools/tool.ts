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
  /** For the client's model: what it does, when to use it, what comes back. */
  description: string;
  /** The least role that is offered it: that of the endpoint. */
  access: Role;
  input: Schema;
  /** Set for a tool whose answer is data for programs too, and is never cut. */
  output?: z.ZodObject | undefined;
  hints: McpHints;
  /** Whether it answers text that the service's users, or strangers, wrote. */
  foreign: boolean;
  /** A JSON object. Throws ServiceErrors with texts for the model; any other error is reported as an internal one. */
  run(input: z.output<Schema>, context: McpContext): Promise<object>;
  /** Returns the text for a reader; default: its JSON. */
  show?(output: Record<string, unknown>): string;
  /** How to get what was cut from an output that was too long. */
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
