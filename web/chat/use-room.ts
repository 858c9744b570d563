import './schemas-without-eval.ts';
import { useChat } from '@ai-sdk/react';
import { useQueryClient } from '@tanstack/react-query';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { useMemo } from 'react';
import { api, callApi } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';
import { closeNewChat } from './new-chat.ts';

/** Frames of an answer are put together: so many are drawn a second, however many come. */
const THROTTLE_MS = 60;

export interface RoomOptions {
  workspaceId: string;
  conversationId: string;
  kept: Schemas['ConversationWithMessages'] | null;
}

/** A kept conversation: what was said, and what may be done with it. An answer that is under way is joined. */
export function useRoom({ workspaceId, conversationId, kept }: RoomOptions) {
  const queries = useQueryClient();
  const transport = useMemo(
    () => new DefaultChatTransport({ api: '/api/chat', body: { workspaceId }, fetch: callOver }),
    [workspaceId],
  );
  const chat = useChat({
    id: conversationId,
    messages: (kept?.messages ?? []) as unknown as UIMessage[],
    resume: kept?.answering === true,
    throttle: THROTTLE_MS,
    transport,
    onFinish: () => void queries.invalidateQueries({ queryKey: ['conversations', workspaceId] }),
  });
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  const ask = (text: string, messageId?: string) => {
    closeNewChat(workspaceId, conversationId);
    void chat.sendMessage({ text, ...(messageId !== undefined && { messageId }) });
    void queries.invalidateQueries({ queryKey: ['conversations', workspaceId] });
  };
  const stop = async () => {
    await chat.stop();
    await api.POST('/api/chat/{conversationId}/stop', { params: { path: { conversationId } } });
  };
  return { ...chat, isBusy, ask, stop };
}

export type Room = ReturnType<typeof useRoom>;

const callOver: typeof fetch = (input, init) => callApi(input as RequestInfo, init);
