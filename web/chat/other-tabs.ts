import type { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { type RefObject, useEffect, useRef } from 'react';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { readConversation, useConversations } from '../conversations/queries.ts';
import { isNewChat } from './new-chat.ts';

type Chat = Pick<ReturnType<typeof useChat>, 'messages' | 'setMessages' | 'resumeStream' | 'error'> & {
  isBusy: boolean;
};

interface Place {
  workspaceId: string;
  conversationId: string;
}

/** Loads messages from other tabs and computers when this tab is looked at again. */
export function useOtherTabs({ workspaceId, conversationId }: Place, chat: Chat): void {
  const latest = useRef(chat);
  latest.current = chat;
  const isListed = useIsListed(workspaceId, conversationId);
  const isNew = isNewChat(workspaceId, conversationId);
  useEffect(() => {
    const catchUp = () => {
      const mayBeMore = isListed || !isNew;
      if (mayBeMore && document.visibilityState === 'visible') void takeOver(conversationId, latest);
    };
    if (isListed && isNew) catchUp();
    addEventListener('focus', catchUp);
    document.addEventListener('visibilitychange', catchUp);
    return () => {
      removeEventListener('focus', catchUp);
      document.removeEventListener('visibilitychange', catchUp);
    };
  }, [conversationId, isListed, isNew]);
}

/** A duplicated tab has the new chat of the first one: its questions are in the list. */
function useIsListed(workspaceId: string, conversationId: string): boolean {
  const listed = useConversations(workspaceId, '').data ?? [];
  return listed.some(({ id }) => id === conversationId);
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

/** A failed question is in this tab alone, until it is asked again. */
function isAtWork({ isBusy, error }: Chat): boolean {
  return isBusy || error !== undefined;
}
