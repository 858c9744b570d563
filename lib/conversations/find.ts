import type { Caller } from '../access/caller.ts';
import { Forbidden, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { findWorkspace } from '../workspaces/access.ts';
import { type Conversation, conversations, keyOf, shares } from './schema.ts';

/**
 * The conversation, for who began it, and when it is shared for whoever may use its workspace. Anybody else's is not
 * there. Throws NotFound, and what findWorkspace throws.
 */
export async function findConversation(records: Records, caller: Caller, id: string): Promise<Conversation> {
  const found = await findConversationIfThere(records, caller, id);
  if (found === undefined) throw new NotFound('no such conversation');
  return found;
}

/** The same, undefined when it is not there. */
export async function findConversationIfThere(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Conversation | undefined> {
  const found = (await findOwn(records, caller, id)) ?? (await findShared(records, id));
  if (found !== undefined) await findWorkspace(records, caller, found.workspaceId);
  return found;
}

/** To change it: only who began it may. Throws as findConversation does, and Forbidden for a reader. */
export async function findConversationToChange(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Conversation> {
  const found = await findConversation(records, caller, id);
  if (found.ownerId !== caller.id) throw new Forbidden('only who began the conversation may do this');
  return found;
}

export function findOwn(records: Records, { id: ownerId }: Caller, id: string) {
  return conversations.get(records, { key: keyOf(ownerId, id) });
}

/** That of another person which is shared under this id. */
export async function findShared(records: Records, id: string): Promise<Conversation | undefined> {
  const share = await shares.get(records, { id });
  const found = share && (await conversations.get(records, share));
  return found?.shared ? found : undefined;
}
