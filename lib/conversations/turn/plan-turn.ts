import type { Caller } from '../../access/caller.ts';
import { oneLine } from '../../activity/record.ts';
import { InvalidInput } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { findOthers, findOwn } from '../find.ts';
import { onlyLive, readLatest, readMessages, toMessage } from '../messages.ts';
import { type Conversation, conversationKeyOf, type Message, type StoredMessage } from '../schema.ts';
import { type ClientView, conversationChanged, requireCurrent } from './require-current.ts';
import { endRunningTurn } from './stop-turn.ts';
import { requireNotAnothers, requireOf, requireRoom } from './writing.ts';

/** A request of an AI SDK client with a conversation's ID. */
export interface Asked extends ClientView {
  id: string;
  trigger?: 'submit-message' | 'regenerate-message' | undefined;
  messageId?: string | null | undefined;
  /** All messages that the client has, oldest first; the last is the user's. */
  messages: AskedMessage[];
}

export interface AskedMessage {
  id?: string | undefined;
  role: 'system' | 'user' | 'assistant';
  text: string;
  /** Parts for its attachments, as stored. */
  keptFiles?: Message['parts'];
  /** The files and folders that the question is limited to, as stored. */
  paths?: string[] | undefined;
}

/** The messages to store, and those for the model. */
export interface TurnPlan {
  conversation: Conversation | undefined;
  /** The first replaced position. This message and all later ones are deleted. */
  replaceFrom: number | undefined;
  /** The new messages in order. The last is the question, unless it's already stored. */
  added: Message[];
  question: Message;
  /** All messages up to the question, oldest first. */
  history: Message[];
}

/** The number of messages read for the model, which gets fewer. */
const LATEST = 60;
/** The maximum number of messages from a client's own history, if the service doesn't know the conversation yet. */
const MAX_TAKEN_OVER = 50;
const MAX_TITLE = 80;

/**
 * Plans a turn. The stored messages are the truth, and only the client's last message is new (a conversation that isn't
 * stored yet takes over earlier ones). Waits for one round of reads, unless an answer is in progress. Throws
 * InvalidInput, Forbidden, Conflict.
 */
export async function planTurn(
  ports: TimedRecords,
  caller: Caller,
  workspaceId: string,
  asked: Asked,
): Promise<TurnPlan> {
  const { records } = ports;
  const [found, others, latest] = await Promise.all([
    findOwn(records, caller, asked.id),
    findOthers(records, caller, asked.id),
    conversationKeyOf(records, caller.id, asked.id).then((key) => readLatest(records, key, LATEST)),
  ]);
  if (found === undefined) {
    requireNotAnothers(others, workspaceId);
    requireNotDeleted(asked);
    return planFirst(asked);
  }
  requireOf(found, { workspaceId, kind: 'chat' });
  const takesOver = hasSeen(found, asked);
  if (takesOver) await planNext(ports, found, onlyLive(found, latest), asked); // a refused client doesn't end an answer
  const free = await endRunningTurn(ports, found, takesOver);
  const kept = onlyLive(free, free === found ? latest : await readLatest(records, found.key, LATEST));
  requireRoom(free);
  return planNext(ports, free, kept, asked);
}

/**
 * Refuses a client that shows a deleted conversation, which would start again without the visible messages. Throws
 * Conflict.
 */
function requireNotDeleted({ parentId, messages }: Asked): void {
  if (typeof parentId === 'string' && !messages.some(({ id }) => id === parentId))
    throw conversationChanged(null, 'This conversation was deleted, or never stored.');
}

/** Starts with the client's earlier messages as text, because their citations can't be verified. */
function planFirst({ messages }: Asked): TurnPlan {
  const said = messages.filter(({ role, text }) => role !== 'system' && text.trim() !== '');
  const added = said.slice(-MAX_TAKEN_OVER).map(newMessage);
  const question = added.at(-1) as Message;
  return { conversation: undefined, replaceFrom: undefined, added, question, history: added };
}

