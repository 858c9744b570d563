import type { UIMessage } from 'ai';

/**
 * The end of a conversation as shown in this tab, which a request includes, so that nothing else is replaced or
 * deleted.
 */
export interface ShownEnd {
  parentId: string | null;
  /** Number of questions after the replaced message. */
  later: number;
}

/**
 * Returns the last message that the service has, as far as this tab knows, and how many questions follow a message. A
 * question without an answer counts as unsent, unless it's `keptLast`, the last message read from the service.
 */
export function shownEnd(
  messages: readonly Pick<UIMessage, 'id' | 'role'>[],
  keptLast: string | undefined,
  messageId?: string,
): ShownEnd {
  const last = messages.findLast(({ id, role }) => role === 'assistant' || id === keptLast);
  const after = messages.slice(messages.findIndex(({ id }) => id === messageId) + 1);
  const later = messageId === undefined ? 0 : after.filter(({ role }) => role === 'user').length;
  return { parentId: last?.id ?? null, later };
}

/** Returns the fields that a request includes. */
export function endFields({ parentId, later }: ShownEnd) {
  return { parentId, ...(later > 0 && { discardLater: true }) };
}
