const key = (workspaceId: string) => `new-chat:${workspaceId}`;

/** Returns the ID of a new chat without questions, or creates one. */
export function newChatId(workspaceId: string): string {
  const kept = sessionStorage.getItem(key(workspaceId));
  if (kept !== null) return kept;
  const id = randomId();
  sessionStorage.setItem(key(workspaceId), id);
  return id;
}

/**
 * Returns whether a chat was created in this tab and has no questions yet, so that there is nothing to load.
 */
export function isNewChat(workspaceId: string, conversationId: string): boolean {
  return sessionStorage.getItem(key(workspaceId)) === conversationId;
}

/** Call it when the chat's first question was sent. */
export function closeNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === conversationId)
    sessionStorage.removeItem(key(workspaceId));
}

/**
 * Call this if the chat's first question never arrived. If a newer chat exists, that one stays the new chat.
 */
export function reopenNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === null)
    sessionStorage.setItem(key(workspaceId), conversationId);
}

/** Returns a random ID without `crypto.randomUUID`, which exists only over https and on loopback. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `chat-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
