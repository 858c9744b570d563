import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import type { Member } from './member-list.ts';

const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['members', workspaceId],
    queryFn: () =>
      take(api.GET('/api/workspaces/{workspaceId}/members', { params: { path: { workspaceId } } })),
  });

export function useMembers(workspaceId: string) {
  return useQuery(membersQuery(workspaceId));
}

/** The API replaces the list: the change is made to the list as it is now. Roles may be others afterwards. */
export function useChangeMembers(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: (members: Member[]) => Member[]) => {
      const now = await queries.fetchQuery({ ...membersQuery(workspaceId), staleTime: 0 });
      return take(
        api.PUT('/api/workspaces/{workspaceId}/members', {
          params: { path: { workspaceId } },
          body: change(now),
        }),
      );
    },
    onSuccess: async (members) => {
      queries.setQueryData(membersQuery(workspaceId).queryKey, members);
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
