import { log } from '../../log.ts';
import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { change, failOvertaken } from '../../records/change.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { tellFollowers } from '../../run-events/frame-signal.ts';
import { framesPartition } from '../../run-events/schema.ts';
import { announceAnswers, settleAnswers } from '../answer-quotes.ts';
import { removeConversation } from '../change.ts';
import { hasPlace, toStored, withCount, withPlace } from '../messages.ts';
import { type Conversation, conversations, type Message, messages } from '../schema.ts';
import { saveSearchTerms } from '../search-terms.ts';

/**
 * Stores the answer, complete or interrupted, and allows the next question. Returns false if another process
 * ended the turn. Without the added question, rebuilds the conversation's search terms from all its messages.
 */
export async function endTurn(
  ports: TimedRecords,
  conversation: Conversation,
  answer: Message,
  question: Message | undefined,
): Promise<boolean> {
  const { records, clock } = ports;
  const { key, turnId, answerPlace: place, questionPlace: parent } = conversation;
  if (place === null) return false;
  // The first stored answer counts, so a process that stalled past its lease changes nothing that readers
  // have seen.
  const stored = toStored(answer, { key, place, parent, createdAt: timestamp(clock) });
  const announced = await announceAnswers(ports, conversation, [stored]);
  const isFirst = await messages.create(records, stored);
  const ended = await releaseTurn(ports, conversation, (there) => endFields(ports, there, place));
  if (ended === undefined) {
    await forgetAnswer(ports, { key, place });
    return false;
  }
  if (isFirst) await settleAnswers(ports, announced);
  await makeFindable(ports, ended, question && [question, answer]);
  tellFollowers(turnId ?? '');
  return true;
}

/**
 * Ends a turn whose answer was interrupted. If its question was never stored, nothing is stored: the client
 * got no answer either, and the branch that the question continued or replaced stays chosen.
 */
export async function endCutTurn(
  ports: TimedRecords,
  conversation: Conversation,
  answer: Message,
  question: Message | undefined,
): Promise<boolean> {
  const { key, turnId, questionPlace: place } = conversation;
  const isAsked = place !== null && (await messages.get(ports.records, { key, place })) !== undefined;
  if (isAsked) return endTurn(ports, conversation, answer, question);
  const ended = await releaseTurn(ports, conversation, () => ({ ...OPEN, lastTurnId: turnId }));
  if (ended !== undefined) tellFollowers(turnId ?? '');
  return ended !== undefined;
}

/** Changes the conversation to one without this turn; undefined if another process ended the turn. */
function releaseTurn(
  { records }: TimedRecords,
  { key, turnId }: Conversation,
  fieldsOf: (there: Conversation) => Partial<Conversation>,
): Promise<Conversation | undefined> {
  const ofTurn = (there?: Conversation) => (there?.turnId === turnId ? fieldsOf(there) : undefined);
  return change(conversations, records, { key }, ofTurn, failOvertaken);
}

const OPEN = {
  ...{ turnId: null, turnUntil: null, stopRequested: false },
  ...{ questionId: null, questionPlace: null, answerPlace: null },
};

function endFields({ clock }: TimedRecords, there: Conversation, place: number): Partial<Conversation> {
  const counted = withCount(withPlace(there.live, place));
  return { ...OPEN, ...counted, updatedAt: timestamp(clock), lastTurnId: there.turnId };
}

/** Removes everything of a conversation that was deleted during its answer, including later writes. */
export async function forgetFrames(
  { records }: TimedRecords,
  { id, conversation }: { id: string; conversation: Conversation },
): Promise<void> {
  if ((await conversations.get(records, conversation)) === undefined)
    await dropPartition(records, framesPartition(id));
}

/** Removes the stored answer of a turn that ended elsewhere, unless another process already uses its position. */
async function forgetAnswer(
  { records }: TimedRecords,
  answer: { key: string; place: number },
): Promise<void> {
  const there = await conversations.get(records, answer);
  if (there === undefined || !hasPlace(there.live, answer.place)) await messages.delete(records, answer);
}

/** Makes the answer findable. A failure to update the search terms must not lose a stored answer. */
async function makeFindable(
  { records }: TimedRecords,
  conversation: Conversation,
  added: Message[] | undefined,
): Promise<void> {
  try {
    await saveSearchTerms(records, conversation, added);
    const there = await conversations.get(records, conversation);
    if (there === undefined) await removeConversation(records, conversation); // deleted in the meantime
  } catch (error) {
    log.warn('the words of a conversation were not kept', { reason: String(error) });
  }
}
