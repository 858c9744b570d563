import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { changeRead, failOvertaken, whileOvertaken } from '../../records/change.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { announceAnswers, settleAnswers } from '../answer-quotes.ts';
import { removeConversation } from '../change.ts';
import { hasPlace, lastPlace, toMessage, toStored, withCount, withPlace } from '../messages.ts';
import {
  botKeyOf,
  type Conversation,
  conversationPartition,
  conversations,
  MESSAGES,
  type Message,
  messages,
} from '../schema.ts';
import { saveSearchTerms } from '../search-terms.ts';
import { createConversation, newConversation } from './claim-turn.ts';

/** A new conversation with a bot. */
export interface BotConversation {
  id: string;
  workspaceId: string;
  /** The first sender, as a caller's ID. */
  ownerId: string;
  mode: string;
  title: string;
}

/** The number of earlier messages that a repeated call searches for those it already added. */
const LOOK_BACK = 20;

/** Creates the head of a chat with a bot, or returns the existing one after an earlier call. */
export async function beginBotConversation(
  ports: TimedRecords,
  { id, workspaceId, ownerId, mode, title }: BotConversation,
): Promise<void> {
  const begun = newConversation(ports, { ownerId, workspaceId, id });
  await createConversation(ports, { ...begun, key: botKeyOf(id), kind: 'bot', mode, title });
}

/**
 * Adds messages of a chat with a bot, each once by its ID, even if calls are repeated or interrupted. Stores
 * nothing if the conversation was deleted. Writes the messages and their terms first, then the head, which
 * counts them, so a process that dies in between has added nothing.
 */
export async function appendOnce(ports: TimedRecords, id: string, said: Message[]): Promise<void> {
  const key = botKeyOf(id);
  await whileOvertaken(async () => {
    const there = await conversations.get(ports.records, { key });
    if (there === undefined) {
      await dropPartition(ports.records, conversationPartition(key));
      return true;
    }
    const known = new Set<string>();
    for await (const message of readBack(ports.records, there, said.length + LOOK_BACK))
      known.add(message.id);
    const added = said.filter((message) => !known.has(message.id));
    return added.length === 0 || append(ports, there, added);
  }, failOvertaken);
}

/** Appends the messages. Undefined if the conversation was changed after it was read. */
async function append(ports: TimedRecords, there: Conversation, added: Message[]): Promise<true | undefined> {
  const { records, clock } = ports;
  const { key, nextPlace } = there;
  const updatedAt = timestamp(clock);
  const kept = added.map((message, at) => {
    const parent = at === 0 ? lastPlace(there.live) : nextPlace + at - 1;
    return toStored(message, { key, place: nextPlace + at, parent, createdAt: updatedAt });
  });
  // If another writer is faster, the next attempt writes these positions again.
  const quoting = await announceAnswers(ports, there, kept);
  await messages.putMany(records, kept);
  await saveSearchTerms(records, there, added);
  const live = added.reduce((ranges, _, at) => withPlace(ranges, nextPlace + at), there.live);
  const set = { ...withCount(live), nextPlace: nextPlace + added.length, updatedAt };
  if ((await changeRead(conversations, records, there, set)) !== undefined) {
    await settleAnswers(ports, quoting);
    return true;
  }
  const isGone = (await conversations.get(records, { key })) === undefined;
  if (isGone) await removeConversation(records, there); // deleted in the meantime
  return undefined;
}

/** Yields the latest valid messages, newest first. */
export async function* readBack(
  records: Records,
  there: Conversation,
  limit: number,
): AsyncGenerator<Message> {
  const query = { partition: conversationPartition(there.key), sortPrefix: MESSAGES, limit: 20 };
  let looked = 0;
  for await (const message of messages.all(records, { ...query, order: 'descending' })) {
    if (hasPlace(there.live, message.place)) yield toMessage(message);
    looked += 1;
    if (looked === limit) return;
  }
}
