import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type WorkspaceRoot = Schemas['WorkspaceRoot'];

const KEY = ['workspace-roots'];

/** Returns the folders that can contain workspaces, only for global administrators. */
export function useWorkspaceRoots(enabled = true) {
  return useQuery({
    queryKey: KEY,
    queryFn: () => take(api.GET('/api/settings/roots')),
    retry: false,
    enabled,
  });
}

const CHANGED = {
  rereads: [['settings'], ['folders']],
  stores: (roots: Schemas['WorkspaceRoots']): [typeof KEY, unknown] => [KEY, roots],
};

export function useAddRoot() {
  return useChange(CHANGED, (path: string) => take(api.POST('/api/settings/roots', { body: { path } })));
}

export function useRemoveRoot() {
  return useChange(CHANGED, (path: string) =>
    take(api.DELETE('/api/settings/roots', { params: { query: { path } } })),
  );
}
