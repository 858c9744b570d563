const key = (workspaceId: string) => `new-chat:${workspaceId}`;

/** Returns the ID of a new chat without questions so far, or of another new one. */
export function newChatId(workspaceId: string): string {
  const kept = sessionStorage.getItem(key(workspaceId));
  if (kept !== null) return kept;
  const id = randomId();
  sessionStorage.setItem(key(workspaceId), id);
  return id;
}

/** True for a chat created in this tab without questions so far: nothing can be loaded. */
export function isNewChat(workspaceId: string, conversationId: string): boolean {
  return sessionStorage.getItem(key(workspaceId)) === conversationId;
}

/** Called when its first question was sent. */
export function closeNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === conversationId)
    sessionStorage.removeItem(key(workspaceId));
}

/** Called if its first question never arrived. A newer chat stays the new one. */
export function reopenNewChat(workspaceId: string, conversationId: string): void {
  if (sessionStorage.getItem(key(workspaceId)) === null)
    sessionStorage.setItem(key(workspaceId), conversationId);
}

/** `crypto.randomUUID` exists only over https and on loopback. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `chat-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
