import type * as z from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Role } from '../../api-contract/roles.ts';
import type { McpCall, McpHints } from '../../ports/mcp.ts';

/**
 * A tool for MCP clients: the rules of an endpoint, with a description. call-tool.ts checks the input,
 * truncates and delimits the result, and handles errors, for all tools.
 */
export interface McpTool<Schema extends z.ZodObject = z.ZodObject> {
  /** The name, in lower case with underscores. */
  name: string;
  title: string;
  /** Tells the client's model what the tool does, when to use it, and what it returns. */
  description: string;
  /** The lowest role that gets the tool. It is the endpoint's. */
  access: Role;
  input: Schema;
  /** Set for a tool whose output is also data for programs. It is never truncated. */
  output?: z.ZodObject | undefined;
  hints: McpHints;
  /** True if the tool returns text that other people wrote. */
  foreign: boolean;
  /**
   * Returns a JSON object. Throws ServiceErrors with texts for the model; any other error is reported as an internal
   * one.
   */
  run(input: z.output<Schema>, context: McpContext): Promise<object>;
  /** Returns the text for a reader; by default the output as JSON. */
  show?(output: Record<string, unknown>): string;
  /** Explains how to get the part that was truncated. */
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
