import type { ErrorCode } from '../../error-codes.ts';
import { Conflict, Forbidden, InvalidInput } from '../../errors.ts';
import { isOfSeveral } from '../../workspaces/all-workspaces.ts';
import type { Conversation } from '../schema.ts';

/** The error codes for a message that a conversation refuses. */
export const WRITING_ERRORS = [
  'conversation_full',
  'conversation_kind_mismatch',
  'owner_only',
  'workspace_mismatch',
] as const satisfies ErrorCode[];

/** Checks that may refuse any message. Each throws an error with a sentence for the caller. */

const MAX_PLACES = 1000;
const OF_KIND = {
  chat: { kinds: ['chat', 'agent'], text: "isn't a chat, or a conversation with the agent" },
  agent: { kinds: ['chat', 'agent'], text: "isn't a chat, or a conversation with the agent" },
  research: { kinds: ['research'], text: "isn't a research conversation" },
};

/** Refuses an ID under which the caller may only read another user's conversation. Throws Forbidden. */
export function requireNotAnothers(others: Conversation | undefined, workspaceId: string): void {
  if (others?.workspaceId === workspaceId)
    throw new Forbidden('owner_only', 'Only the person who started this conversation can write to it.', {
      field: 'id',
    });
}

/** Requires a conversation that can continue with a request of this kind. Throws InvalidInput. */
export function requireOf(
  there: Conversation,
  { workspaceId, kind }: { workspaceId: string; kind: keyof typeof OF_KIND },
): void {
  if (there.workspaceId !== workspaceId)
    throw new InvalidInput('workspace_mismatch', 'workspaceId must be the workspace of the conversation.', {
      field: 'workspaceId',
    });
  const { kinds, text } = OF_KIND[kind];
  if (kind === 'agent' && isOfSeveral(there))
    throw new InvalidInput(
      'conversation_kind_mismatch',
      'id is a conversation about several workspaces, and a run of the agent works in one.',
      { field: 'id' },
    );
  if (!kinds.includes(there.kind))
    throw new InvalidInput('conversation_kind_mismatch', `id ${text}.`, { field: 'id' });
}

/** True if there is room for this many more messages. */
export function hasRoom({ nextPlace }: Conversation, messages = 1): boolean {
  return nextPlace + messages <= MAX_PLACES;
}

/** Throws Conflict. */
export function requireRoom(there: Conversation): void {
  if (!hasRoom(there))
    throw new Conflict(
      'conversation_full',
      `id is a conversation with ${MAX_PLACES} messages, which is the limit. Start a new conversation.`,
      { field: 'id' },
    );
}
