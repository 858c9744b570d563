import type { Caller } from '../../access/caller.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { change, changeRead, failOvertaken, whileOvertaken } from '../../records/change.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { notice } from '../../ui-messages/notice.ts';
import { announceAnswers, settleAnswers } from '../answer-quotes.ts';
import { findMeant, withChosenBranch } from '../branches.ts';
import { findOthers, findOwn } from '../find.ts';
import { hasPlace, lastPlace, readAllMessages, textOf, toStored, withCount, withPlace } from '../messages.ts';
import { type Conversation, conversationKeyOf, conversations, type Message, messages } from '../schema.ts';
import { saveSearchTerms } from '../search-terms.ts';
import { ANSWER_CUT, newAnswerMessage } from './answer-message.ts';
import { createConversation, type KeepFirst, newConversation } from './claim-turn.ts';
import { type AskedMessage, historyOf, identify, newMessage, placeQuestion, titleOf } from './plan-turn.ts';
import type { ClientView } from './require-current.ts';
import { requireNotAnothers, requireOf, requireRoom, WRITING_ERRORS } from './writing.ts';

/** The error codes for a run's request that its conversation refuses. */
export const RUN_REQUEST_ERRORS = [
  ...WRITING_ERRORS,
  'concurrent_changes',
  'conversation_changed',
] as const satisfies ErrorCode[];

/** The conversation of a run. An unknown ID starts one. */
interface RunConversation {
  runId: string;
  workspaceId: string;
  /** All workspaces of the run, if there are several. */
  workspaceIds?: string[] | undefined;
  id: string;
  kind: 'agent' | 'research';
  /** The mode of the agent. */
  mode: string | null;
}

/** A run's location in a conversation. */
export interface RunPlace {
  conversationId: string;
  /** The position of its request. */
  place: number;
}

/** A stored request, and the messages before it. */
export interface KeptRequest extends RunPlace {
  /** Oldest first. Undefined if the request started the conversation. */
  history: Message[] | undefined;
}

/**
 * Everything else that a run's request needs: its files, and a conversation in which no other run is working.
 */
interface RequestHooks {
  keepFirst?: KeepFirst;
  requireIdle?: (conversation: Conversation) => Promise<void>;
}

/**
 * Stores a run's request. If it edits or repeats a stored message, it starts another branch. Throws
 * InvalidInput, Forbidden, Conflict.
 */
export async function keepRequest(
  ports: TimedRecords,
  caller: Caller,
  { workspaceId, workspaceIds, id, kind, mode, runId }: RunConversation,
  { parentId, ...request }: Pick<AskedMessage, 'id' | 'text' | 'keptFiles'> & ClientView,
  { keepFirst = async () => {}, requireIdle = async () => {} }: RequestHooks = {},
): Promise<KeptRequest> {
  const asked = { ...request, role: 'user' as const };
  const kept = await whileOvertaken(async () => {
    const there = await findOwn(ports.records, caller, id);
    if (there === undefined) requireNotAnothers(await findOthers(ports.records, caller, id), workspaceId);
    else {
      requireGoesOn(there, { workspaceId, kind });
      await requireIdle(there);
    }
    const begun = there ?? {
      ...newConversation(ports, { ownerId: caller.id, workspaceId, id }),
      ...(workspaceIds && { workspaceIds }),
    };
    return addMessage(ports, begun, asked, {
      isNew: there === undefined,
      kind,
      mode,
      runId,
      keepFirst,
      parentId,
    });
  });
  return { conversationId: id, ...kept };
}

function requireGoesOn(there: Conversation, of: Pick<RunConversation, 'workspaceId' | 'kind'>): void {
  requireOf(there, of);
  requireRoom(there);
}

