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
  /** The JSON schema for the model, if `input` isn't the schema, as for tools of remote servers. */
  inputSchema?: Record<string, unknown> | undefined;
  /**
   * Identifies the tool's version, because an approval applies to one version. Absent if the tool changes
   * only with the service.
   */
  version?: string | undefined;
  /**
   * True if plan and ask offer the tool: only readFile, listDirectory, and grep, although other tools only
   * read too.
   */
  inEveryMode: boolean;
  /** Present if calls of the tool may need approval. */
  approval?: ToolApproval<z.output<Schema>> | undefined;
  /**
   * Describes what will happen, for a person whom a rule asks about a call. If absent, the question names
   * only the rule.
   */
  describe?(input: z.output<Schema>): string;
  /** The argument that rules of a workspace match (lib/permissions); absent for all arguments, as JSON. */
  ruled?: { kind: Argument['kind']; argument(input: z.output<Schema>): string };
  /** Another tool whose rules apply to this one too. */
  ruledAs?: string;
  timeoutMs: number;
  /**
   * Returns any JSON value. Throws ServiceErrors with texts for the model. Other errors are reported as
   * internal ones.
   */
  run(input: z.output<Schema>, context: ToolContext): Promise<unknown>;
  /** Returns how to get the truncated part. The text follows the notice about the truncation. */
  rest?(input: z.output<Schema>): string;
}

interface ToolApproval<Input> {
  /** True if this call needs approval. */
  needed(input: Input): boolean;
  /**
   * Returns the question for a person about what will happen. Throws ServiceErrors, which only the model
   * gets.
   */
  describe(input: Input, context: ToolContext): Promise<string>;
  /** Called for a call that was denied, expired, or can't be approved by anyone. */
  refused?(input: Input, context: ToolContext): Promise<void>;
}

export interface ToolContext {
  runId: string;
  workspace: Workspace;
  /** The folder in which the run works, relative to the workspace: empty, or like `a/b`. */
  cwd: string;
  caller: Caller;
  /** Accounts for the costs of the call. */
  use: Use;
  /** The person who approved this call; null if it needed no approval. */
  approvedBy: string | null;
  /** The records, which list the datasets that are linked to the workspace. */
  records: Records;
  /** Stores the changes of the call in the workspace, so that they can be undone. */
  keeper?: ChangeKeeper | undefined;
  /** Called with the notices of an index search for the answer's reader. */
  searched?: ((notices: SearchNotice[]) => void) | undefined;
  /** Shows the call's output to a person while the call is running. */
  showOutput?: ((text: string) => void) | undefined;
  /** Returns the number by which the answer may cite a passage; undefined if it has no number. */
  numberOf?: ((passage: Passage) => number | undefined) | undefined;
  /**
   * The maximum characters of a result as JSON, for a model with a small window. Absent for the default
   * limit.
   */
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
