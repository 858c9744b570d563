import { useQuery } from '@tanstack/react-query';
import { hasRole, type Role } from '../../lib/api-contract/roles.ts';
import { api, take } from '../api/client.ts';

export const meKey = (workspaceId?: string) => ['me', workspaceId];

/** The caller, with their role in a workspace as far as its member list allows. */
export function useMe(workspaceId?: string) {
  return useQuery({
    queryKey: meKey(workspaceId),
    queryFn: () => take(api.GET('/api/me', { params: { query: workspaceId ? { workspaceId } : {} } })),
    staleTime: 60_000,
  });
}

/**
 * Whether the caller has the role there. Actions that they may not do are absent, not disabled: false until it is known. This
 * only hides; the service decides.
 */
export function useMay(least: Role, workspaceId?: string): boolean {
  const { data } = useMe(workspaceId);
  return data !== undefined && hasRole(data, least);
}

/** Workspaces are made by whose credential is bound to none. */
export function useMayMakeWorkspaces(): boolean {
  const { data } = useMe();
  return data !== undefined && hasRole(data, 'member') && data.workspaceIds === null;
}

/** True for administrators of the whole service, whose credential is bound to no workspaces. */
export function useIsAdminOfAll(): boolean {
  const { data } = useMe();
  return data?.role === 'admin' && data.workspaceIds === null;
}
