import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';
import { BY_CURSOR, type ListPage } from '../api/page.ts';
import type { Filter } from './filter.ts';

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

/** A page of the passages. */
type FoundPage = Omit<Found, 'passages'> & ListPage<Found['passages'][number]>;

const NOTHING: FoundPage = { mode: 'none', fallback: 'failed', isNear: true, items: [], cursor: undefined };
const MOST = 20;

export interface SearchLimits {
  /** Files and folders to search; if absent, all. */
  paths?: readonly string[] | undefined;
  filter?: Filter | undefined;
  most?: number;
}

/** Returns the best passages, page by page. */
export function useSearchResults(workspaceId: string, q: string, limits: SearchLimits = {}) {
  return useInfiniteQuery({
    queryKey: ['search', workspaceId, q, limits],
    queryFn: ({ pageParam }) => search(workspaceId, q, limits, pageParam),
    ...BY_CURSOR,
    select: ({ pages }) => joinPages(pages),
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Joins the pages of one search. A passage may be on two if the index has changed in between. */
export function joinPages([first, ...others]: FoundPage[]): Found {
  const { cursor: _, items, ...found } = first ?? NOTHING;
  const passages = new Map<string, Found['passages'][number]>();
  for (const passage of [items, ...others.map((page) => page.items)].flat()) {
    const key = JSON.stringify([passage.path, passage.startLine, passage.text]);
    if (!passages.has(key)) passages.set(key, passage);
  }
  return { ...found, passages: [...passages.values()] };
}

/** Groups passages by file, in the order of each file's best passage. */
export function groupByFile<Each extends { path: string }>(passages: readonly Each[]): Each[][] {
  return [...Map.groupBy(passages, ({ path }) => path).values()];
}

async function search(
  workspaceId: string,
  q: string,
  { paths = [], filter, most = MOST }: SearchLimits,
  from: string | undefined,
): Promise<FoundPage> {
  const limits = {
    ...(paths.length > 0 && { paths: paths.join('\n') }),
    ...(filter && { filter: JSON.stringify(filter) }),
    ...(from !== undefined && { cursor: from }),
  };
  const { data: items = [], response } = await api.GET('/api/workspaces/{workspaceId}/search', {
    params: { path: { workspaceId }, query: { q, k: most, ...limits } },
  });
  const { headers } = response;
  const fallback = fallbackOf(headers.get('x-search-fallback'));
  const isNear = headers.get('x-search-near') !== 'false';
  const cursor = headers.get('x-next-cursor') ?? undefined;
  return { mode: headers.get('x-search-mode') ?? 'hybrid', fallback, isNear, items, cursor };
}
