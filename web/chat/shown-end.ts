import type { UIMessage } from 'ai';

/**
 * Returns the last message that the service has, as far as this tab knows. A question without an answer
 * counts as unsent, unless it's `keptLast`, the last message read from the service.
 */
export function shownEnd(
  messages: readonly Pick<UIMessage, 'id' | 'role'>[],
  keptLast: string | undefined,
): { parentId: string | null } {
  const last = messages.findLast(({ id, role }) => role === 'assistant' || id === keptLast);
  return { parentId: last?.id ?? null };
}
