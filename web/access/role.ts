import { useQuery } from '@tanstack/react-query';
import { hasRole, type Role } from '../../lib/api-contract/roles.ts';
import { api, take } from '../api/client.ts';

export const meKey = (workspaceId?: string) => ['me', workspaceId];

/** Returns the caller, with their role in a workspace according to its member list. */
export function useMe(workspaceId?: string) {
  return useQuery({
    queryKey: meKey(workspaceId),
    queryFn: () => take(api.GET('/api/me', { params: { query: workspaceId ? { workspaceId } : {} } })),
    staleTime: 60_000,
  });
}

/**
 * Returns whether the caller has the role in the workspace, or without one, in the service; false until that is
 * known. Forbidden actions are absent rather than disabled. This only hides them; the service decides.
 */
export function useMay(least: Role, workspaceId?: string): boolean {
  const { data } = useMe(workspaceId);
  return data !== undefined && hasRole(data, least);
}

/** Returns whether the caller may create workspaces, which requires a credential that isn't workspace-scoped. */
export function useMayMakeWorkspaces(): boolean {
  const { data } = useMe();
  return data !== undefined && hasRole(data, 'member') && data.workspaceIds === null;
}

/** Returns whether the caller is a global administrator, whose credential isn't workspace-scoped. */
export function useIsAdminOfAll(): boolean {
  const { data } = useMe();
  return data?.role === 'admin' && data.workspaceIds === null;
}

/** Returns whether the host has no sign-in, so that there are no other readers. */
export function useIsAlone(): boolean {
  return useMe().data?.id === 'local';
}
