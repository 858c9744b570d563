import type { Caller } from '../../access/caller.ts';
import { attachAll, attachEarlier, filesOf } from '../../conversations/attachments/attach.ts';
import type { Attachment } from '../../conversations/attachments/attachment.ts';
import type { AttachmentPorts, MessagePlace } from '../../conversations/attachments/fetch-file.ts';
import { type KeepAttachmentPorts, requireRoomFor } from '../../conversations/attachments/keep.ts';
import { showAttached } from '../../conversations/attachments/show.ts';
import { conversationKeyOf } from '../../conversations/schema.ts';
import type { LanguageModel, ModelAttachment } from '../../ports/language-model.ts';
import type { UiMessage } from '../../ui-messages/ui-message.ts';
import type { Workspace } from '../../workspaces/schema.ts';

/** A request's own attachments, and where to find those of earlier messages. */
export interface AttachedFiles {
  place: MessagePlace;
  latest: Attachment[];
}

/** Reads a request's attachments before the run starts. Throws InvalidInput, TooLarge, Conflict. */
export async function attachToRun(
  ports: KeepAttachmentPorts,
  caller: Caller,
  workspace: Workspace,
  { id, messages }: { id?: string | undefined; messages: UiMessage[] },
): Promise<AttachedFiles> {
  const conversation =
    id === undefined ? undefined : { id, key: await conversationKeyOf(ports.records, caller.id, id) };
  const place = { workspace, conversation };
  const latest = await attachAll(ports, place, filesOfEach(messages).at(-1) ?? []);
  if (conversation !== undefined)
    await requireRoomFor(ports, { key: conversation.key, ownerId: caller.id }, latest);
  return { place, latest };
}

/** Returns what the model sees of each message's attachments; the last message is the request. */
export async function showAttachments(
  ports: AttachmentPorts,
  { place, latest }: AttachedFiles,
  messages: UiMessage[],
  model: LanguageModel,
): Promise<ModelAttachment[][]> {
  const earlier = await attachEarlier(ports, place, filesOfEach(messages).slice(0, -1), latest);
  return [...earlier, latest].map((attached) => showAttached(attached, model));
}

function filesOfEach(messages: UiMessage[]) {
  return messages.map(({ role, parts }) => (role === 'user' ? filesOf(parts) : []));
}
