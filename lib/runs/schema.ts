import * as z from 'zod';
import { callerSchema } from '../access/caller.ts';
import { EFFECT_KINDS } from '../api-contract/call-effects.ts';
import { APPROVAL_SCOPES, MODES, RUN_STATUSES, type RunStatus } from '../api-contract/runs.ts';
import { idSchema } from '../identifiers.ts';
import { grantSchema, patternSchema } from '../permissions/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { providerIdSchema } from '../ports/language-model.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

export const modeSchema = z.enum(MODES).meta({ title: 'AgentMode' });

const runStatusSchema = z.enum(RUN_STATUSES).meta({ title: 'RunStatus' });

/** The work of a run: the agent's loop, a research report, the check of a draft, or an evidence table. */
const runKindSchema = z.enum(['agent', 'research', 'verify', 'table']).meta({ title: 'RunKind' });
export type RunKind = z.infer<typeof runKindSchema>;

/** The origin of a run: a person or a program over the API, a person in a bot's chat, or a scheduled task. */
const originSchema = z.enum(['api', 'bot', 'task']).meta({ title: 'RunOrigin' });
export type Origin = z.infer<typeof originSchema>;

const changeCountsSchema = z
  .strictObject({
    created: z.int().describe('Number of created files and links.'),
    changed: z.int().describe('Number of changed files and links.'),
    deleted: z.int().describe('Number of deleted files and links.'),
    moved: z.int().describe('Number of moved files.'),
    undone: z.int().describe('Number of them that an undo put back.'),
  })
  .meta({ id: 'RunChangeCounts' });
export type ChangeCounts = z.infer<typeof changeCountsSchema>;

const runFields = {
  id: z.uuid(),
  workspaceId: z.string(),
  kind: runKindSchema,
  mode: modeSchema,
  status: runStatusSchema,
  request: z.string().describe('First part of the request.'),
  conversationId: z
    .string()
    .nullable()
    .describe('ID of the conversation that stores the request and the answer.'),
  steps: z.number().int().describe('Number of model calls so far.'),
  failedCalls: z
    .int()
    .default(0)
    .describe('Number of tool calls that failed so far: errors, and commands with another exit code than 0.'),
  createdAt: timestampSchema,
  finishedAt: timestampSchema
    .nullable()
    .describe('End of the run. Null until it is done, failed, or stopped.'),
  error: z.string().nullable().describe('Reason why the run failed. Null otherwise.'),
  changes: changeCountsSchema
    .nullable()
    .describe(
      'Number of files that the run changed, counted when it waited or ended, and after an undo. Null if it changed nothing, or was not counted.',
    ),
};

const draftCountsSchema = z
  .strictObject({
    claims: z.int().describe('Number of sentences with a claim.'),
    supported: z.int().describe('Number of claims that the files support.'),
    unjudged: z.int().describe('Number of claims with a similar passage that no model judged.'),
    possible_errors: z.int().describe('Number of claims with a possible error.'),
    checked: z
      .int()
      .optional()
      .describe(
        'Number of claims with a verdict, fewer than `claims` until the check is done. Missing if all have one.',
      ),
  })
  .meta({ title: 'CheckedDraftCounts' });

const checkedDraftSchema = z
  .strictObject({
    name: z.string().describe('Name of the draft, or the beginning of its text.'),
    counts: draftCountsSchema
      .optional()
      .describe('Verdicts so far. Missing until the first claims are checked.'),
  })
  .meta({ title: 'CheckedDraft' });

const storedRunSchema = z.object({
  ...runFields,
  /** All workspaces whose files it may quote, if there are several. Only people who may read all of them may read the run. */
  workspaceIds: z.array(z.string()).optional(),
  /**
   * The draft to check. A private one is visible only to the user who started the check, and to global
   * administrators.
   */
  draft: z
    .object({
      ...{ name: z.string(), isPrivate: z.boolean() },
      counts: z.object(draftCountsSchema.shape).optional(),
    })
    .nullable(),
  /** True if lists omit it because it checks a sentence of another check, or because its document was deleted. */
  unlisted: z.boolean(),
  caller: callerSchema,
  /** The position of its request in the conversation. */
  requestPlace: z.int().nullable(),
  /** The caller whose rights are checked if the run's caller isn't a person: the task's last editor. */
  rightsOf: callerSchema.nullable(),
  cwd: z.string(),
  provider: providerIdSchema,
  model: z.string(),
  allowedTools: z.array(z.string()).nullable(),
  /** True if no one can approve anything, so that calls that need approval are denied. */
  unattended: z.boolean(),
  /** Calls that this run may make without approval, although a rule asks about them. */
  permits: z.array(grantSchema),
  /** True if no worker has the run, because it waits for an answer, or for a worker to continue it. */
  parked: z.boolean(),
  /** The current worker's ID. Another worker's writes are refused. */
  owner: z.string(),
  stopRequested: z.boolean(),
  /**
   * JSON list of the IDs of calls to stop. It is a text, because a write may expect the text that was read.
   */
  stoppedCalls: z.string().default('[]'),
  /** How often its worker has died since its latest step. A run continues if all its steps are stored. */
  deaths: z.object({ atStep: z.int(), times: z.int() }),
  expiresAt: z.int(),
});
export type Run = z.infer<typeof storedRunSchema>;

