import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { takeVersioned, useReplace } from '../api/versioned.ts';
import type { Member } from './member-list.ts';

const PATH = '/api/workspaces/{workspaceId}/members';

const membersQuery = (workspaceId: string) => ({
  queryKey: ['members', workspaceId],
  queryFn: () => takeVersioned(api.GET(PATH, { params: { path: { workspaceId } } })),
});

export function useMembers(workspaceId: string) {
  return useQuery(membersQuery(workspaceId));
}

/**
 * Changes the member list as a whole. Of concurrent changes, the first succeeds, and the others get a
 * conflict. Roles may change with it.
 */
export function useChangeMembers(workspaceId: string) {
  const queries = useQueryClient();
  const params = { path: { workspaceId } };
  return useReplace({
    query: membersQuery(workspaceId),
    put: (body: Member[], headers) => takeVersioned(api.PUT(PATH, { params, headers, body })),
    onChanged: () => queries.invalidateQueries({ queryKey: ['me'] }),
  });
}
