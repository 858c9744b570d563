import * as z from 'zod';
import type { Caller } from '../../lib/access/caller.ts';
import { describeConversation, listConversations } from '../../lib/conversations/list.ts';
import { type Conversation, conversationSchema } from '../../lib/conversations/schema.ts';
import { titleOf } from '../../lib/conversations/turn/plan-turn.ts';
import { readProgress } from '../../lib/indexing/read-index-state.ts';
import { progressSchema } from '../../lib/indexing/schema.ts';
import type { TimedRecords } from '../../lib/ports/timed-records.ts';
import { waitingRuns } from '../../lib/runs/list.ts';
import { type Run, runSchema, runs } from '../../lib/runs/schema.ts';
import { describeWorkspace, publicWorkspaceSchema, type Workspace } from '../../lib/workspaces/schema.ts';

/**
 * How many workspaces of a page get a state. Each needs two or three reads for its conversations, and all together need
 * four more.
 */
const MAX_STATES = 20;
const MAX_WAITING = 100;
const RECENT = 12;

const stateSchema = z.strictObject({
  index: progressSchema,
  waiting: z
    .array(
      runSchema.pick({
        id: true,
        workspaceId: true,
        kind: true,
        title: true,
        conversationId: true,
        createdAt: true,
      }),
    )
    .describe(`Runs that wait for an approval, newest first, at most ${MAX_WAITING}.`),
  recent: z.array(conversationSchema).describe(`Your first ${RECENT} conversations, in list order.`),
  failed: z.array(z.string()).describe('IDs of the conversations in `recent` whose latest run failed.'),
});
type WorkspaceState = z.infer<typeof stateSchema>;

export const listedWorkspaceSchema = publicWorkspaceSchema
  .extend({
    state: stateSchema.optional().describe('State of the workspace, if the request has `with=state`.'),
  })
  .meta({ id: 'ListedWorkspace' });

export const withQuery = z
  .enum(['state'])
  .meta({ title: 'WorkspaceExtra' })
  .optional()
  .describe(
    `Extra fields to return. With \`state\`, the first ${MAX_STATES} workspaces of the page include their state.`,
  );

/**
 * Describes the workspaces of a page, which the caller can access. If requested, the first of them get their
 * state. This is next to the routes because it combines the index, runs, and conversations, and belongs to
 * none of these areas.
 */
export async function describeListed(
  ports: TimedRecords,
  caller: Caller,
  workspaces: Workspace[],
  query: { with?: 'state' | undefined },
) {
  const asked = query.with === 'state' ? workspaces.slice(0, MAX_STATES) : [];
  const states = await readStates(ports, caller, asked);
  return workspaces.map((workspace, place) => {
    const state = states[place];
    return { ...describeWorkspace(workspace), ...(state && { state }) };
  });
}

async function readStates(
  ports: TimedRecords,
  caller: Caller,
  workspaces: Workspace[],
): Promise<WorkspaceState[]> {
  if (workspaces.length === 0) return [];
  const ids = workspaces.map(({ id }) => id);
  const [progress, waiting, recent] = await Promise.all([
    readProgress(ports.records, ids),
    waitingRuns(ports.records, caller),
    Promise.all(ids.map((workspaceId) => readRecent(ports, caller, workspaceId))),
  ]);
  const failed = await failedRuns(ports, recent.flat());
  return progress.map((index, place) => {
    const runsHere = waiting.get(ids[place] ?? '') ?? [];
    const here = recent[place] ?? [];
    return {
      index,
      waiting: runsHere.slice(0, MAX_WAITING).map(describeWaiting),
      recent: here.map((each) => describeConversation(ports, each)),
      failed: here.filter(({ runId }) => runId !== null && failed.has(runId)).map(({ id }) => id),
    };
  });
}

async function readRecent(ports: TimedRecords, caller: Caller, workspaceId: string) {
  const { items } = await listConversations(ports.records, caller, { workspaceId, limit: RECENT });
  return items;
}

/** Returns which of the conversations' latest runs failed, with one read. */
async function failedRuns({ records }: TimedRecords, conversations: Conversation[]): Promise<Set<string>> {
  const ids = conversations.flatMap(({ runId }) => (runId === null ? [] : [{ id: runId }]));
  const found = await runs.getMany(records, ids);
  return new Set(found.filter(({ status }) => status === 'failed').map(({ id }) => id));
}

function describeWaiting({ id, workspaceId, kind, request, conversationId, createdAt }: Run) {
  return { id, workspaceId, kind, title: titleOf(request), conversationId, createdAt };
}
