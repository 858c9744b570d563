const key = (workspaceId: string) => `new-chat:${workspaceId}`;

/** The id of a chat that was begun and not yet asked anything, or of a new one. */
export function newChatId(workspaceId: string): string {
  const kept = sessionStorage.getItem(key(workspaceId));
  if (kept !== null) return kept;
  const id = randomId();
  sessionStorage.setItem(key(workspaceId), id);
  return id;
}

/** Begun in this tab, and not asked anything there yet: there is nothing to be read of it. */
export function isNewChat(workspaceId: string, conversationId: string): boolean {
  return sessionStorage.getItem(key(workspaceId)) === conversationId;
}

/** Its first question was sent. */
export function closeNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === conversationId)
    sessionStorage.removeItem(key(workspaceId));
}

/** Its first question never arrived. Another chat that was begun since stays the new one. */
export function reopenNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === null)
    sessionStorage.setItem(key(workspaceId), conversationId);
}

/** `crypto.randomUUID` is only there over https and on loopback. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `chat-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
