import type { Caller } from '../../access/caller.ts';
import { type Attached, attachToEach, filesOf } from '../../conversations/attachments/attach.ts';
import type { Attachment } from '../../conversations/attachments/attachment.ts';
import { type KeepAttachmentPorts, requireRoomFor } from '../../conversations/attachments/keep.ts';
import { conversationKeyOf } from '../../conversations/schema.ts';
import type { UiMessage } from '../../ui-messages/ui-message.ts';
import type { Workspace } from '../../workspaces/schema.ts';

/** Attachments of a request's messages. */
export interface AttachedFiles {
  /** The files of the request itself. */
  latest: Attachment[];
  /** The files of each message. */
  each: Attached[][];
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
  const files = messages.map(({ role, parts }) => (role === 'user' ? filesOf(parts) : []));
  const attached = await attachToEach(ports, { workspace, conversation }, files);
  if (conversation !== undefined)
    await requireRoomFor(ports, { key: conversation.key, ownerId: caller.id }, attached.latest);
  return attached;
}
