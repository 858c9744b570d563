import { Conflict } from '../../errors.ts';

/** The state of the conversation as the client knows it. */
export interface ClientView {
  /** The last message that the client shows or, if it replaces one, the message before that; null if it shows none. */
  parentId?: string | null | undefined;
}

/**
 * Refuses a message from a client that shows another end of the conversation. `leaf` is its last message;
 * `before` is the message before the one that is edited or answered again. Throws Conflict.
 */
export function requireCurrent(
  { leaf, before }: { leaf: string | null; before?: string | null | undefined },
  { parentId }: ClientView,
): void {
  if (parentId === undefined || parentId === leaf || parentId === before) return;
  throw conversationChanged(leaf, 'This conversation has changed since it was read.');
}

/** Returns the refusal for a client that shows an earlier state. */
export function conversationChanged(leaf: string | null, reason: string): Conflict {
  return new Conflict('conversation_changed', `${reason} Look at it as it is now, then try again.`, {
    field: 'parentId',
    headers: { 'x-conversation-leaf': encodeURIComponent((leaf ?? '').toWellFormed()) },
  });
}
