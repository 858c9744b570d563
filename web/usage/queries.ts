import { useQuery } from '@tanstack/react-query';
import { useMay } from '../access/role.ts';
import { api, take } from '../api/client.ts';
import { itemsOf } from '../api/page.ts';
import type { Schemas } from '../api/schema.ts';
import { takeVersioned, useReplace } from '../api/versioned.ts';
import { useTokens } from '../tokens/queries.ts';
import { useWorkspaces } from '../workspaces/queries.ts';
import type { BudgetLimits } from './budget-list.ts';
import type { Group } from './span.ts';

export type Usage = Schemas['Usage'];
export type UsageRow = Usage['rows'][number];

export function useUsage(span: { from: string; to: string }, groupBy: Group | 'day') {
  return useQuery({
    queryKey: ['usage', span, groupBy],
    queryFn: () => take(api.GET('/api/usage', { params: { query: { ...span, groupBy } } })),
  });
}

const budgetsQuery = { queryKey: ['budgets'], queryFn: () => takeVersioned(api.GET('/api/budgets')) };

export function useBudgets() {
  return useQuery(budgetsQuery);
}

/** The API replaces all of them: who changed them first wins, and others are told. */
export function useChangeBudgets({ asOpened = false } = {}) {
  return useReplace({
    query: budgetsQuery,
    put: (body: BudgetLimits[], headers) => takeVersioned(api.PUT('/api/budgets', { headers, body })),
    asOpened,
  });
}

/** The names of workspaces and tokens by their ids, as far as the caller sees them. */
export function useNames(): Map<string, string> {
  const workspaces = useWorkspaces().data ?? [];
  const isAdmin = useMay('admin');
  const tokens = itemsOf(useTokens(isAdmin).data);
  return new Map([...workspaces, ...tokens].map(({ id, name }) => [id, name]));
}
