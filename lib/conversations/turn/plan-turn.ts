import type { Caller } from '../../access/caller.ts';
import { oneLine } from '../../activity/record.ts';
import { InvalidInput, NotFound } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { mayReadAll } from '../../workspaces/all-workspaces.ts';
import { branchTo, findMeant, withChosenBranch } from '../branches.ts';
import { findOthers, findOwn } from '../find.ts';
import {
  before,
  countPlaces,
  hasPlace,
  lastPlace,
  onlyLive,
  readAllMessages,
  readLatest,
  textOf,
  toMessage,
  withPlace,
} from '../messages.ts';
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

/** What a question is limited to, as stored. */
export interface QuestionLimits {
  /** The files and folders that it may use. */
  paths?: string[] | undefined;
  /** The facts of the files that it may use. */
  filter?: object | undefined;
  /** All workspaces of the question, if it is about several. */
  workspaceIds?: string[] | undefined;
}

export interface AskedMessage extends QuestionLimits {
  id?: string | undefined;
  role: 'system' | 'user' | 'assistant';
  text: string;
  /** Parts for its attachments, as stored. */
  keptFiles?: Message['parts'];
}

/** The messages to store, and those for the model. */
export interface TurnPlan {
  conversation: Conversation | undefined;
  /** The positions before the added messages. */
  branch: Conversation['live'];
  /** The position of the message before the added ones, or of a question that is already stored. Null for the first. */
  parent: number | null;
  /** The new messages in order. The last is the question, unless it's already stored. */
  added: Message[];
  question: Message;
  /** The ID by which the page that edited the question knows it, if it is another one. */
  knownAs?: string | undefined;
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
  if (!(await mayReadAll(records, caller, found)))
    throw new NotFound('conversation_not_found', 'This conversation does not exist.');
  requireOf(found, { workspaceId, kind: 'chat' });
  const takesOver = hasSeen(found, asked);
  if (takesOver) await planNext(ports, found, latest, asked); // a refused client doesn't end an answer
  const free = await endRunningTurn(ports, found, takesOver);
  const kept = free === found ? latest : await readLatest(records, found.key, LATEST);
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
  return { conversation: undefined, branch: [], parent: null, added, question, history: added };
}

async function planNext(
  { records }: TimedRecords,
  conversation: Conversation,
  latest: StoredMessage[],
  asked: Asked,
): Promise<TurnPlan> {
  const isAgain = asked.trigger === 'regenerate-message';
  const last = asked.messages.at(-1)?.id;
  const named = asked.messageId ?? (isAgain || hasOtherBranches(conversation) ? last : undefined);
  const isEnough = hasBranches(conversation, latest, named);
  const read = isEnough ? latest : await readAllMessages(records, conversation);
  const [chosen, stored] = withAnswer(isEnough ? conversation : withChosenBranch(conversation, read), read);
  return isAgain ? planAgain(chosen, stored, asked) : planSubmit(chosen, stored, asked);
}

/**
 * Returns whether the read messages have the end of the chosen branch, and of its part before the named message. The
 * branch of a message beside the chosen ones needs all its messages, because only their parents tell its positions.
 */
function hasBranches(
  conversation: Conversation,
  latest: readonly StoredMessage[],
  named: string | undefined,
): boolean {
  const { live } = conversation;
  if (live.length === 0 || !hasEnd(live, latest)) return false;
  if (named === undefined) return true;
  const found = findMeant(conversation, latest, named);
  return found !== undefined && hasPlace(live, found.place) && hasEnd(before(live, found.place), latest);
}

/** Returns whether the read messages have the end of a branch, and enough of it for the model. */
function hasEnd(branch: Conversation['live'], latest: readonly StoredMessage[]): boolean {
  const count = countPlaces(branch);
  if (count > 0 && latest.every(({ place }) => place !== lastPlace(branch))) return false;
  return latest.length < LATEST || onlyLive({ live: branch }, latest).length >= Math.min(LATEST / 2, count);
}

function hasOtherBranches({ live, nextPlace }: Conversation): boolean {
  return countPlaces(live) < nextPlace;
}

/** Adds the answer in progress to the conversation and its messages, as it will be stored. */
function withAnswer(conversation: Conversation, stored: StoredMessage[]): [Conversation, StoredMessage[]] {
  const { key, live, turnId, answerPlace: place, questionPlace: parent } = conversation;
  if (turnId === null || place === null) return [conversation, stored];
  const answer = { key, place, parent, id: turnId, role: 'assistant' as const };
  return [
    { ...conversation, live: withPlace(live, place) },
    [...stored, { ...answer, parts: '[]', metadata: null, createdAt: '' }],
  ];
}

/** Plans a new or an edited question. An edit begins another branch beside the known message. */
function planSubmit(conversation: Conversation, stored: StoredMessage[], asked: Asked): TurnPlan {
  const last = asked.messages.at(-1) as AskedMessage;
  const named = asked.messageId ?? undefined;
  const edited = findMeant(conversation, stored, named ?? last.id);
  if (edited === undefined && named !== undefined)
    throw new InvalidInput('message_unknown', "messageId isn't a message of this conversation.", {
      field: 'messageId',
    });
  if (edited?.role === 'assistant')
    throw new InvalidInput('message_unknown', 'messageId must be a message of the user.', {
      field: 'messageId',
    });
  if (edited !== undefined && named === undefined && isSame(edited, last))
    return planAnswer(conversation, stored, edited, asked);
  const place = placeQuestion(conversation, stored, edited, asked);
  const identity = identify(stored, last.id, edited);
  const question = newMessage({ ...last, id: identity.id });
  return {
    ...{ conversation, ...place, added: [question], question, knownAs: identity.knownAs },
    history: [...historyOf(stored, place.branch), question],
  };
}

