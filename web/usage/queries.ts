import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { takeVersioned, useReplace } from '../api/versioned.ts';
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

/** Changes the budgets as a whole. The first change wins; others get a conflict. */
export function useChangeBudgets({ asOpened = false } = {}) {
  return useReplace({
    query: budgetsQuery,
    put: (body: BudgetLimits[], headers) => takeVersioned(api.PUT('/api/budgets', { headers, body })),
    asOpened,
  });
}
