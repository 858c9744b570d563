import { findOfBot } from '../../conversations/find.ts';
import type { Conversation, Message } from '../../conversations/schema.ts';
import { ANSWER_CUT } from '../../conversations/turn/answer-message.ts';
import { appendOnce, beginBotConversation, readBack } from '../../conversations/turn/append.ts';
import { titleOf } from '../../conversations/turn/plan-turn.ts';
import { hasRoom } from '../../conversations/turn/writing.ts';
import type { Records } from '../../ports/records.ts';
import { readEnding } from '../../ui-messages/answer-ending.ts';
import { notice } from '../../ui-messages/notice.ts';
import { withoutCitations } from '../../ui-messages/without-citations.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { type ChatPorts, changeChat, jsonBytes, openChat } from '../chats.ts';
import { turnsOf } from '../inbox/read-message.ts';
import { NOTHING_SAID } from '../reply/run-story.ts';
import type { ActiveRun, Chat, ChatId, HistoryMessage } from '../schema.ts';

/**
 * A chat's memory is its conversation (lib/conversations, kind `bot`), which the API lists and the model
 * reads. It belongs to one workspace, and its ID is that of its first run. All functions here are idempotent,
 * even after an interruption.
 */

/** The number of messages that must have room: a question and an answer. */
const ROOM_WANTED = 2;
const MAX_READ = 60;
const MAX_HISTORY = 50;
/** The maximum length of the history as JSON, in bytes. */
const MAX_HISTORY_BYTES = 120_000;
const ASKED = 'asked-';

/**
 * Decides, once and for all, which conversation the message belongs to: the chat's, or a new one. Undefined
 * if the chat now works on another message.
 */
export async function decideConversation(
  ports: ChatPorts,
  chat: Chat,
  { runId }: ActiveRun,
  workspace: Workspace,
): Promise<{ chat: Chat; active: ActiveRun } | undefined> {
  const kept = chat.conversationId === null ? undefined : await findOfBot(ports.records, chat.conversationId);
  const last = kept?.workspaceId === workspace.id ? kept : undefined;
  const decided = await changeChat(ports, chat, (now) =>
    now.activeRun?.runId === runId ? withConversation(now, now.activeRun, last) : undefined,
  );
  return decided?.activeRun ? { chat: decided, active: decided.activeRun } : undefined;
}

/** `last` is the chat's conversation, if it exists and belongs to the workspace. */
function withConversation(chat: Chat, activeRun: ActiveRun, last: Conversation | undefined): Partial<Chat> {
  if (activeRun.conversationId !== null) return {};
  const id = activeRun.runId;
  const begun = { ...activeRun, conversationId: id };
  // If the chat was cleared after the message arrived, the next message doesn't continue its conversation.
  if (activeRun.forget) return { activeRun: begun };
  if (last === undefined || last.id !== chat.conversationId)
    return { activeRun: begun, conversationId: id, earlierId: null };
  if (!hasRoom(last, ROOM_WANTED)) return { activeRun: begun, conversationId: id, earlierId: last.id };
  return { activeRun: { ...activeRun, conversationId: last.id } };
}

/** Stores the person's question. */
export async function keepQuestion(
  ports: ChatPorts,
  chat: Chat,
  active: ActiveRun,
  workspace: Workspace,
): Promise<void> {
  const { runId, conversationId, message } = active;
  if (conversationId === null) return;
  if (conversationId === runId) {
    const ownerId = callerOfMessage(message).id;
    const title = titleOf(titleTextOf(active));
    const begun = { id: runId, workspaceId: workspace.id, ownerId, mode: chat.mode, title };
    await beginBotConversation(ports, begun);
  }
  await appendOnce(ports, conversationId, [questionOf(active)]);
}

/** Returns the question with the name of its sender, because anyone in a group may have asked. */
function questionOf(active: ActiveRun): Message {
  const parts = turnsOf(active).map(({ text }) => ({ type: 'text', text }));
  const metadata = { sender: callerOfMessage(active.message).id };
  return { id: `${ASKED}${active.runId}`, role: 'user', parts, metadata };
}

function titleTextOf({ message: { content }, reading }: ActiveRun): string {
  if (content.type === 'file') return content.name;
  return content.type === 'text' ? content.text : (reading ?? '');
}

/** Stores the result of a run that has ended, unless another run has added to the conversation since. */
export async function keepChatAnswer(ports: ChatPorts, chat: ChatId, answer: Message): Promise<void> {
  const { activeRun } = await openChat(ports, chat);
  if (activeRun?.runId !== answer.id || activeRun.conversationId === null) return;
  await appendOnce(ports, activeRun.conversationId, [answer]);
}

/** Returns the answer to a message that couldn't start a run. */
export function refusal(runId: string, text: string): Message {
  const { type, data } = notice(ANSWER_CUT, text) as Message['parts'][number];
  return { id: runId, role: 'assistant', parts: [{ type, data }] };
}

/** Returns the messages of the chat that the model sees: only those that have been answered. */
export async function rememberedIn(
  records: Records,
  { conversationId, earlierId }: Pick<Chat, 'conversationId' | 'earlierId'>,
): Promise<HistoryMessage[]> {
  const said: Message[] = [];
  for (const id of [conversationId, earlierId]) {
    const there = id === null ? undefined : await findOfBot(records, id);
    if (there === undefined) break; // deleted: earlier messages are no longer remembered
    for await (const message of readBack(records, there, MAX_READ)) said.unshift(message);
  }
  return fitHistory(answeredIn(said));
}

function answeredIn(said: Message[]): HistoryMessage[] {
  const answered = new Set(said.filter((message) => !isCut(message)).map(({ id }) => id));
  return said.flatMap((message): HistoryMessage[] => {
    if (message.role === 'assistant')
      return isCut(message) ? [] : [{ role: 'assistant', text: lastWords(message) }];
    const isOfRun = message.id.startsWith(ASKED);
    if (isOfRun && !answered.has(message.id.slice(ASKED.length))) return [];
    return message.parts.map(({ text }) => ({ role: 'user', text: String(text ?? '') }));
  });
}

function isCut({ parts }: Message): boolean {
  return parts.some(
    (part) =>
      part.type === 'data-notice' &&
      (part.data as { code?: unknown } | undefined)?.code === ANSWER_CUT &&
      readEnding(part) === undefined,
  );
}

/** Returns the text of the last step that wrote one; the person saw it. */
function lastWords({ parts }: Message): string {
  const steps: string[] = [''];
  for (const { type, text } of parts) {
    if (type === 'step-start') steps.push('');
    if (type === 'text') steps.push(`${steps.pop() ?? ''}${String(text ?? '')}`);
  }
  return withoutCitations(steps.findLast((text) => text.trim() !== '') ?? NOTHING_SAID, parts);
}

/** Drops the oldest messages beyond the limit. */
export function fitHistory(history: HistoryMessage[]): HistoryMessage[] {
  const all = history.slice(-MAX_HISTORY);
  while (all.length > 0 && jsonBytes(all) > MAX_HISTORY_BYTES) all.shift();
  // A conversation starts with a person, so an answer without its question is dropped.
  while (all[0]?.role === 'assistant') all.shift();
  return all;
}
