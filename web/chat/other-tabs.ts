import type { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { type RefObject, useEffect, useRef } from 'react';
import type { Schemas } from '../api/schema.ts';
import { readConversation } from '../conversations/queries.ts';

type Chat = Pick<ReturnType<typeof useChat>, 'messages' | 'setMessages' | 'resumeStream' | 'error'> & {
  isBusy: boolean;
};

/** What was asked in another tab, or on another machine, meanwhile is there when this one is looked at again. */
export function useOtherTabs(conversationId: string, chat: Chat): void {
  const latest = useRef(chat);
  latest.current = chat;
  useEffect(() => {
    const catchUp = () => {
      if (document.visibilityState === 'visible') void takeOver(conversationId, latest);
    };
    addEventListener('focus', catchUp);
    document.addEventListener('visibilitychange', catchUp);
    return () => {
      removeEventListener('focus', catchUp);
      document.removeEventListener('visibilitychange', catchUp);
    };
  }, [conversationId]);
}

async function takeOver(conversationId: string, latest: RefObject<Chat>): Promise<void> {
  if (isAtWork(latest.current)) return;
  const kept = await readConversation(conversationId).catch(() => null);
  if (kept === null || isAtWork(latest.current) || !hasMore(kept, latest.current)) return;
  latest.current.setMessages(kept.messages as unknown as UIMessage[]);
  if (kept.answering) void latest.current.resumeStream();
}

function hasMore({ answering, messages }: Schemas['ConversationWithMessages'], chat: Chat): boolean {
  const known = new Set(chat.messages.map(({ id }) => id));
  return answering || messages.some(({ id }) => !known.has(id));
}

/** A question that failed stands in this tab alone, until it is asked again. */
function isAtWork({ isBusy, error }: Chat): boolean {
  return isBusy || error !== undefined;
}
