import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Source = Schemas['Source'];
export type SourceKind = Schemas['SourceKind'];
export type SourceRun = Schemas['SourceRun'];

const POLL_MS = 2_000;
const RUNS_LISTED = 20;

export function isRunning({ lastRun }: Source): boolean {
  return lastRun !== null && lastRun.finishedAt === null;
}

/** Returns the sources. While one is synced, their progress is polled; afterwards, the tree of files is refetched. */
export function useSources(workspaceId: string) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['sources', workspaceId],
    queryFn: async () => {
      const params = { path: { workspaceId } };
      const found = await take(api.GET('/api/workspaces/{workspaceId}/sources', { params }));
      if (!found.some(isRunning)) void queries.invalidateQueries({ queryKey: ['source-runs', workspaceId] });
      return found;
    },
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_MS : false),
  });
}

export function useSourceRuns(workspaceId: string, sourceId: string) {
  return useQuery({
    queryKey: ['source-runs', workspaceId, sourceId],
    queryFn: () =>
      take(
        api.GET('/api/workspaces/{workspaceId}/sources/{sourceId}/runs', {
          params: { path: { workspaceId, sourceId }, query: { limit: RUNS_LISTED } },
        }),
      ),
  });
}

/** Adds a source and starts its first sync. */
export function useConnectSource(workspaceId: string) {
  const rereads = [['sources', workspaceId]];
  return useChange(
    { rereads, holdsSecret: true },
    async (body: Pick<Schemas['CreateSource'], 'name' | 'kind' | 'config'>) => {
      const params = { path: { workspaceId } };
      const source = await take(api.POST('/api/workspaces/{workspaceId}/sources', { params, body }));
      await startSync(workspaceId, source.id);
      return source;
    },
  );
}

function startSync(workspaceId: string, sourceId: string) {
  const params = { path: { workspaceId, sourceId } };
  return take(api.POST('/api/workspaces/{workspaceId}/sources/{sourceId}/sync', { params }));
}

export function useSyncSource(workspaceId: string) {
  const rereads = [
    ['sources', workspaceId],
    ['source-runs', workspaceId],
  ];
  return useChange({ rereads }, (sourceId: string) => startSync(workspaceId, sourceId));
}

export function useScheduleSource(workspaceId: string, sourceId: string) {
  return useChange({ rereads: [['sources', workspaceId]] }, (schedule: string | null) =>
    take(
      api.PATCH('/api/workspaces/{workspaceId}/sources/{sourceId}', {
        ...{ params: { path: { workspaceId, sourceId } }, body: { schedule } },
      }),
    ),
  );
}

export function useDeleteSource(workspaceId: string, sourceId: string) {
  return useChange({ rereads: [['sources', workspaceId]] }, (keepFiles: boolean) =>
    take(
      api.DELETE('/api/workspaces/{workspaceId}/sources/{sourceId}', {
        params: { path: { workspaceId, sourceId }, query: { keepFiles: keepFiles ? 'true' : 'false' } },
      }),
    ),
  );
}
