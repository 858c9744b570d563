import type { ErrorCode } from '../../error-codes.ts';
import { Conflict } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { framesPartition } from '../../run-events/schema.ts';
import { allWorkspacesOf, isOfSeveral, joinWorkspaces } from '../../workspaces/all-workspaces.ts';
import { countPlaces, lastPlace, textOf, toStored, withCount, withPlace } from '../messages.ts';
import { type Conversation, conversations, keyOf, members, messages } from '../schema.ts';
import { turnLeases } from './lease.ts';
import { type TurnPlan, titleOf } from './plan-turn.ts';
import { WRITING_ERRORS } from './writing.ts';

/**
 * The error codes for a question in a stored chat: those of planTurn and endRunningTurn, and the one for a
 * conflict with a faster question.
 */
export const TURN_ERRORS = [
  ...WRITING_ERRORS,
  'answer_in_progress',
  'changed_since_read',
  'conversation_changed',
  'conversation_not_found',
  'message_unknown',
] as const satisfies ErrorCode[];

/** Stores the data to which a question's message refers. */
export type KeepFirst = (conversation: Conversation) => Promise<void>;

/** The right to produce an answer. */
export interface Turn {
  id: string;
  conversation: Conversation;
  plan: TurnPlan;
  /** Resolves once the question is stored. No answer may start before that. */
  kept: Promise<void>;
}

/**
 * Claims the conversation's turn for this question, after storing everything that its message refers to (`keepFirst`).
 * Throws Conflict if another process was faster.
 */
export async function claimTurn(
  ports: TimedRecords,
  ownerId: string,
  { workspaceId, workspaceIds, id }: { workspaceId: string; workspaceIds?: string[] | undefined; id: string },
  plan: TurnPlan,
  keepFirst: KeepFirst = async () => {},
): Promise<Turn> {
  const turnId = newId();
  const begun = plan.conversation ?? newConversation(ports, { ownerId, workspaceId, id });
  const all = joinWorkspaces(begun, workspaceIds);
  const conversation = await takeTurn(ports, { ...begun, ...(all && { workspaceIds: all }) }, plan, turnId);
  if (conversation === undefined)
    throw new Conflict(
      'changed_since_read',
      'Another question was asked in this conversation at the same time. Reload it.',
      { field: 'id' },
    );
  const kept = keepFirst(conversation).then(() => keepQuestion(ports, begun, conversation, plan));
  return { id: turnId, conversation, plan, kept };
}

export function newConversation(
  { clock }: TimedRecords,
  { ownerId, workspaceId, id }: { ownerId: string; workspaceId: string; id: string },
): Conversation {
  const now = timestamp(clock);
  return {
    ...{ id, workspaceId, ownerId, key: keyOf(ownerId, id), title: '', titleGiven: false, kind: 'chat' },
    ...{ mode: null, shared: false, pinned: false, messageCount: 0, createdAt: now, updatedAt: now },
    ...{ live: [], nextPlace: 0, version: 0, turnId: null, turnUntil: null, questionId: null },
    ...{ questionPlace: null, answerPlace: null, stopRequested: false, lastTurnId: null, runId: null },
  };
}

/**
 * Returns the conversation with the turn and its question; undefined if it was changed or created since it was read.
 */
async function takeTurn(
  ports: TimedRecords,
  there: Conversation,
  plan: TurnPlan,
  owner: string,
): Promise<Conversation | undefined> {
  const set = claimFields(ports, there, plan);
  const { version } = there;
  const isNew = plan.conversation === undefined;
  if (isNew || isOfSeveral(there)) await listInWorkspaces(ports, there);
  if (!isNew)
    return turnLeases.take(ports, there, {
      owner,
      set: { ...set, version: version + 1 },
      expect: { version },
    });
  return turnLeases.create(ports, { ...there, ...set }, owner);
}

function claimFields(
  { clock }: TimedRecords,
  there: Conversation,
  { branch, added, question, knownAs, history }: TurnPlan,
): Partial<Conversation> {
  const live = added.reduce((ranges, _, at) => withPlace(ranges, there.nextPlace + at), branch);
  const isFirst = countPlaces(branch) === 0;
  return {
    ...(isFirst && !there.titleGiven && { title: titleOf(textOf(history[0] ?? question)) }),
    ...withCount(live),
    answerPlace: there.nextPlace + added.length,
    nextPlace: there.nextPlace + added.length + 1,
    questionId: knownAs ?? question.id,
    questionPlace: lastPlace(live),
    ...{ kind: 'chat' as const, mode: null },
    ...(there.workspaceIds && { workspaceIds: there.workspaceIds }),
    stopRequested: false,
    updatedAt: timestamp(clock),
  };
}

/** Creates the conversation; undefined if it now exists. */
export async function createConversation(
  ports: TimedRecords,
  conversation: Conversation,
): Promise<Conversation | undefined> {
  await listInWorkspaces(ports, conversation);
  return (await conversations.create(ports.records, conversation)) ? conversation : undefined;
}

/** Marks the conversation as belonging to all its workspaces, so that it is deleted with any of them. */
async function listInWorkspaces({ records }: TimedRecords, conversation: Conversation): Promise<void> {
  const { key } = conversation;
  await members.putMany(
    records,
    allWorkspacesOf(conversation).map((workspaceId) => ({ workspaceId, key })),
  );
}

/** Adds the new messages, and deletes the previous answer's events. */
async function keepQuestion(
  { records }: TimedRecords,
  there: Conversation,
  { key, updatedAt: createdAt }: Conversation,
  { added, parent, question, knownAs }: TurnPlan,
): Promise<void> {
  const kept = added.map((message, at) => {
    const place = there.nextPlace + at;
    const placed = { key, place, parent: at === 0 ? parent : place - 1, createdAt };
    return toStored(message, message === question && knownAs ? { ...placed, knownAs } : placed);
  });
  await Promise.all([
    messages.putMany(records, kept),
    there.lastTurnId === null ? undefined : dropPartition(records, framesPartition(there.lastTurnId)),
  ]);
}