/** Returns whether a client sends a stored question once more, for example because it got no response. */
function isSame({ parts }: StoredMessage, asked: AskedMessage): boolean {
  return parts === JSON.stringify(newMessage(asked).parts);
}

/** Returns the ID of a new question. An edited one needs a new ID, because the earlier question stays. */
export function identify(
  stored: readonly StoredMessage[],
  id: string | undefined,
  edited: StoredMessage | undefined,
): { id: string | undefined; knownAs?: string } {
  const isTaken = stored.some((message) => message.id === id || message.knownAs === id);
  return edited === undefined || id === undefined || !isTaken ? { id } : { id: newId(), knownAs: id };
}

/** Returns where a question goes: at the end of the chosen branch, or beside the edited one. Throws Conflict. */
export function placeQuestion(
  { live }: Pick<Conversation, 'live'>,
  stored: readonly StoredMessage[],
  edited: StoredMessage | undefined,
  asked: ClientView,
): Pick<TurnPlan, 'branch' | 'parent'> {
  const leaf = leafOf({ live }, stored);
  const parent = (edited === undefined ? leaf?.place : edited.parent) ?? null;
  const before = stored.find(({ place }) => place === parent)?.id ?? null;
  requireCurrent({ leaf: leaf?.id ?? null, ...(edited && { before }) }, asked);
  return { branch: edited === undefined ? live : branchBefore(live, stored, edited), parent };
}

/** Returns the last message of the chosen branch. */
function leafOf(
  { live }: Pick<Conversation, 'live'>,
  stored: readonly StoredMessage[],
): StoredMessage | undefined {
  return onlyLive({ live }, stored).at(-1);
}

/** Of a long branch, only the latest messages are read, so its own positions are used where they can be. */
function branchBefore(
  live: Conversation['live'],
  stored: readonly StoredMessage[],
  { place, parent }: StoredMessage,
): Conversation['live'] {
  return hasPlace(live, place) ? before(live, place) : branchTo(stored, parent ?? null);
}

/** Returns the messages of a branch, oldest first. */
export function historyOf(stored: StoredMessage[], branch: Conversation['live']): Message[] {
  return onlyLive({ live: branch }, stored).map(toMessage);
}

/**
 * Answers the question of the named answer, or of the last one, once more, beside its other answers. A question that
 * never arrived, and that the client sends again, is new.
 */
function planAgain(conversation: Conversation, stored: StoredMessage[], asked: Asked): TurnPlan {
  const shown = asked.messages.at(-1)?.id;
  const wanted = asked.messageId ?? shown;
  const leaf = leafOf(conversation, stored);
  const named = wanted === undefined ? leaf : findMeant(conversation, stored, wanted);
  if (named === undefined && asked.messageId)
    throw conversationChanged(leaf?.id ?? null, 'This conversation has no such message, or no more.');
  if (shown !== undefined && isUnsent(named, asked)) return planSubmit(conversation, stored, asked);
  const asker = named?.role === 'user' ? named : stored.find(({ place }) => place === named?.parent);
  if (asker?.role !== 'user')
    throw new InvalidInput('message_unknown', "messageId isn't an answer of this conversation.", {
      field: 'messageId',
    });
  return planAnswer(conversation, stored, asker, asked);
}

/** Returns whether the question to answer again, or its edit, never arrived. */
function isUnsent(named: StoredMessage | undefined, { messages }: Asked): boolean {
  const last = messages.at(-1);
  return named === undefined || (named.role === 'user' && textOf(toMessage(named)) !== last?.text);
}

/** Plans another answer to a stored question. Throws Conflict. */
function planAnswer(
  conversation: Conversation,
  stored: StoredMessage[],
  asker: StoredMessage,
  asked: ClientView,
): TurnPlan {
  const leaf = leafOf(conversation, stored);
  requireCurrent({ leaf: leaf?.id ?? null, before: asker.id }, asked);
  const branch = withPlace(branchBefore(conversation.live, stored, asker), asker.place);
  const history = historyOf(stored, branch);
  const question = history.at(-1) as Message;
  return { conversation, branch, parent: asker.place, added: [], question, history };
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

export function newMessage({ id, role, text, keptFiles = [], ...limits }: AskedMessage): Message {
  const parts = [...keptFiles, { type: 'text', text }];
  const message: Message = { id: id ?? newId(), role: role === 'assistant' ? 'assistant' : 'user', parts };
  const { paths, filter, workspaceIds } = limits;
  const metadata = {
    ...(paths && { paths }),
    ...(filter && { filter }),
    ...(workspaceIds && { workspaceIds }),
  };
  return Object.keys(metadata).length === 0 ? message : { ...message, metadata };
}

/** Returns a title from the start of the question, on one line. */
export function titleOf(asked: string): string {
  return oneLine(asked, MAX_TITLE);
}
