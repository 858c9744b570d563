import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';

export type BrokenCitation = Schemas['BrokenCitation'];
export type Repaired = Schemas['RepairedCitation'];

/** As many as have suggestions. */
const LISTED = 20;

export function useBrokenCitations(workspaceId: string) {
  const path = { workspaceId };
  return useInfiniteQuery({
    queryKey: ['broken-citations', workspaceId],
    queryFn: ({ pageParam }) =>
      takePage(
        (cursor) =>
          api.GET('/api/workspaces/{workspaceId}/broken-citations', {
            params: { path, query: { limit: LISTED, ...(cursor && { cursor }) } },
          }),
        pageParam,
      ),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

export function useRepair(workspaceId: string, brokenCitationId: string) {
  const rereads = [['broken-citations', workspaceId], ['note'], ['notes', workspaceId], ['conversation']];
  return useChange({ rereads, evenIfRefused: true }, () =>
    take(
      api.POST('/api/workspaces/{workspaceId}/broken-citations/{brokenCitationId}/repair', {
        params: { path: { workspaceId, brokenCitationId } },
      }),
    ),
  );
}