/** Returns the message's position, and those before it; undefined if another process was faster. */
async function addMessage(
  ports: TimedRecords,
  there: Conversation,
  asked: AskedMessage,
  {
    isNew,
    kind,
    mode,
    runId,
    keepFirst,
    ...view
  }: { isNew: boolean; keepFirst: KeepFirst } & ClientView & Pick<RunConversation, 'kind' | 'mode' | 'runId'>,
): Promise<Omit<KeptRequest, 'conversationId'> | undefined> {
  const { records, clock } = ports;
  const stored = isNew ? [] : await readAllMessages(records, there);
  const begun = withChosenBranch(there, stored);
  const edited = findMeant(begun, stored, asked.id);
  const { branch, parent } = isNew
    ? { branch: [], parent: null }
    : placeQuestion(begun, stored, edited, view);
  const { id, ...known } = identify(stored, asked.id, edited);
  const message = newMessage({ ...asked, id });
  const place = begun.nextPlace;
  const isFirst = branch.length === 0 && !begun.titleGiven;
  const counted = { ...withCount(withPlace(branch, place)), nextPlace: place + 1 };
  const title = isFirst ? { title: titleOf(textOf(message)) } : {};
  const set = { ...counted, ...title, mode, kind, runId, failed: false, updatedAt: timestamp(clock) };
  const changed = await (isNew
    ? createConversation(ports, { ...begun, ...set })
    : changeRead(conversations, records, begun, set));
  if (changed === undefined) return undefined;
  await keepFirst(changed);
  const placed = { key: begun.key, place, parent, createdAt: set.updatedAt, ...known };
  await messages.put(records, toStored(message, placed));
  return { place, history: isNew ? undefined : historyOf(stored, branch) };
}

/** Stores the result of an ended run. Never throws, because the run has ended in any case. */
export async function keepRunAnswer(
  ports: TimedRecords,
  ownerId: string,
  run: EndedRun & { failedCalls: number },
  { conversationId, place }: RunPlace,
): Promise<void> {
  try {
    const key = await conversationKeyOf(ports.records, ownerId, conversationId);
    const failed = run.status === 'failed' || run.failedCalls > 0;
    await addAnswer(ports, key, place, { answer: await answerOfRun(ports.records, run), failed });
  } catch (error) {
    log.error('the answer of a run was not kept in its conversation', { runId: run.id }, error);
  }
}

interface EndedRun {
  id: string;
  status: string;
  error: string | null;
}

/** Builds the message from a run's events. It shows whether the run ended early. */
export async function answerOfRun(records: Records, { id, status, error }: EndedRun): Promise<Message> {
  const answer = newAnswerMessage(id);
  for (const part of await framesSoFar(records, id)) answer.add(part);
  if (status !== 'done') answer.add(notice(ANSWER_CUT, error ?? 'The run was stopped.'));
  return answer.endedMessage();
}

/**
 * Adds the answer, unless the conversation was deleted. It goes to the chosen branch if this contains the
 * request, otherwise after the request in its own branch.
 */
async function addAnswer(
  ports: TimedRecords,
  key: string,
  request: number,
  { answer, failed }: { answer: Message; failed: boolean },
): Promise<void> {
  const { records, clock } = ports;
  let parent: number | null = request;
  const withAnswer = (there?: Conversation) => {
    if (there === undefined) return undefined;
    const { live, nextPlace } = there;
    const isChosen = hasPlace(live, request);
    parent = isChosen ? lastPlace(live) : request;
    const counted = isChosen ? withCount(withPlace(live, nextPlace)) : {};
    const isLatest = there.runId === answer.id;
    return { ...counted, ...(isLatest && { failed }), nextPlace: nextPlace + 1, updatedAt: timestamp(clock) };
  };
  const changed = await change(conversations, records, { key }, withAnswer, failOvertaken);
  if (changed === undefined) return;
  const place = changed.nextPlace - 1;
  const stored = toStored(answer, { key, place, parent, createdAt: changed.updatedAt });
  const announced = await announceAnswers(ports, changed, [stored]);
  await messages.put(records, stored);
  await settleAnswers(ports, announced);
  await saveSearchTerms(records, changed, undefined);
}
