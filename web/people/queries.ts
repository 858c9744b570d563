import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';
import { takePage } from '../api/page.ts';

export type Person = Schemas['Person'];

export interface People {
  people: Person[];
  /** True if the list is complete. An administrator of single workspaces never sees everyone. */
  isWhole: boolean;
}

/** Maximum people on a page. If there are more, the typed text is used to search them. */
const MOST = 1000;
const NONE: People = { people: [], isWhole: false };

/** Returns a page of people, for administrators of the workspace or, without one, of the service. */
function useOnePage(workspaceId: string | undefined, q: string, enabled: boolean) {
  return useQuery({
    queryKey: ['people', workspaceId, q],
    queryFn: async (): Promise<People> => {
      const query = { limit: MOST, ...(q && { q }), ...(workspaceId && { workspaceId }) };
      const { items, cursor } = await takePage(
        (from) => api.GET('/api/people', { params: { query: { ...query, ...(from && { cursor: from }) } } }),
        undefined,
      );
      return { people: items, isWhole: cursor === undefined };
    },
    staleTime: 15_000,
    enabled,
  });
}

/** Returns the people; undefined until they are loaded. */
export function usePeople(workspaceId?: string, enabled = true): People | undefined {
  return useOnePage(workspaceId, '', enabled).data;
}

/** Returns the people who match the typed text, including those beyond the first page. */
export function usePeopleLike(typed: string, workspaceId?: string): People | undefined {
  const first = usePeople(workspaceId);
  const isSearched = first?.isWhole === false && typed.trim().length > 1;
  const found = useOnePage(workspaceId, typed.trim(), isSearched).data;
  if (!isSearched) return first;
  return found === undefined ? NONE : { people: found.people, isWhole: false };
}
