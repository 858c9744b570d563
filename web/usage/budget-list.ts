import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Budget = Schemas['Budget'];
export type BudgetLimits = Pick<Budget, 'scope' | 'id' | 'monthlyUsd' | 'monthlyTokens'>;

/** Returns the list with this budget replacing the one with the same scope and ID, or at the end. */
export function withBudget(budgets: BudgetLimits[], budget: BudgetLimits): BudgetLimits[] {
  const isThere = budgets.some((each) => isSame(each, budget));
  const changed = budgets.map((each) => (isSame(each, budget) ? budget : each));
  return (isThere ? changed : [...budgets, budget]).map(limitsOf);
}

export function withoutBudget(budgets: BudgetLimits[], budget: BudgetLimits): BudgetLimits[] {
  return budgets.filter((each) => !isSame(each, budget)).map(limitsOf);
}

export function isSame(one: BudgetLimits, other: BudgetLimits): boolean {
  return one.scope === other.scope && one.id === other.id;
}

function limitsOf({ scope, id, monthlyUsd, monthlyTokens }: BudgetLimits): BudgetLimits {
  return {
    scope,
    id,
    ...(monthlyUsd !== undefined && { monthlyUsd }),
    ...(monthlyTokens !== undefined && { monthlyTokens }),
  };
}

/**
 * Returns the used share of a budget, which is the larger share if the budget has two limits. A limit of 0 is
 * used up.
 */
export function shareOf({ monthlyUsd, monthlyTokens, used }: Budget): number {
  const shares = [
    monthlyUsd === undefined ? 0 : share(used.costUsd, monthlyUsd),
    monthlyTokens === undefined ? 0 : share(used.tokens, monthlyTokens),
  ];
  return Math.max(...shares);
}

function share(used: number, limit: number): number {
  return limit === 0 ? 1 : used / limit;
}

/** Parses a typed limit; undefined if it is empty. */
export function readLimit(text: string): number | undefined {
  const value = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? undefined : value;
}
