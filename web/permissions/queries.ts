import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import type { KeptRule, Rule } from './rule-list.ts';

const rulesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['permissions', workspaceId],
    queryFn: () =>
      take(api.GET('/api/workspaces/{workspaceId}/permissions', { params: { path: { workspaceId } } })),
  });

export function useRules(workspaceId: string) {
  return useQuery(rulesQuery(workspaceId));
}

/** The API replaces all of them: the change is made to the rules as they are now. New ones have no maker yet. */
export function useChangeRules(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: (rules: KeptRule[]) => Rule[]) => {
      const now = await queries.fetchQuery({ ...rulesQuery(workspaceId), staleTime: 0 });
      return take(
        api.PUT('/api/workspaces/{workspaceId}/permissions', {
          params: { path: { workspaceId } },
          body: { rules: change(now.rules) },
        }),
      );
    },
    onSuccess: (permissions) => queries.setQueryData(rulesQuery(workspaceId).queryKey, permissions),
  });
}