/** Returns the IDs of the calls that a person stopped. */
export function stoppedCallsOf({ stoppedCalls }: Run): string[] {
  return JSON.parse(stoppedCalls) as string[];
}

export function isRunOver(status: RunStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'stopped';
}

/** The number of seconds that runs, their events, and their approvals are stored. */
export const KEEP_RUN_SECONDS = 30 * 24 * 60 * 60;

export const RUN_SORT = 'RUN';

/** The list is in order of time, because the IDs are UUIDv7. */
export const runs = collection({
  kind: 'agent-run',
  schema: storedRunSchema,
  key: ({ id }: { id: string }) => ({ partition: runPartition(id), sort: RUN_SORT }),
  index: ({ workspaceId, id }) => ({ partition: runsPartition(workspaceId), sort: id }),
  expiresAt: (run) => run.expiresAt,
});

/** Returns the partition of the run and all its data. */
export function runPartition(runId: string): string {
  return `AGENT_RUN#${runId}`;
}

export function runsPartition(workspaceId: string): string {
  return `AGENT_RUNS#${workspaceId}`;
}

/**
 * Marks a run about several workspaces as belonging to each of them, so that it is erased with any. Written
 * before the run.
 */
export const runMarks = collection({
  kind: 'run-of-workspace',
  schema: z.object({ workspaceId: z.string(), runId: z.string(), expiresAt: z.int() }),
  key: ({ workspaceId, runId }: { workspaceId: string; runId: string }) => ({
    partition: runMarksPartition(workspaceId),
    sort: runId,
  }),
  expiresAt: (mark) => mark.expiresAt,
});

export function runMarksPartition(workspaceId: string): string {
  return `WORKSPACE_RUNS#${workspaceId}`;
}

const effectSchema = z
  .object({
    kind: z.enum(EFFECT_KINDS).describe('Kind of the effect. `unknown`: the command may have others.'),
    path: z.string().optional().describe('File or folder, as the call names it.'),
    to: z.string().optional().describe('Destination of a moved or copied file.'),
    lines: z.int().optional().describe('Number of lines that are replaced, removed, added, or created.'),
    command: z.string().optional().describe('Command that is run, shortened.'),
  })
  .meta({ id: 'CallEffect' });

const approvalFields = {
  id: idSchema.describe('ID of the approval request.'),
  toolName: z.string().describe('Name of the tool, such as `bash` or `mcp__github__search`.'),
  input: z.unknown().describe('Exact arguments of the call that needs approval.'),
  summary: z.string().describe('One-sentence description of the action.'),
  effects: z
    .array(effectSchema)
    .describe(
      'Effects of the call that are certain, compared with the files when the approval was requested. Empty if none is known.',
    ),
  requiredBy: z
    .string()
    .nullable()
    .describe('Rules that require the approval. Null if the tool itself requires it.'),
  subjects: z
    .array(z.string())
    .describe(
      'Subjects that a pattern in `always` can match. Empty if the action needs approval every time.',
    ),
  expiresAt: timestampSchema.describe('Time at which the call is denied if there is no answer.'),
};

/**
 * Digests of the facts on which the question depended in addition to the arguments. They are compared before
 * the call is made.
 */
const basisSchema = z.object({
  reasons: z.array(z.string()),
  paths: z.array(z.object({ path: z.string(), state: z.string() })),
});
export type ApprovalBasis = z.infer<typeof basisSchema>;

const storedApprovalSchema = z.object({
  ...approvalFields,
  /** Absent for a report's plan, which isn't a tool call. */
  basis: basisSchema.optional(),
  runId: z.string(),
  /** Set for a tool that may change while a person thinks. */
  toolVersion: z.string().optional(),
  toolCallId: z.string(),
  callerId: z.string(),
  status: z.enum(['waiting', 'approved', 'refused', 'expired', 'used']),
  reason: z.string().nullable(),
  answeredAt: timestampSchema.nullable(),
  /** The calls that its answer also allows until the end of the run. */
  grant: grantSchema.optional(),
});
export type Approval = z.infer<typeof storedApprovalSchema>;

export const approvals = collection({
  kind: 'agent-approval',
  schema: storedApprovalSchema,
  key: ({ runId, id }: { runId: string; id: string }) => ({
    partition: runPartition(runId),
    sort: `APPROVAL#${id}`,
  }),
  expiresAt: ({ expiresAt }) => Math.floor(Date.parse(expiresAt) / 1000) + KEEP_RUN_SECONDS,
});

