import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { ApiError, api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Conversation = Schemas['Conversation'];

const LISTED = 100;
const POLL_MS = 15_000;

export function useConversations(workspaceId: string, words: string) {
  const q = words.trim();
  return useQuery({
    queryKey: ['conversations', workspaceId, q],
    queryFn: () =>
      take(
        api.GET('/api/conversations', {
          params: { query: { workspaceId, limit: LISTED, ...(q !== '' && { q }) } },
        }),
      ),
    refetchInterval: POLL_MS, // for runs of tasks, bots, and other tabs
    placeholderData: (before) => before,
  });
}

/**
 * Returns a conversation; null if it doesn't exist yet. A chat has a URL before it is stored with its first
 * question.
 */
export function useConversation(conversationId: string) {
  return useQuery({
    queryKey: ['conversation', conversationId],
    queryFn: () => readConversation(conversationId),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export type KeptConversation = Schemas['ConversationWithMessages'];

export async function readConversation(conversationId: string): Promise<KeptConversation | null> {
  const call = api.GET('/api/conversations/{conversationId}', { params: { path: { conversationId } } });
  try {
    return await take(call);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export function useChangeConversation() {
  return useChange(
    { rereads: [['conversations']] },
    ({ id, ...body }: { id: string; title?: string; pinned?: boolean; shared?: boolean }) =>
      take(
        api.PUT('/api/conversations/{conversationId}', { params: { path: { conversationId: id } }, body }),
      ),
  );
}

/** Chooses the branch with this message, up to the latest one after it. */
export function chooseBranch(conversationId: string, leafId: string) {
  const params = { path: { conversationId } };
  return take(api.PUT('/api/conversations/{conversationId}', { params, body: { leafId } }));
}

export function useDeleteConversation() {
  return useChange({ rereads: [['conversations']] }, (conversationId: string) =>
    take(api.DELETE('/api/conversations/{conversationId}', { params: { path: { conversationId } } })),
  );
}
