import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../access/role.ts';
import { api, take } from '../api/client.ts';
import { itemsOf } from '../api/page.ts';
import type { Schemas } from '../api/schema.ts';
import { useTokens } from '../tokens/queries.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import type { Budget, BudgetLimits } from './budget-list.ts';
import type { Group } from './span.ts';

export type Usage = Schemas['Usage'];
export type UsageRow = Usage['rows'][number];

export function useUsage(span: { from: string; to: string }, groupBy: Group | 'day') {
  return useQuery({
    queryKey: ['usage', span, groupBy],
    queryFn: () => take(api.GET('/api/usage', { params: { query: { ...span, groupBy } } })),
  });
}

const budgetsQuery = { queryKey: ['budgets'], queryFn: () => take(api.GET('/api/budgets')) };

export function useBudgets() {
  return useQuery(budgetsQuery);
}

/** The API replaces all of them: the change is made to the list as it is now, not as it was drawn. */
export function useChangeBudgets() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: (budgets: BudgetLimits[]) => BudgetLimits[]) => {
      const budgets: Budget[] = await queries.fetchQuery({ ...budgetsQuery, staleTime: 0 });
      return take(api.PUT('/api/budgets', { body: change(budgets) }));
    },
    onSuccess: (budgets) => queries.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

/** The names of workspaces and tokens by their ids, as far as the caller sees them. */
export function useNames(): Map<string, string> {
  const workspaces = useWorkspaces().data ?? [];
  const isAdmin = useMay('admin');
  const tokens = itemsOf(useTokens(isAdmin).data);
  return new Map([...workspaces, ...tokens].map(({ id, name }) => [id, name]));
}
