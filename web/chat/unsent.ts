import type { UIMessage } from 'ai';
import { isConversationChanged, STREAM_BROKEN } from '../api/api-error.ts';
import { ApiError } from '../api/client.ts';
import { prependToDraft } from '../parts/kept-draft.ts';
import { reopenNewChat } from './new-chat.ts';

export interface UnsentChat {
  messages: UIMessage[];
  error: Error | undefined;
}

export interface UnsentPlace {
  workspaceId: string;
  conversationId: string;
  /** True if the service has nothing of the conversation yet. */
  isNew: boolean;
}

/** Returns the question that the service never got; undefined if there is none. */
export function unsentQuestion({ messages, error }: UnsentChat): string | undefined {
  const last = messages.at(-1);
  const isUnreached = error instanceof ApiError && error.status === 0 && error.code !== STREAM_BROKEN;
  if (!(isUnreached || isConversationChanged(error)) || last?.role !== 'user') return undefined;
  const text = last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return text === '' ? undefined : text;
}

/** Puts an unsent question back into the text box of its chat: the page was left, and no longer sends it. */
export function keepUnsent({ workspaceId, conversationId, isNew }: UnsentPlace, question: string): void {
  prependToDraft(conversationId, question);
  if (isNew) reopenNewChat(workspaceId, conversationId);
}
