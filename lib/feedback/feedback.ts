import type { Caller } from '../access/caller.ts';
import { CONVERSATION_ERRORS, findConversation } from '../conversations/find.ts';
import { readAllMessages } from '../conversations/messages.ts';
import { type Conversation, conversationPartition, conversations } from '../conversations/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import {
  FEEDBACK,
  type FeedbackBody,
  feedback,
  feedbackPrefix,
  type OwnFeedback,
  type StoredFeedback,
} from './schema.ts';

/** The error codes of a request about the feedback on an answer. */
export const FEEDBACK_ERRORS = [...CONVERSATION_ERRORS, 'answer_not_found'] as const satisfies ErrorCode[];

interface AnswerIds {
  conversationId: string;
  messageId: string;
}

/** Stores what the caller says about an answer, in place of what they said before. Throws NotFound. */
export async function giveFeedback(
  ports: TimedRecords,
  caller: Caller,
  ids: AnswerIds,
  given: FeedbackBody,
): Promise<OwnFeedback> {
  const { records, clock } = ports;
  const { found, place } = await findAnswer(records, caller, ids);
  const at = { key: found.key, place, personId: caller.id };
  const before = await feedback.get(records, at);
  const own = { ...given, messageId: ids.messageId, updatedAt: timestamp(clock) };
  await feedback.put(records, { ...at, id: before?.id ?? newId(), ...own });
  // A conversation that was deleted since it was found keeps nothing.
  if ((await conversations.get(records, found)) === undefined) {
    await feedback.delete(records, at);
    throw answerNotFound();
  }
  return own;
}

/** Withdraws the caller's feedback on an answer. Idempotent. Throws NotFound. */
export async function withdrawFeedback(records: Records, caller: Caller, ids: AnswerIds): Promise<void> {
  const { found, place } = await findAnswer(records, caller, ids);
  await feedback.delete(records, { key: found.key, place, personId: caller.id });
}

/** Returns the caller's feedback in a conversation. Throws NotFound. */
export async function readOwnFeedback(records: Records, caller: Caller, id: string): Promise<OwnFeedback[]> {
  const { key } = await findConversation(records, caller, id);
  const query = {
    partition: conversationPartition(key),
    sortPrefix: feedbackPrefix(caller.id),
    limit: 200,
  };
  const own = await Array.fromAsync(feedback.all(records, query));
  return own.map(describeOwn);
}

export function describeOwn({ messageId, rating, reasons, comment, updatedAt }: StoredFeedback): OwnFeedback {
  return { messageId, rating, reasons, comment, updatedAt };
}

/** Yields the feedback of a person in all conversations. */
export async function* feedbackOf(records: Records, personId: string): AsyncGenerator<StoredFeedback> {
  for await (const given of feedback.all(records, { partition: FEEDBACK, byIndex: true, limit: 200 }))
    if (given.personId === personId) yield given;
}

/** Removes the feedback of a person, and returns how much there was. Idempotent. */
export async function dropFeedbackOf(records: Records, personId: string): Promise<number> {
  let dropped = 0;
  for await (const given of feedbackOf(records, personId))
    if (await feedback.delete(records, given)) dropped += 1;
  return dropped;
}

/** Finds a stored answer in a conversation that the caller can read, in any of its branches. Throws NotFound. */
async function findAnswer(
  records: Records,
  caller: Caller,
  { conversationId, messageId }: AnswerIds,
): Promise<{ found: Conversation; place: number }> {
  const found = await findConversation(records, caller, conversationId);
  const all = await readAllMessages(records, found);
  const answer = all.find(({ id, role }) => id === messageId && role === 'assistant');
  if (answer === undefined) throw answerNotFound();
  return { found, place: answer.place };
}

function answerNotFound(): NotFound {
  return new NotFound('answer_not_found', 'This conversation has no such answer.');
}
