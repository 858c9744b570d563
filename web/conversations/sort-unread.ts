import type { Conversation } from './queries.ts';

export type Counted = Pick<Conversation, 'id' | 'messageCount' | 'answering'>;
/**
 * What this browser last saw of each conversation: its number of messages, and whether an answer was in
 * progress.
 */
export type Seen = Record<string, [messages: number, answering: boolean]>;

/**
 * Returns the conversations with an unseen answer, and what this browser has seen now. The first list, and
 * the open conversation, count as seen.
 */
export function sortUnread(seen: Seen | undefined, listed: readonly Counted[], openId: string | undefined) {
  const unread = new Set<string>();
  const next: Seen = {};
  for (const { id, messageCount, answering } of listed) {
    const before = seen === undefined || id === openId ? undefined : (seen[id] ?? [0, false]);
    const hasNew = before !== undefined && (messageCount > before[0] || before[1]);
    if (hasNew && !answering) unread.add(id);
    next[id] = before ?? [messageCount, answering];
  }
  return { unread, seen: next };
}