/**
 * The time by which a running run must have sent a heartbeat, or a waiting one is checked again. The
 * scheduler tick reads only runs that are due.
 */
const leaseSchema = z.object({
  runId: z.string(),
  until: timestampSchema,
  /** The run's owner while it works. No other process renews the lease, or claims it before it expires. */
  owner: z.string().nullable(),
});
export type RunLease = z.infer<typeof leaseSchema>;

export const DUE = 'AGENT_DUE';
export const runLeases = collection({
  kind: 'agent-lease',
  schema: leaseSchema,
  key: ({ runId }: { runId: string }) => ({ partition: runPartition(runId), sort: 'LEASE' }),
  index: ({ runId, until }) => ({ partition: DUE, sort: `${until}#${runId}` }),
});

/** A file before a write, if it is what the approval is about. */
const beforeSchema = z
  .object({
    state: z
      .enum(['text', 'absent', 'binary', 'large', 'changed'])
      .describe(
        '`text`: the current text is included. `changed`: the file is not what the approval is about, so the call will not run.',
      ),
    text: z.string().optional().describe('Current text of the file.'),
    size: z.int().optional().describe('Size of a file whose text is not included, in bytes.'),
  })
  .meta({ id: 'FileBefore' });
export type FileBefore = z.infer<typeof beforeSchema>;

const approvalSchema = z
  .strictObject({
    ...approvalFields,
    before: beforeSchema
      .optional()
      .describe('File that a `writeFile` or `editFile` would change. Only in the answer for one run.'),
    wider: z
      .array(z.string())
      .describe(
        'Wider patterns that an answer can use as `always`: the folder of a file, its kind of file there, or other arguments of a program that can only read. At most 3.',
      ),
    always: z
      .string()
      .nullable()
      .describe(
        'Narrowest pattern that an answer can use as `always`: exactly the call. Null if no pattern says exactly that.',
      ),
  })
  .meta({ id: 'Approval' });
export const runSchema = z
  .strictObject({
    ...runFields,
    title: z.string().describe('Shortened request.'),
    origin: originSchema,
    draft: checkedDraftSchema.optional().describe('Draft that the run checks, if the caller may read it.'),
    approvals: z.array(approvalSchema).optional().describe('Pending approvals of a waiting run.'),
    answered: z
      .array(
        z.strictObject({
          id: z.string().describe('ID of the approval request.'),
          approved: z.boolean().describe('Whether the call was approved.'),
        }),
      )
      .optional()
      .describe(
        'Approvals of a waiting run that were answered: each denied one, and the approved ones whose calls have not run yet. The calls run when no approval is pending.',
      ),
  })
  .meta({ id: 'AgentRun' });

export const runParams = z.object({ runId: idSchema.describe('ID of the run.') });
export const callParams = runParams.extend({
  toolCallId: z.string().min(1).max(200).describe('ID of the call, as in the stream.'),
});
export const approvalParams = runParams.extend({
  approvalId: idSchema.describe('ID of the approval request.'),
});
export const runsQuery = pageQuery.extend({
  workspaceId: idSchema.describe('ID of the workspace.'),
  status: runStatusSchema.optional().describe('Status of the runs to list.'),
  kind: runKindSchema.optional().describe('Kind of the runs to list.'),
});
export const streamQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(9_999_999_999)
    .optional()
    .describe('Number of the last event that the client received.'),
});
export const answerBody = z.strictObject({
  approved: z.boolean().describe('Whether the call may run. False denies it.'),
  reason: z.string().max(1000).optional().describe('Reason for a denial, which the model gets.'),
  scope: z
    .enum(APPROVAL_SCOPES)
    .meta({ title: 'ApprovalScope' })
    .optional()
    .describe(
      '`once`: this call alone. `run`: also matching calls of this tool until the run ends, by the pattern in `always`, or by the offered one if it is missing. `always`: adds a rule for the workspace with the pattern in `always`. By default, `always` if there is a pattern, otherwise `once`.',
    ),
  always: patternSchema
    .optional()
    .describe(
      'Pattern to always allow. If the call is approved, a rule is added that allows matching calls of this tool in the workspace. With `scope` `run`, they are only allowed in this run.',
    ),
});
export type AnswerBody = z.infer<typeof answerBody>;

/** Message to the worker that continues runs. */
export const runMessageSchema = z.object({
  runId: z.string(),
  /** Set to have the undo data of a run in this workspace removed instead. */
  undoOf: z.string().optional(),
  /** Set to have the draft of this caller's check removed instead. */
  draftOf: z.string().optional(),
  /** Set to have all runs of this deleted workspace erased instead. */
  runsOf: z.string().optional(),
  /** Set to have the new documents of this evidence table read instead. */
  followed: z.string().optional(),
  /** Set to have this person's data handed over or erased instead. */
  leaver: z.string().optional(),
  /** Set to have the due events of this webhook delivered instead. */
  webhookId: z.string().optional(),
});
