import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { hasCluster } from './picture.ts';

export type Operation = Schemas['ClusterOperation'];

/** Milliseconds between polls while anything changes. An idle cluster is read on demand. */
const MOVING_MS = 5_000;
export const OPERATIONS_AT_ONCE = 25;

export function useClusterStatus() {
  return useQuery({
    queryKey: ['cluster'],
    queryFn: () => take(api.GET('/api/cluster/status')),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? MOVING_MS : false),
  });
}

function isMoving(status: Schemas['ClusterStatus']): boolean {
  return (
    hasCluster(status) &&
    (status.jobs.some(({ active }) => active > 0) || status.pods.some(({ phase }) => phase === 'Pending'))
  );
}

export function useOperations(workspaceId: string, offset: number) {
  return useQuery({
    queryKey: ['cluster-operations', workspaceId, offset],
    queryFn: () =>
      take(
        api.GET('/api/cluster/operations', {
          params: { query: { workspaceId, limit: OPERATIONS_AT_ONCE, offset } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
