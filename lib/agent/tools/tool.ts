import type * as z from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Argument } from '../../permissions/judge.ts';
import type { ChangeKeeper } from '../../ports/commands.ts';
import type { Records } from '../../ports/records.ts';
import type { Passage } from '../../ports/vectors.ts';
import type { SearchNotice } from '../../retrieval/search-notices.ts';
import type { Use } from '../../usage/schema.ts';
import type { Workspace } from '../../workspaces/schema.ts';

/**
 * A tool of the model: a schema, a description, and its function. Everything else (which mode may call it, approvals, checking
 * the input, truncating the output, the time limit, errors) is in call.ts, once for all tools.
 */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  /** For the model: what it does, when to use it, what comes back. */
  description: string;
  input: Schema;
  /** The description of its input for the model, if it isn't made of `input`: for tools of remote servers. */
  inputSchema?: Record<string, unknown> | undefined;
  /** Names what the tool is: an approval is for this version alone. Absent: it changes with the service only. */
  version?: string | undefined;
  /** Whether plan and ask offer it, too: readFile, listDirectory and grep alone, not all that only read. */
  inEveryMode: boolean;
  /** Set for a tool some of whose calls wait for a person. */
  approval?: ToolApproval<z.output<Schema>> | undefined;
  /** Describes what will happen, for a person whom a rule asks about a call. Absent: the rule's own question. */
  describe?(input: z.output<Schema>): string;
  /** The argument that rules of a workspace match (lib/permissions); absent: all arguments, as JSON. */
  ruled?: { kind: Argument['kind']; argument(input: z.output<Schema>): string };
  /** Another tool whose rules hold for this one, too. */
  ruledAs?: string;
  timeoutMs: number;
  /** Any JSON. Throws ServiceErrors with texts for the model; any other error is reported as an internal one. */
  run(input: z.output<Schema>, context: ToolContext): Promise<unknown>;
  /** How to get what was cut from an output that was too long: ends the note about it. */
  rest?(input: z.output<Schema>): string;
}

interface ToolApproval<Input> {
  /** Whether this call waits for a person. */
  needed(input: Input): boolean;
  /** The question for a person: what will happen. Throws ServiceErrors: then only the model gets the error. */
  describe(input: Input, context: ToolContext): Promise<string>;
  /** Receives a call that was denied, that expired, or that no one may approve. */
  refused?(input: Input, context: ToolContext): Promise<void>;
}

export interface ToolContext {
  runId: string;
  workspace: Workspace;
  /** Where the run works, relative to the workspace: '' or `a/b`. */
  cwd: string;
  caller: Caller;
  /** For whom it uses what costs money. */
  use: Use;
  /** The approver of this call; null if none was needed. */
  approvedBy: string | null;
  /** Store of the datasets that are linked to the workspace. */
  records: Records;
  /** Keeps what the call changes in the workspace, so that it can be undone. */
  keeper?: ChangeKeeper | undefined;
  /** Hears what a search of the index has for the reader of the answer. */
  searched?: ((notices: SearchNotice[]) => void) | undefined;
  /** Gives a passage that is returned the number by which the answer may cite it; undefined if it gets none. */
  numberOf?: ((passage: Passage) => number | undefined) | undefined;
  /** The most that a result has, as JSON: the model's window is small. Absent: the usual limit. */
  maxCharacters?: number | undefined;
  /** Aborted when the run is stopped or the tool's time is up. */
  signal: AbortSignal;
}

/** Checks at compile time that a tool's functions fit its own schema. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
