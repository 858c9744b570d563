import type { Attached } from '../conversations/attachments/attach.ts';
import { attachAll, attachEarlier, attachToEach, filesOf } from '../conversations/attachments/attach.ts';
import type { Attachment } from '../conversations/attachments/attachment.ts';
import type { AttachmentPorts, MessagePlace } from '../conversations/attachments/fetch-file.ts';
import { type KeepAttachmentPorts, requireRoomFor } from '../conversations/attachments/keep.ts';
import { keptPart } from '../conversations/attachments/schema.ts';
import { textOf } from '../conversations/messages.ts';
import type { Message } from '../conversations/schema.ts';
import type { Asked, QuestionLimits, TurnPlan } from '../conversations/turn/plan-turn.ts';
import { noneIfRefused } from '../errors.ts';
import type { MessagePart } from '../ui-messages/ui-message.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { ChatMessage } from './schema.ts';

/** A message as sent. The client's claims about its files are unverified. */
export interface SentMessage extends ChatMessage {
  files?: MessagePart[];
}

/** The question of a stored chat as sent. */
export interface SentQuestion extends Omit<Asked, 'messages'>, QuestionLimits {
  messages: SentMessage[];
}

/** The location of a message in a stored conversation. */
export type StoredPlace = MessagePlace & { conversation: { id: string; key: string; ownerId: string } };

/** Returns the messages of a chat that isn't stored, with their attachments. Throws InvalidInput, TooLarge. */
export async function attachToChat(
  ports: AttachmentPorts,
  workspace: Workspace,
  messages: SentMessage[],
): Promise<ChatMessage[]> {
  const files = messages.map((message) => filesOf(message.files ?? []));
  const { each } = await attachToEach(ports, { workspace }, files);
  return messages.map(({ role, text }, at) => ({ role, text, attached: each[at] ?? [] }));
}

/**
 * Returns the attachments of a stored chat's question, and the question as it will be stored. If a question
 * is answered again, the stored attachments count, so the client's list can't cause a refusal. Throws
 * InvalidInput, TooLarge, Conflict.
 */
export async function attachToQuestion(
  ports: KeepAttachmentPorts,
  place: StoredPlace,
  body: SentQuestion,
): Promise<{ added: Attachment[]; asked: Asked }> {
  const { id, key, ownerId } = place.conversation;
  const attaching = attachAll(ports, place, filesOf(body.messages.at(-1)?.files ?? []));
  const isAgain = body.trigger === 'regenerate-message';
  const added = (await (isAgain ? attaching.catch(noneIfRefused) : attaching)) ?? [];
  await requireRoomFor(ports, { key, ownerId }, added);
  const keptFiles = added.map((attachment) => keptPart(id, attachment));
  const last = body.messages.length - 1;
  const messages = body.messages.map(({ id: messageId, role, text }, at) => ({
    ...{ id: messageId, role, text },
    ...(at === last && { keptFiles, ...limitsOf(body) }),
  }));
  return { added, asked: { ...body, messages } };
}

function limitsOf({ paths, filter, workspaceIds }: QuestionLimits): QuestionLimits {
  return { paths, filter, workspaceIds };
}

/** Returns the earlier messages and the question, with their attachments. */
export async function recallHistory(
  ports: AttachmentPorts,
  place: StoredPlace,
  { history, question, added: newMessages }: TurnPlan,
  added: Attachment[],
): Promise<ChatMessage[]> {
  const filesIn = history.map(({ parts }) => filesOf(parts));
  const isNew = newMessages.includes(question);
  const each: Attached[][] = isNew
    ? [...(await attachEarlier(ports, place, filesIn.slice(0, -1), added)), added]
    : await attachEarlier(ports, place, filesIn);
  return history.map((message, at) => toChatMessage(message, each[at] ?? []));
}

function toChatMessage(message: Message, attached: Attached[]): ChatMessage {
  return { role: message.role, text: textOf(message), attached };
}
