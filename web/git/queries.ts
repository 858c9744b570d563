import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { FIRST_ASK } from '../workspaces/queries.ts';

export type RepositoryStatus = Schemas['RepositoryStatus'];

export function useRepository(workspaceId: string) {
  return useQuery({
    queryKey: ['git', workspaceId],
    queryFn: () => take(api.GET('/api/git/status', { params: { query: { workspaceId } } })),
  });
}

export function usePull(workspaceId: string) {
  return useChange(
    {
      rereads: [
        ['git', workspaceId],
        ['folder', workspaceId],
        ['sync', workspaceId],
      ],
      evenIfRefused: true,
    },
    () => take(api.POST('/api/git/pull', { body: { workspaceId } })),
  );
}

export function useClone() {
  return useChange({ rereads: [['workspaces']] }, (body: { url: string; rootPath: string }) =>
    take(api.POST('/api/git/clone', { body: { ...body, ask: FIRST_ASK } })),
  );
}
