import { Conflict, Forbidden, InvalidInput } from '../../errors.ts';
import type { Conversation } from '../schema.ts';

/** Reasons to refuse a message for any recipient: each throws with a sentence. */

const MAX_PLACES = 1000;
const NOT_OF_KIND = {
  chat: 'is not a chat',
  agent: 'is not one with the agent',
  research: 'is not one of research',
};

/** Refuses an id under which the caller may only read another's conversation. Throws Forbidden. */
export function requireNotAnothers(others: Conversation | undefined, workspaceId: string): void {
  if (others?.workspaceId === workspaceId)
    throw new Forbidden('forbidden', 'id: only who began the conversation may write to it');
}

/** Throws InvalidInput. */
export function requireOf(
  there: Conversation,
  { workspaceId, kind }: { workspaceId: string; kind: keyof typeof NOT_OF_KIND },
): void {
  if (there.workspaceId !== workspaceId)
    throw new InvalidInput('invalid_value', 'workspaceId: the conversation is of another workspace');
  if (there.kind !== kind)
    throw new InvalidInput('invalid_value', `id: the conversation ${NOT_OF_KIND[kind]}`);
}

/** Whether this many more messages fit. */
export function hasRoom({ nextPlace }: Conversation, messages = 1): boolean {
  return nextPlace + messages <= MAX_PLACES;
}

/** Throws Conflict. */
export function requireRoom(there: Conversation): void {
  if (!hasRoom(there))
    throw new Conflict('conflict', `id: the conversation has had ${MAX_PLACES} messages: begin another one`);
}
