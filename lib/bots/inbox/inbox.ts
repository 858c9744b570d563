import { newId } from '../../identifiers.ts';
import { timestamp } from '../../ports/clock.ts';
import { type ChatPorts, changeChat, openChat } from '../chats.ts';
import { type ActiveRun, type Chat, type ChatId, inbox, inboxOf, type PersonMessage } from '../schema.ts';
import { findMark, setMark } from './marks.ts';

/**
 * The maximum number of messages that may wait in a chat. Each is a separate run, and the chat handles one at
 * a time.
 */
export const MAX_WAITING = 50;

/**
 * Queues a message for its chat. Returns false if too many are waiting. Idempotent, even after the message
 * was handled.
 */
export async function putInInbox(ports: ChatPorts, message: PersonMessage): Promise<boolean> {
  const isNew = (await inbox.get(ports.records, message)) === undefined;
  if (isNew && (await countInbox(ports, message)) >= MAX_WAITING) return false;
  await inbox.create(ports.records, message);
  if (await isHandled(ports, message)) await inbox.delete(ports.records, message);
  return true;
}

export async function isHandled(ports: ChatPorts, message: PersonMessage): Promise<boolean> {
  return (await findMark(ports, handledMark(message))) !== undefined;
}

export async function markHandled(ports: ChatPorts, message: PersonMessage): Promise<void> {
  await setMark(ports, handledMark(message));
}

function handledMark({ platform, messageId }: PersonMessage) {
  return { platform, kind: 'handled' as const, id: messageId };
}

export async function countInbox({ records }: Pick<ChatPorts, 'records'>, chat: ChatId): Promise<number> {
  return records.count(inboxOf(chat));
}

/**
 * Returns the chat's current work, otherwise its next message; undefined if there is none. Reads the chat
 * first, then checks whether the message was handled, then writes on the condition that the chat is
 * unchanged. So no message is started twice, even if another process does the same.
 */
export async function claimNextMessage(ports: ChatPorts, chat: Chat): Promise<ActiveRun | undefined> {
  if (chat.activeRun !== null) return settleInbox(ports, chat.activeRun);
  const message = await firstMessage(ports, chat);
  if (message === undefined) return undefined;
  if (await isHandled(ports, message)) {
    await inbox.delete(ports.records, message);
    return claimNextMessage(ports, chat);
  }
  const activeRun = beginWith(ports, message);
  const taken = await changeChat(ports, chat, ({ version }) =>
    version === chat.version ? { activeRun } : undefined,
  );
  return taken === undefined
    ? claimNextMessage(ports, await openChat(ports, chat))
    : settleInbox(ports, activeRun);
}

/** Returns the first readable message, because an unreadable one must not block the chat. */
async function firstMessage({ records }: ChatPorts, chat: ChatId): Promise<PersonMessage | undefined> {
  for await (const message of inbox.all(records, { ...inboxOf(chat), limit: 1 })) return message;
  return undefined;
}

function beginWith({ clock }: ChatPorts, message: PersonMessage): ActiveRun {
  const startedAt = timestamp(clock);
  const fields = {
    reading: null,
    quoted: null,
    conversationId: null,
    cardId: null,
    question: null,
    asked: [],
    approvable: [],
    forget: false,
    failures: 0,
  };
  return { runId: newId(), message, startedAt, ...fields };
}

/** Marks the message as handled first. From here on, the chat is responsible for it. */
async function settleInbox(ports: ChatPorts, active: ActiveRun): Promise<ActiveRun> {
  await markHandled(ports, active.message);
  await inbox.delete(ports.records, active.message);
  return active;
}
