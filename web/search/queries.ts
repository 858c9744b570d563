import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Schemas } from '../api/schema.ts';

export interface Found {
  /** `lexical`: by words alone; `none`: nothing is in the index. */
  mode: string;
  passages: Schemas['FoundPassage'][];
}

const MOST = 20;

export function useSearchResults(workspaceId: string, q: string) {
  return useQuery({
    queryKey: ['search', workspaceId, q],
    queryFn: () => search(workspaceId, q),
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

async function search(workspaceId: string, q: string): Promise<Found> {
  const { data = [], response } = await api.GET('/api/workspaces/{workspaceId}/search', {
    params: { path: { workspaceId }, query: { q, k: MOST } },
  });
  return { mode: response.headers.get('x-search-mode') ?? 'hybrid', passages: data };
}
