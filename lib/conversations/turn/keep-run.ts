import type { Caller } from '../../access/caller.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { change, changeRead, failOvertaken, whileOvertaken } from '../../records/change.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { notice } from '../../ui-messages/notice.ts';
import { announceAnswers, dropAnswerQuotes, settleAnswers } from '../answer-quotes.ts';
import { findOthers, findOwn } from '../find.ts';
import { before, hasPlace, readMessages, textOf, toStored, withCount, withPlace } from '../messages.ts';
import { type Conversation, conversationKeyOf, conversations, type Message, messages } from '../schema.ts';
import { saveSearchTerms } from '../search-terms.ts';
import { ANSWER_CUT, newAnswerMessage } from './answer-message.ts';
import { createConversation, type KeepFirst, newConversation } from './claim-turn.ts';
import { type AskedMessage, newMessage, titleOf } from './plan-turn.ts';
import { type ClientView, requireCurrent } from './require-current.ts';
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

/**
 * Stores a run's request. A stored message that was edited or is asked again is replaced, together with all after it,
 * but later questions only as `requireCurrent()` allows. Throws InvalidInput, Forbidden, Conflict.
 */
export async function keepRequest(
  ports: TimedRecords,
  caller: Caller,
  { workspaceId, id, kind, mode, runId }: RunConversation,
  { parentId, discardLater, ...request }: Pick<AskedMessage, 'id' | 'text' | 'keptFiles'> & ClientView,
  keepFirst: KeepFirst = async () => {},
): Promise<RunPlace> {
  const message = newMessage({ ...request, role: 'user' });
  const place = await whileOvertaken(async () => {
    const there = await findOwn(ports.records, caller, id);
    if (there === undefined) requireNotAnothers(await findOthers(ports.records, caller, id), workspaceId);
    else requireGoesOn(there, { workspaceId, kind });
    const begun = there ?? newConversation(ports, { ownerId: caller.id, workspaceId, id });
    const how = { isNew: there === undefined, kind, mode, runId, keepFirst, parentId, discardLater };
    return addMessage(ports, begun, message, how);
  });
  return { conversationId: id, place };
}

function requireGoesOn(there: Conversation, of: Pick<RunConversation, 'workspaceId' | 'kind'>): void {
  requireOf(there, of);
  requireRoom(there);
}

/** Returns the message's position; undefined if another process was faster. */
async function addMessage(
  ports: TimedRecords,
  begun: Conversation,
  message: Message,
  {
    isNew,
    kind,
    mode,
    runId,
    keepFirst,
    ...view
  }: { isNew: boolean; keepFirst: KeepFirst } & ClientView & Pick<RunConversation, 'kind' | 'mode' | 'runId'>,
): Promise<number | undefined> {
  const { records, clock } = ports;
  const kept = isNew ? [] : await readMessages(records, begun);
  const same = kept.find(({ id }) => id === message.id);
  if (!isNew) requireCurrent(kept, same && { place: same.place, isReplaced: true }, view);
  const left = same === undefined ? begun.live : before(begun.live, same.place);
  const place = begun.nextPlace;
  const isFirst = left.length === 0 && !begun.titleGiven;
  const counted = { ...withCount(withPlace(left, place)), nextPlace: place + 1 };
  const title = isFirst ? { title: titleOf(textOf(message)) } : {};
  const set = { ...counted, ...title, mode, kind, runId, updatedAt: timestamp(clock) };
  const changed = await (isNew
    ? createConversation(ports, { ...begun, ...set })
    : changeRead(conversations, records, begun, set));
  if (changed === undefined) return undefined;
  await keepFirst(changed);
  await messages.put(records, toStored(message, { key: begun.key, place, createdAt: set.updatedAt }));
  const replaced = kept.filter((each) => same !== undefined && each.place >= same.place);
  await messages.deleteMany(records, replaced);
  await dropAnswerQuotes(records, begun, replaced);
  return place;
}

/** Stores the result of an ended run. Never throws, because the run has ended even if this fails. */
export async function keepRunAnswer(
  ports: TimedRecords,
  ownerId: string,
  run: EndedRun,
  { conversationId, place }: RunPlace,
): Promise<void> {
  try {
    const key = await conversationKeyOf(ports.records, ownerId, conversationId);
    await addAnswer(ports, key, place, await answerOfRun(ports.records, run));
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

/** Adds the answer, unless its request was replaced in the meantime, or the conversation deleted. */
async function addAnswer(ports: TimedRecords, key: string, request: number, answer: Message): Promise<void> {
  const { records, clock } = ports;
  const withAnswer = (there?: Conversation) => {
    if (there === undefined || !hasPlace(there.live, request)) return undefined;
    const { live, nextPlace } = there;
    const counted = withCount(withPlace(live, nextPlace));
    return { ...counted, nextPlace: nextPlace + 1, updatedAt: timestamp(clock) };
  };
  const changed = await change(conversations, records, { key }, withAnswer, failOvertaken);
  if (changed === undefined) return;
  const place = changed.nextPlace - 1;
  const stored = toStored(answer, { key, place, createdAt: changed.updatedAt });
  const announced = await announceAnswers(ports, changed, [stored]);
  await messages.put(records, stored);
  await settleAnswers(ports, announced);
  await saveSearchTerms(records, changed, undefined);
}
