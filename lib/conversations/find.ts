import { type Caller, isAdminOfAll } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Forbidden, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import { mayReadAll } from '../workspaces/all-workspaces.ts';
import { botKeyOf, type Conversation, conversationKeyOf, conversations, shares } from './schema.ts';

/** The error codes of a request that names a conversation. */
export const CONVERSATION_ERRORS = [
  ...WORKSPACE_ERRORS,
  'conversation_not_found',
] as const satisfies ErrorCode[];

/** The error codes of a request that changes a conversation. */
export const CHANGE_CONVERSATION_ERRORS = [
  ...CONVERSATION_ERRORS,
  'owner_only',
] as const satisfies ErrorCode[];

/**
 * Returns the conversation for its owner and, if it's shared, for everyone who may use all its workspaces.
 * Global administrators may also read a bot's conversation. Throws NotFound for all other callers, and the
 * errors of findWorkspace.
 */
export async function findConversation(records: Records, caller: Caller, id: string): Promise<Conversation> {
  const found = await findConversationIfThere(records, caller, id);
  if (found === undefined) throw new NotFound('conversation_not_found', 'This conversation does not exist.');
  return found;
}

/** Like findConversation, but undefined if the conversation doesn't exist. */
export async function findConversationIfThere(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Conversation | undefined> {
  const found = (await findOwn(records, caller, id)) ?? (await findOthers(records, caller, id));
  if (found === undefined || !(await mayReadAll(records, caller, found))) return undefined;
  await findWorkspace(records, caller, found.workspaceId);
  return found;
}

/**
 * Returns the conversation for a caller who wants to change it. Only its owner may; for a bot's, only global
 * administrators. Throws like findConversation, and Forbidden for a caller who may only read it.
 */
export async function findConversationToChange(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Conversation> {
  const found = await findConversation(records, caller, id);
  requireOwn(caller, found);
  return found;
}

/** Throws Forbidden for a caller who can read the conversation but not change it. */
export function requireOwn(caller: Caller, found: Conversation): void {
  if (found.kind === 'bot' && !isAdminOfAll(caller))
    throw new Forbidden('role_required', 'Only administrators can change the chats of a bot.');
  if (found.kind !== 'bot' && found.ownerId !== caller.id)
    throw new Forbidden('owner_only', 'Only the person who started this conversation can do this.');
}

export async function findOwn(
  records: Records,
  { id: ownerId }: Pick<Caller, 'id'>,
  id: string,
): Promise<Conversation | undefined> {
  const found = await conversations.get(records, { key: await conversationKeyOf(records, ownerId, id) });
  return found?.ownerId === ownerId ? found : undefined;
}

/** Finds another user's conversation that the caller may read and that has this ID. */
export async function findOthers(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Conversation | undefined> {
  // A bot's conversation takes precedence: its ID is that of its first run, so it's guessable, and a
  // conversation shared under that ID would hide it.
  const ofBot = isAdminOfAll(caller) ? await findOfBot(records, id) : undefined;
  return ofBot ?? findShared(records, id);
}

/** Finds a chat of a bot. */
export function findOfBot(records: Records, id: string): Promise<Conversation | undefined> {
  return conversations.get(records, { key: botKeyOf(id) });
}

/** Finds another user's conversation that is shared under this ID. */
async function findShared(records: Records, id: string): Promise<Conversation | undefined> {
  const share = await shares.get(records, { id });
  const found = share && (await conversations.get(records, share));
  return found?.shared ? found : undefined;
}
