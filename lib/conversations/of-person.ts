import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { changeRead } from '../records/change.ts';
import { ATTACHMENTS, attachments } from './attachments/schema.ts';
import { findOwn } from './find.ts';
import {
  type Conversation,
  conversationPartition,
  conversations,
  handOvers,
  keyOf,
  ownPartition,
  sharedPartition,
} from './schema.ts';
import { turnLeases } from './turn/lease.ts';

/** Yields the conversations that a person owns in a workspace. The chats of bots have no owner. */
export async function* conversationsOf(
  records: Records,
  workspaceId: string,
  ownerId: string,
): AsyncGenerator<Conversation> {
  const query = { byIndex: true, limit: 100 };
  const own = { ...query, partition: ownPartition(workspaceId, ownerId) };
  for await (const found of conversations.all(records, own)) if (found.ownerId === ownerId) yield found;
  const shared = { ...query, partition: sharedPartition(workspaceId) };
  for await (const found of conversations.all(records, shared))
    if (found.ownerId === ownerId && found.kind !== 'bot') yield found;
}

/**
 * Gives a conversation to another owner, who finds it under the same ID. Returns `later` if an answer is in
 * progress or the conversation has changed since it was read, and `taken` if the new owner has another
 * conversation with this ID. Idempotent; the new owner is written last.
 */
export async function handOverConversation(
  { records, clock }: TimedRecords,
  found: Conversation,
  to: string,
): Promise<'done' | 'later' | 'taken'> {
  if (turnLeases.isHeld(found, clock)) return 'later';
  const there = await findOwn(records, { id: to }, found.id);
  if (there !== undefined && there.key !== found.key) return 'taken';
  const place = keyOf(to, found.id);
  if (place !== found.key) await handOvers.put(records, { key: place, of: found.key });
  await moveAttachments(records, found, to);
  if ((await changeRead(conversations, records, found, { ownerId: to })) === undefined) return 'later';
  await handOvers.delete(records, { key: keyOf(found.ownerId, found.id) });
  return 'done';
}

/** Moves the attachments to the quota of their next owner. */
async function moveAttachments(records: Records, { key }: Conversation, to: string): Promise<void> {
  const query = { partition: conversationPartition(key), sortPrefix: ATTACHMENTS };
  for await (const kept of attachments.all(records, query))
    await attachments.put(records, { ...kept, ownerId: to }, { hash: kept.hash });
}
