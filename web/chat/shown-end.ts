import type { UIMessage } from 'ai';

/** What this tab shows of a conversation, which a request tells the service: nothing else is replaced or deleted. */
export interface ShownEnd {
  parentId: string | null;
  /** Number of questions after the message that is replaced. */
  later: number;
}

/**
 * Returns the last message that the service has, as far as this tab knows, and how many questions follow a message. A question
 * without an answer counts as unsent, unless it is `keptLast`, the last message that was read from the service.
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

/** The fields of a request. */
export function endFields({ parentId, later }: ShownEnd) {
  return { parentId, ...(later > 0 && { discardLater: true }) };
}
