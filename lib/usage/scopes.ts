import type { BudgetScope, Use } from './schema.ts';

export interface Scope {
  scope: BudgetScope;
  /** The ID of the workspace or the caller; `service` for the service. */
  id: string;
}

/** Returns the scopes whose months include this usage, and whose budgets apply to it. */
export function scopesOf({ callerId, workspaceId }: Pick<Use, 'callerId' | 'workspaceId'>): Scope[] {
  const scopes: Scope[] = [
    { scope: 'service', id: 'service' },
    { scope: 'caller', id: callerId },
  ];
  if (workspaceId !== null) scopes.push({ scope: 'workspace', id: workspaceId });
  return scopes;
}
