import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';

export type RepositoryStatus = Schemas['RepositoryStatus'];

export function useRepository(workspaceId: string) {
  return useQuery({
    queryKey: ['git', workspaceId],
    queryFn: () => take(api.GET('/api/git/status', { params: { query: { workspaceId } } })),
  });
}

export function usePull(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => take(api.POST('/api/git/pull', { body: { workspaceId } })),
    onSettled: async () => {
      for (const queryKey of [
        ['git', workspaceId],
        ['folder', workspaceId],
        ['sync', workspaceId],
      ])
        await queries.invalidateQueries({ queryKey });
    },
  });
}

export function useClone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { url: string; rootPath: string }) => take(api.POST('/api/git/clone', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['workspaces'] }),
  });
}
