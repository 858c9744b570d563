import { type Caller, isAdminOfAll, requireAdminOfAll } from '../../access/caller.ts';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { InvalidInput } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import type { Records } from '../../ports/records.ts';
import { etagOf, requireMatch } from '../../records/etag.ts';
import type { UsePorts, UseViewPorts } from '../ports.ts';
import type { Scope } from '../scopes.ts';
import { shareOf } from './admit.ts';
import { costOfUse, forgetBudgets, readBudgetList, readMonth } from './ledger.ts';
import { endOfMonth, monthOf } from './month.ts';
import { type Budget, type BudgetState, budgetLists, describeBlind } from './schema.ts';

const READS_AT_ONCE = 8;

export interface ListedBudgets {
  states: BudgetState[];
  /** The ETag of all budgets, even for a caller who sees only some. */
  etag: string;
}

/**
 * Returns the budgets that the caller can see, each with its usage of the month, as stored rather than as
 * this process knows it.
 */
export async function listBudgets(ports: UseViewPorts, caller: Caller): Promise<ListedBudgets> {
  const { budgets } = await readBudgetList(ports.records);
  const states: BudgetState[] = [];
  const roleIn = ports.rolesIn(caller);
  await forEachConcurrent(budgets.entries(), READS_AT_ONCE, async ([index, budget]) => {
    if (await maySee(caller, budget, roleIn)) states[index] = await describe(ports, budget);
  });
  return { states: states.filter((state) => state !== undefined), etag: etagOf(budgets) };
}

/**
 * Returns whether the caller may see a budget: their own, and those of accessible workspaces. Global
 * administrators see all budgets.
 */
async function maySee(
  caller: Caller,
  { scope, id }: Budget,
  roleIn: ReturnType<UseViewPorts['rolesIn']>,
): Promise<boolean> {
  if (isAdminOfAll(caller)) return true;
  if (scope === 'caller') return id === caller.id;
  return scope === 'workspace' && (await roleIn(id)) !== undefined;
}

/** Returns this month's usage of the service, and the used share of each budget, for metrics. */
export async function measureUse(ports: UsePorts) {
  const { budgets } = await readBudgetList(ports.records);
  const { tokens, costUsd } = await usedIn(ports, { scope: 'service', id: 'service' });
  const measure = async (budget: Budget) => {
    const { share } = shareOf(budget, await usedIn(ports, budget));
    return { scope: budget.scope, id: budget.id, share };
  };
  return { tokens, costUsd, budgets: await Promise.all(budgets.map(measure)) };
}

async function usedIn({ records, clock, prices = {} }: UsePorts, scope: Scope) {
  const months = await readMonth(records, scope, monthOf(clock));
  return costOfUse(
    months.map((month) => [month.model, month]),
    prices,
  );
}

async function describe(ports: UsePorts, budget: Budget): Promise<BudgetState> {
  const used = await usedIn(ports, budget);
  const warning = describeBlind(budget, used);
  return {
    ...budget,
    ...(warning !== undefined && { warning }),
    used: { ...used, costUsd: Math.round(used.costUsd * 1e6) / 1e6 },
    resetsAt: new Date(endOfMonth(ports.clock)).toISOString(),
  };
}

export interface BudgetPorts extends UseViewPorts {
  isWorkspace(id: string): Promise<boolean>;
}

/**
 * Replaces all budgets at once, and removes entries that aren't in the list. Throws Conflict if `ifMatch`
 * names another state, InvalidInput for an unknown workspace, whose budget would limit nothing. Any caller
 * may be named, because future callers aren't known yet (an issuer's `sub`, a bot's chat).
 */
export async function replaceBudgets(
  ports: BudgetPorts,
  caller: Caller,
  { budgets, ifMatch }: { budgets: Budget[]; ifMatch: string | undefined },
): Promise<ListedBudgets> {
  requireAdminOfAll(caller);
  await forEachConcurrent(budgets.entries(), READS_AT_ONCE, async ([index, { scope, id }]) => {
    if (scope === 'workspace' && !(await ports.isWorkspace(id)))
      throw new InvalidInput('invalid_value', `${index}.id must be the ID of a workspace.`, {
        field: `${index}.id`,
      });
  });
  while (!(await putBudgets(ports.records, budgets, ifMatch)));
  forgetBudgets(ports.records);
  return listBudgets(ports, caller);
}

/** Returns false if another caller replaced them at the same moment. */
async function putBudgets(
  records: Records,
  budgets: Budget[],
  ifMatch: string | undefined,
): Promise<boolean> {
  const before = await readBudgetList(records);
  requireMatch(ifMatch, before.budgets);
  const list = { budgets, stamp: newId() };
  return before.stamp === undefined
    ? budgetLists.create(records, list)
    : budgetLists.put(records, list, { stamp: before.stamp });
}

/** Removes the budget of a deleted workspace. Its usage is kept. */
export function dropBudget(records: Records, workspaceId: string): Promise<void> {
  return dropBudgetOf(records, { scope: 'workspace', id: workspaceId });
}

/** Removes a budget. Idempotent. */
export async function dropBudgetOf(records: Records, dropped: Pick<Budget, 'scope' | 'id'>): Promise<void> {
  const list = await budgetLists.get(records, {});
  if (list === undefined) return;
  const left = list.budgets.filter(({ scope, id }) => scope !== dropped.scope || id !== dropped.id);
  if (left.length === list.budgets.length) return;
  const changed = { ...list, budgets: left, stamp: newId() };
  // another caller replaced them at the same moment, so this tries again
  if (!(await budgetLists.put(records, changed, { stamp: list.stamp })))
    return dropBudgetOf(records, dropped);
}