async function planNext(
  { records }: TimedRecords,
  conversation: Conversation,
  latest: StoredMessage[],
  asked: Asked,
): Promise<TurnPlan> {
  const isAgain = asked.trigger === 'regenerate-message';
  const named = asked.messageId ?? (isAgain ? asked.messages.at(-1)?.id : undefined);
  const isMissing = named !== undefined && !latest.some(({ id }) => id === named);
  const stored = isMissing ? await readMessages(records, conversation) : latest;
  const kept = withAnswer(conversation, stored);
  return isAgain ? planAgain(conversation, kept, asked) : planSubmit(conversation, kept, asked);
}

/** Returns the messages, with the answer in progress as it will be stored. */
function withAnswer({ key, turnId, answerPlace }: Conversation, stored: StoredMessage[]): StoredMessage[] {
  if (turnId === null || answerPlace === null) return stored;
  const answer = { key, place: answerPlace, id: turnId, role: 'assistant' as const };
  return [...stored, { ...answer, parts: '[]', metadata: null, createdAt: '' }];
}

/** Plans a new or an edited question. A known message is replaced, together with all later ones. */
function planSubmit(conversation: Conversation, kept: StoredMessage[], asked: Asked): TurnPlan {
  const last = asked.messages.at(-1) as AskedMessage;
  const named = asked.messageId ?? undefined;
  const edited = kept.find(({ id }) => id === (named ?? last.id));
  if (edited === undefined && named !== undefined)
    throw new InvalidInput('message_unknown', "messageId isn't a message of this conversation.", {
      field: 'messageId',
    });
  if (edited?.role === 'assistant')
    throw new InvalidInput('message_unknown', 'messageId must be a message of the user.', {
      field: 'messageId',
    });
  requireCurrent(kept, edited && { place: edited.place, isReplaced: true }, asked);
  const question = newMessage({ ...last, id: edited?.id ?? last.id });
  const before = edited === undefined ? kept : kept.filter(({ place }) => place < edited.place);
  return {
    conversation,
    replaceFrom: edited?.place,
    added: [question],
    question,
    history: [...before.map(toMessage), question],
  };
}

/**
 * Removes the named answer, or the last one, and answers its question again. A question that never arrived, and that
 * the client sends again, is new.
 */
function planAgain(conversation: Conversation, kept: StoredMessage[], asked: Asked): TurnPlan {
  const shown = asked.messages.at(-1)?.id;
  const wanted = asked.messageId ?? shown;
  const named = wanted === undefined ? kept.at(-1) : kept.find(({ id }) => id === wanted);
  if (named === undefined && asked.messageId)
    throw conversationChanged(kept.at(-1)?.id ?? null, 'This conversation has no such message, or no more.');
  if (named === undefined && shown !== undefined) return planSubmit(conversation, kept, asked);
  const at = named === undefined ? -1 : kept.indexOf(named);
  const upTo = kept.slice(0, named?.role === 'user' ? at + 1 : at);
  const asker = upTo.at(-1);
  if (asker?.role !== 'user')
    throw new InvalidInput('message_unknown', "messageId isn't an answer of this conversation.", {
      field: 'messageId',
    });
  requireCurrent(kept, { place: asker.place, isReplaced: false }, asked);
  const history = upTo.map(toMessage);
  const question = history.at(-1) as Message;
  return { conversation, replaceFrom: asker.place + 1, added: [], question, history };
}

/**
 * True if the client has seen the question in progress and continues over it, as its own page does after `stop()`, but
 * not another page that was opened before.
 */
function hasSeen({ questionId }: Conversation, { messages, trigger, messageId }: Asked): boolean {
  const isSame = messages.at(-1)?.id === questionId;
  const isAgain = trigger === 'regenerate-message' || messageId === questionId;
  return messages.some(({ id }) => id === questionId) && (!isSame || isAgain);
}

export function newMessage({ id, role, text, keptFiles = [], paths }: AskedMessage): Message {
  const parts = [...keptFiles, { type: 'text', text }];
  const message: Message = { id: id ?? newId(), role: role === 'assistant' ? 'assistant' : 'user', parts };
  return paths === undefined ? message : { ...message, metadata: { paths } };
}

/** Returns a title from the start of the question, on one line. */
export function titleOf(asked: string): string {
  return oneLine(asked, MAX_TITLE);
}
