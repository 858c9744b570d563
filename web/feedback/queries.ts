import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { FeedbackReason, Rating } from '../../lib/api-contract/feedback-reasons.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, callApi, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';
import { saveFile } from '../parts/save-file.ts';

export type OwnFeedback = Schemas['OwnFeedback'];
export type Feedback = Schemas['Feedback'];

const PATH = '/api/conversations/{conversationId}/messages/{messageId}/feedback';

export interface AnswerIds {
  conversationId: string;
  messageId: string;
}

/** Returns one's own feedback in a conversation; without data if the conversation can't be read. */
export function useOwnFeedback(conversationId: string) {
  return useQuery({
    queryKey: ['feedback', conversationId],
    queryFn: () =>
      take(api.GET('/api/conversations/{conversationId}/feedback', { params: { path: { conversationId } } })),
    retry: false,
    staleTime: 60_000,
  });
}

export function useGiveFeedback(path: AnswerIds) {
  return useChange(
    { rereads: [['feedback', path.conversationId]] },
    (body: { rating: Rating; reasons: FeedbackReason[]; comment: string }) =>
      take(api.PUT(PATH, { params: { path }, body })),
  );
}

export function useWithdrawFeedback(path: AnswerIds) {
  return useChange({ rereads: [['feedback', path.conversationId]] }, () =>
    take(api.DELETE(PATH, { params: { path } })),
  );
}

export function useFeedback(rating: Rating | undefined) {
  return useInfiniteQuery({
    queryKey: ['all-feedback', rating],
    queryFn: ({ pageParam }) =>
      takePage((cursor) => {
        const query = { limit: 50, ...(rating && { rating }), ...(cursor && { cursor }) };
        return api.GET('/api/feedback', { params: { query } });
      }, pageParam),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

/** Saves the newest feedback as a collection; for more, the API has pages. */
export function useSaveFeedback() {
  return useMutation({
    mutationFn: async () => {
      const response = await callApi('/api/feedback/export');
      saveFile(await response.blob(), 'feedback.zip');
    },
  });
}
