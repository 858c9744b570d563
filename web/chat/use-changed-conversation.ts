import type { UIMessage } from 'ai';
import { type RefObject, useEffect, useRef } from 'react';
import { isConversationChanged } from '../api/api-error.ts';
import { type KeptConversation, readConversation } from '../conversations/queries.ts';
import { addToDraft } from '../parts/draft.ts';
import { type Part, viewOfMessage } from './message-view.ts';

interface Chat {
  messages: UIMessage[];
  error: Error | undefined;
  show: (kept: KeptConversation, unsent?: UIMessage) => void;
}

/**
 * Shows the service's conversation after it refused this tab's message. A new question stays below it, with
 * the error and its button; an edited question returns to the text box. Sets `keptLast` to the conversation's
 * last message.
 */
export function useChangedConversation(
  conversationId: string,
  chat: Chat,
  keptLast: RefObject<string | undefined>,
): void {
  const latest = useRef(chat);
  latest.current = chat;
  const { error } = chat;
  useEffect(() => {
    if (!isConversationChanged(error)) return;
    let isLeft = false;
    const show = async () => {
      const kept = await readConversation(conversationId);
      if (kept === null || isLeft) return;
      const asked = latest.current.messages.findLast(({ role }) => role === 'user');
      const known = kept.messages.find(({ id }) => id === asked?.id) as UIMessage | undefined;
      keptLast.current = kept.messages.at(-1)?.id;
      latest.current.show(kept, known === undefined ? asked : undefined);
      if (known && asked && textOf(asked) !== textOf(known)) addToDraft(conversationId, textOf(asked));
    };
    show().catch(() => undefined); // the error stays, with its button
    return () => {
      isLeft = true;
    };
  }, [error, conversationId, keptLast]);
}

function textOf({ parts }: UIMessage): string {
  return viewOfMessage(parts as Part[]).text;
}
