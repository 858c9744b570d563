import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Reindex = Schemas['Reindex'];

/** Milliseconds between polls while the page is visible. A background tab doesn't poll. */
const LIVE_MS = 2_000;

export function useStorage() {
  return useQuery({
    queryKey: ['storage'],
    queryFn: () => take(api.GET('/api/system/storage')),
    retry: false,
  });
}

export function useNetwork() {
  return useQuery({
    queryKey: ['network'],
    queryFn: () => take(api.GET('/api/system/network')),
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

export function useReindex() {
  return useQuery({
    queryKey: ['reindex'],
    queryFn: () => take(api.GET('/api/system/reindex')),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? LIVE_MS : false),
    retry: false,
  });
}

export function useStartReindex() {
  return useChange({ stores: (reindex) => [['reindex'], reindex] }, () =>
    take(api.POST('/api/system/reindex')),
  );
}
