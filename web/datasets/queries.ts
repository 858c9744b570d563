import { useQuery } from '@tanstack/react-query';
import type { DatasetAction } from '../../lib/api-contract/dataset-actions.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { isMoving } from './states.ts';

export type Dataset = Schemas['Dataset'];
export type Hub = 'hub_a' | 'hub_b';
export type RepoType = Dataset['repoType'];

const POLL_MS = 1_000;
const LISTED = 200;

export function useDatasets() {
  return useQuery({
    queryKey: ['datasets'],
    queryFn: () => take(api.GET('/api/datasets', { params: { query: { limit: LISTED } } })),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => isMoving(status)) ? POLL_MS : false),
  });
}

export function useDataset(datasetId: string) {
  return useQuery({
    queryKey: ['dataset', datasetId],
    queryFn: () => take(api.GET('/api/datasets/{datasetId}', { params: { path: { datasetId } } })),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? POLL_MS : false),
  });
}

/** Queries to refetch, because the list and the dataset both show the change. */
const BOTH = { rereads: [['datasets'], ['dataset']] };

export function useDo(datasetId: string) {
  return useChange({ ...BOTH, evenIfRefused: true }, (action: DatasetAction) =>
    take(api.POST(`/api/datasets/{datasetId}/${action}`, { params: { path: { datasetId } } })),
  );
}

export function useDeleteDataset() {
  return useChange(BOTH, ({ datasetId, deleteFiles }: { datasetId: string; deleteFiles: boolean }) =>
    take(
      api.DELETE('/api/datasets/{datasetId}', {
        params: { path: { datasetId }, query: { deleteFiles: deleteFiles ? 'true' : 'false' } },
      }),
    ),
  );
}

export function useDownload() {
  return useChange(BOTH, (body: Schemas['CreateDataset']) => take(api.POST('/api/datasets', { body })));
}

export function useImportFolder() {
  return useChange(BOTH, (body: Schemas['ImportLocalDataset']) =>
    take(api.POST('/api/datasets/import-local', { body })),
  );
}

/** Fetches a hub's description of a repository once its ID is given. */
export function useRepoInfo(hub: Hub, repoId: string | undefined, repoType: RepoType) {
  const query = { repoId: repoId ?? '', repoType };
  return useQuery({
    queryKey: ['repository', hub, repoId, repoType],
    queryFn: () =>
      take(
        hub === 'hub_a'
          ? api.GET('/api/datasets/repo-info', { params: { query } })
          : api.GET('/api/datasets/modelscope-info', { params: { query } }),
      ),
    enabled: repoId !== undefined,
    retry: false,
  });
}

export type Preview = Schemas['DatasetPreview'];

/** Returns the preview. Keeps showing the current page until another page of the same dataset is loaded. */
export function usePreview(
  datasetId: string,
  split: string | undefined,
  { from, count }: { from: number; count: number },
) {
  return useQuery({
    queryKey: ['dataset', datasetId, 'rows', split, from, count],
    queryFn: () =>
      take(
        api.GET('/api/datasets/{datasetId}/preview', {
          params: {
            path: { datasetId },
            query: { n: count, offset: from, ...(split !== undefined && { split }) },
          },
        }),
      ),
    placeholderData: (before, query) => (query?.queryKey[1] === datasetId ? before : undefined),
    retry: false,
  });
}

export function useLinks(datasetId: string) {
  return useQuery({
    queryKey: ['dataset', datasetId, 'links'],
    queryFn: () => take(api.GET('/api/datasets/{datasetId}/workspaces', { params: { path: { datasetId } } })),
  });
}

export function useLink(datasetId: string) {
  return useChange(
    { ...BOTH, evenIfRefused: true },
    async ({ workspaceId, isLinked }: { workspaceId: string; isLinked: boolean }) => {
      const path = { datasetId };
      if (isLinked)
        await take(
          api.POST('/api/datasets/{datasetId}/workspaces', { params: { path }, body: { workspaceId } }),
        );
      else
        await take(
          api.DELETE('/api/datasets/{datasetId}/workspaces', { params: { path, query: { workspaceId } } }),
        );
    },
  );
}
