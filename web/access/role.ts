import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';

export type Role = Schemas['Me']['role'];

const RANK: Record<Role, number> = { viewer: 1, member: 2, admin: 3 };

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

export const meKey = (workspaceId?: string) => ['me', workspaceId];

/** Who calls: in a workspace, as far as its list of members lets him. */
export function useMe(workspaceId?: string) {
  return useQuery({
    queryKey: meKey(workspaceId),
    queryFn: () => take(api.GET('/api/me', { params: { query: workspaceId ? { workspaceId } : {} } })),
    staleTime: 60_000,
  });
}

/**
 * Whether the caller has the role, there. What he may not do is absent, not grey: false until it is known. It hides; that he may
 * not is the service's own word.
 */
export function useMay(least: Role, workspaceId?: string): boolean {
  const { data } = useMe(workspaceId);
  return data !== undefined && hasRole(data.role, least);
}

/** Workspaces are made by whose credential is bound to none. */
export function useMayMakeWorkspaces(): boolean {
  const { data } = useMe();
  return data !== undefined && hasRole(data.role, 'member') && data.workspaceIds === null;
}

/** True for administrators of the whole service, whose credential is bound to no workspaces. */
export function useIsAdminOfAll(): boolean {
  const { data } = useMe();
  return data?.role === 'admin' && data.workspaceIds === null;
}
