import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { extensionsOf, type SearchKind } from '../../lib/api-contract/file-kinds.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';

const FALLBACKS = ['not-configured', 'failed', 'other-index'] as const;
type Fallback = (typeof FALLBACKS)[number];

/**
 * Returns why only keywords were used. If the reason is missing or unknown, the question couldn't be
 * embedded.
 */
export function fallbackOf(header: string | null): Fallback {
  return FALLBACKS.find((each) => each === header) ?? 'failed';
}

export interface Found {
  /** `lexical`: keywords only; `none`: the index is empty. */
  mode: string;
  /** Why only keywords were used, if that is the case. */
  fallback: Fallback;
  /** False if even the best passage is hardly related to the question. */
  isNear: boolean;
  passages: Schemas['FoundPassage'][];
}

const MOST = 20;

export interface SearchLimits {
  /** Files and folders to search; if absent, all. */
  paths?: readonly string[] | undefined;
  kind?: SearchKind | undefined;
  most?: number;
}

export function useSearchResults(workspaceId: string, q: string, limits: SearchLimits = {}) {
  return useQuery({
    queryKey: ['search', workspaceId, q, limits],
    queryFn: () => search(workspaceId, q, limits),
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Groups passages by file, in the order of each file's best passage. */
export function groupByFile<Each extends { path: string }>(passages: readonly Each[]): Each[][] {
  return [...Map.groupBy(passages, ({ path }) => path).values()];
}

async function search(
  workspaceId: string,
  q: string,
  { paths = [], kind, most = MOST }: SearchLimits,
): Promise<Found> {
  const limits = {
    ...(paths.length > 0 && { paths: paths.join('\n') }),
    ...(kind && { types: extensionsOf(kind).join(',') }),
  };
  const { data = [], response } = await api.GET('/api/workspaces/{workspaceId}/search', {
    params: { path: { workspaceId }, query: { q, k: most, ...limits } },
  });
  const { headers } = response;
  const fallback = fallbackOf(headers.get('x-search-fallback'));
  const isNear = headers.get('x-search-near') !== 'false';
  return { mode: headers.get('x-search-mode') ?? 'hybrid', fallback, isNear, passages: data };
}
