import type { Caller } from '../access/caller.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import type { Objects } from '../ports/objects.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { dropQuotesOf } from '../quotations/records/keep-quotes.ts';
import { changeRead, whileOvertaken } from '../records/change.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { framesPartition } from '../run-events/schema.ts';
import { allWorkspacesOf } from '../workspaces/all-workspaces.ts';
import { dropAttachments, dropAttachmentsOf } from './attachments/keep.ts';
import { branchTo, leafBelow } from './branches.ts';
import { findConversationToChange } from './find.ts';
import { readAllMessages, withCount } from './messages.ts';
import {
  type Conversation,
  type ConversationChange,
  conversationPartition,
  conversations,
  handOvers,
  keyOf,
  members,
  membersPartition,
  type RemovedConversation,
  shares,
} from './schema.ts';

/**
 * Renames, pins, or shares a conversation, or chooses one of its branches. Throws NotFound, Forbidden,
 * InvalidInput, and Conflict if another conversation is shared under the same ID, or an answer is in progress
 * in the chosen branch.
 */
export async function changeConversation(
  records: Records,
  caller: Caller,
  id: string,
  { title, pinned, shared, leafId }: ConversationChange,
): Promise<Conversation> {
  const changed = await whileOvertaken(async () => {
    const read = await findConversationToChange(records, caller, id);
    // The share is written first and removed last, so that a shared conversation can always be found.
    if (shared) await share(records, read);
    const branch = leafId === undefined ? {} : await chooseBranch(records, read, leafId);
    return changeRead(conversations, records, read, {
      ...branch,
      ...(title !== undefined && { title, titleGiven: true }),
      ...(pinned !== undefined && { pinned }),
      ...(shared !== undefined && { shared }),
    });
  });
  if (!changed.shared) await unshare(records, changed);
  return changed;
}

async function chooseBranch(records: Records, there: Conversation, leafId: string) {
  if (there.turnId !== null)
    throw new Conflict('answer_in_progress', 'An answer is being written. Choose another branch after it.');
  const all = await readAllMessages(records, there);
  const chosen = all.find(({ id }) => id === leafId);
  if (chosen === undefined)
    throw new InvalidInput('message_unknown', "leafId isn't a message of this conversation.", {
      field: 'leafId',
    });
  return withCount(branchTo(all, leafBelow(all, chosen.place)));
}

async function share(records: Records, { workspaceId, id, key }: Conversation): Promise<void> {
  if (await shares.create(records, { workspaceId, id, key })) return;
  const there = await shares.get(records, { id });
  if (there?.key === key) return;
  throw new Conflict(
    'conversation_id_shared',
    "shared can't be set because another shared conversation has the same ID.",
    { field: 'shared' },
  );
}

async function unshare(records: Records, { id, key }: Pick<Conversation, 'id' | 'key'>): Promise<void> {
  await ifExpected(shares.delete(records, { id }, { key }));
}

interface DeleteConversationPorts {
  records: Records;
  objects: Objects;
  /**
   * Removes the data of other areas about the conversation, while the deletion can still be repeated.
   * Idempotent.
   */
  dropWith?: ((records: Records, found: Conversation) => Promise<void>) | undefined;
}

/** Deletes the conversation with its messages and its answer in progress. Throws NotFound, Forbidden. */
export async function deleteConversation(
  ports: DeleteConversationPorts,
  caller: Caller,
  id: string,
): Promise<void> {
  const found = await findConversationToChange(ports.records, caller, id);
  await ports.dropWith?.(ports.records, found);
  await dropAttachments(ports, found); // before the head, so that the deletion can be repeated
  await removeConversation(ports.records, found);
  await dropAttachments(ports, found); // attachments that have arrived since
}

/** Deletes the head first, so that a process that is answering in the conversation notices. Idempotent. */
export async function removeConversation(records: Records, found: RemovedConversation): Promise<void> {
  const { key, turnId, lastTurnId } = found;
  const ids = allWorkspacesOf(found);
  await unshare(records, found);
  await conversations.delete(records, { key });
  await dropPartition(records, conversationPartition(key));
  for (const id of [turnId, lastTurnId]) if (id !== null) await dropPartition(records, framesPartition(id));
  for (const workspaceId of ids) await dropQuotesOf(records, workspaceId, { kind: 'answer', key });
  await handOvers.delete(records, { key: keyOf(found.ownerId, found.id) });
  await members.deleteMany(
    records,
    ids.map((workspaceId) => ({ workspaceId, key })),
  );
}

/** Removes the conversations of a deleted workspace, including those that are also about other workspaces. */
export function dropConversations(objects: Objects) {
  return async (records: Records, workspaceId: string): Promise<void> => {
    await dropRecords({ records, objects }, workspaceId);
    await dropAttachmentsOf(objects, workspaceId);
  };
}

async function dropRecords(ports: DeleteConversationPorts, workspaceId: string): Promise<void> {
  const { records } = ports;
  for await (const { key } of members.all(records, {
    partition: membersPartition(workspaceId),
    limit: 100,
  })) {
    const found = await conversations.get(records, { key });
    if (found !== undefined && allWorkspacesOf(found).includes(workspaceId)) {
      await removeConversation(records, found);
      await dropAttachments(ports, found); // those of another workspace
    }
    // An interrupted deletion leaves records that no reader can find.
    if (found === undefined) await dropPartition(records, conversationPartition(key));
    await members.delete(records, { workspaceId, key });
  }
}

/** Throws NotFound if the conversation was deleted between two steps. */
export async function readAgain(records: Records, { key }: Conversation): Promise<Conversation> {
  const found = await conversations.get(records, { key });
  if (found === undefined) throw new NotFound('conversation_not_found', 'This conversation does not exist.');
  return found;
}
