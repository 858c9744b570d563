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
 * A tool of the model: a schema, a description, and its function. Everything else is in call.ts, once for all tools:
 * the modes that may call it, approvals, input checks, truncation, the time limit, and errors.
 */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  /** The description for the model: what it does, when to use it, what it returns. */
  description: string;
  input: Schema;
  /** The input's description for the model, if `input` doesn't define it, as for tools of remote servers. */
  inputSchema?: Record<string, unknown> | undefined;
  /**
   * Identifies the tool's version, because an approval applies only to one version. Absent if it changes only with the
   * service.
   */
  version?: string | undefined;
  /**
   * True if plan and ask also offer it: only for readFile, listDirectory, and grep, not for every tool that only reads.
   */
  inEveryMode: boolean;
  /** Set for a tool with calls that need approval. */
  approval?: ToolApproval<z.output<Schema>> | undefined;
  /** Describes what will happen, for a person whom a rule asks about a call. Absent for the rule's own question. */
  describe?(input: z.output<Schema>): string;
  /** The argument that rules of a workspace match (lib/permissions); absent for all arguments, as JSON. */
  ruled?: { kind: Argument['kind']; argument(input: z.output<Schema>): string };
  /** Another tool whose rules apply to this one too. */
  ruledAs?: string;
  timeoutMs: number;
  /**
   * Returns any JSON value. Throws ServiceErrors with texts for the model. Any other error is reported as an internal
   * one.
   */
  run(input: z.output<Schema>, context: ToolContext): Promise<unknown>;
  /** Returns how to get the part that was truncated, for the end of the notice about it. */
  rest?(input: z.output<Schema>): string;
}

interface ToolApproval<Input> {
  /** True if this call needs approval. */
  needed(input: Input): boolean;
  /**
   * Returns the question for a person about what will happen. Throws ServiceErrors, in which case only the model gets
   * the error.
   */
  describe(input: Input, context: ToolContext): Promise<string>;
  /** Receives a call that was denied, that expired, or that no one may approve. */
  refused?(input: Input, context: ToolContext): Promise<void>;
}

export interface ToolContext {
  runId: string;
  workspace: Workspace;
  /** The folder in which the run works, relative to the workspace: '' or `a/b`. */
  cwd: string;
  caller: Caller;
  /** Accounts for the costs of the call. */
  use: Use;
  /** The approver of this call; null if none was needed. */
  approvedBy: string | null;
  /** Store of the datasets that are linked to the workspace. */
  records: Records;
  /** Stores the changes of the call in the workspace, so that they can be undone. */
  keeper?: ChangeKeeper | undefined;
  /** Called with the notices of an index search for the answer's reader. */
  searched?: ((notices: SearchNotice[]) => void) | undefined;
  /** Shows output of the call to a person who waits, before its end. */
  showOutput?: ((text: string) => void) | undefined;
  /** Returns the number by which the answer may cite a passage; undefined if it gets none. */
  numberOf?: ((passage: Passage) => number | undefined) | undefined;
  /** The maximum characters of a result as JSON, if the model's window is small. Absent for the default limit. */
  maxCharacters?: number | undefined;
  /** Aborted when a person stops this call, but not its run. */
  stopped?: AbortSignal | undefined;
  /** Aborted when the run is stopped or the tool's time limit is reached. */
  signal: AbortSignal;
}

/** Checks at compile time that a tool's functions fit its own schema. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
