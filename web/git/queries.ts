import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';
import { FIRST_ASK } from '../workspaces/queries.ts';

export type RepositoryStatus = Schemas['RepositoryStatus'];
export type ChangedFile = RepositoryStatus['modified'][number];

export function useRepository(workspaceId: string) {
  return useQuery({
    queryKey: ['git', workspaceId],
    queryFn: () => take(api.GET('/api/git/status', { params: { query: { workspaceId } } })),
  });
}

export function usePull(workspaceId: string) {
  return useChange(filesChange(workspaceId), () =>
    take(api.POST('/api/git/pull', { body: { workspaceId } })),
  );
}

export function useClone() {
  return useChange({ rereads: [['workspaces']] }, (body: { url: string; rootPath: string }) =>
    take(api.POST('/api/git/clone', { body: { ...body, ask: FIRST_ASK } })),
  );
}

export function useDiff(workspaceId: string, path: string, staged: boolean) {
  const query = { workspaceId, path, staged: staged ? 'true' : 'false' } as const;
  return useQuery({
    queryKey: ['git', workspaceId, 'diff', path, staged],
    queryFn: () => take(api.GET('/api/git/diff', { params: { query } })),
  });
}

export function useLog(workspaceId: string) {
  return useInfiniteQuery({
    queryKey: ['git', workspaceId, 'log'],
    queryFn: ({ pageParam }) =>
      takePage(async (cursor) => {
        const query = { workspaceId, ...(cursor && { cursor }) };
        const { data, response } = await api.GET('/api/git/log', { params: { query } });
        return { ...(data && { data: data.commits }), response };
      }, pageParam),
    ...BY_CURSOR,
    select: itemsOf,
  });
}

export function useStage(workspaceId: string, isStaged: boolean) {
  return useChange({ rereads: [['git', workspaceId]], evenIfRefused: true }, (paths: string[]) => {
    const body = { workspaceId, paths };
    return take(isStaged ? api.POST('/api/git/stage', { body }) : api.POST('/api/git/unstage', { body }));
  });
}

export function useCommit(workspaceId: string) {
  return useChange({ rereads: [['git', workspaceId]], evenIfRefused: true }, (message: string) =>
    take(api.POST('/api/git/commit', { body: { workspaceId, message } })),
  );
}

/** Has the model draft a message. Nothing commits it. */
export function useDraftMessage(workspaceId: string) {
  return useChange({ rereads: [] }, () =>
    take(api.POST('/api/git/commit-message', { body: { workspaceId } })),
  );
}

export function useDiscard(workspaceId: string) {
  return useChange(filesChange(workspaceId), (body: { paths: string[]; untracked: boolean }) =>
    take(api.POST('/api/git/discard', { body: { workspaceId, ...body } })),
  );
}

export function useBranch(workspaceId: string) {
  return useChange(filesChange(workspaceId), (body: { name: string; create: boolean }) =>
    take(api.POST('/api/git/branch', { body: { workspaceId, ...body } })),
  );
}

export function usePush(workspaceId: string) {
  return useChange({ rereads: [['git', workspaceId]], evenIfRefused: true }, () =>
    take(api.POST('/api/git/push', { body: { workspaceId, confirm: true } })),
  );
}

/** For a change that may also change files. */
function filesChange(workspaceId: string) {
  const rereads = [
    ['git', workspaceId],
    ['folder', workspaceId],
    ['sync', workspaceId],
  ];
  return { rereads, evenIfRefused: true };
}
