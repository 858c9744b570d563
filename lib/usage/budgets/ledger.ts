import type { Records } from '../../ports/records.ts';
import { costOf, type Tokens } from '../../prices/price-of.ts';
import type { ModelPrices } from '../../prices/schema.ts';
import { monthPartition, monthsOfUse, type UseOfMonth } from '../schema.ts';
import type { Scope } from '../scopes.ts';
import { neverRead, type Refreshed, refreshed } from './refreshed.ts';
import { type Budget, budgetLists, nameOf } from './schema.ts';

/**
 * Budgets and their usage as this process knows them: the store's latest figures, including the result of
 * each addition, and the calls that are running here.
 */
interface Ledger {
  budgets: Refreshed<Map<string, Budget>>;
  accounts: Map<string, Account>;
}

type ByModel = Map<string, Tokens>;

/** The usage of a scope with a budget in one month. */
export interface Account {
  scope: Scope;
  month: string;
  /** As stored. A month's usage only grows, so the larger of two figures is the later one. */
  stored: ByModel;
  read: Refreshed<ByModel>;
  /** Calls of this process that aren't stored yet, each with its estimated usage. */
  underWay: Set<{ model: string; tokens: Tokens }>;
}

const ledgers = new WeakMap<Records, Ledger>();

function ledgerOf(records: Records): Ledger {
  const ledger = ledgers.get(records) ?? { budgets: neverRead(), accounts: new Map() };
  ledgers.set(records, ledger);
  return ledger;
}

/**
 * Returns the budgets of the service, by name. Reads the store only the first time, and once after ten
 * seconds without a read.
 */
export function knownBudgets(records: Records): Map<string, Budget> | Promise<Map<string, Budget>> {
  return refreshed(ledgerOf(records).budgets, () => readBudgets(records));
}

async function readBudgets(records: Records): Promise<Map<string, Budget>> {
  const { budgets } = await readBudgetList(records);
  return new Map(budgets.map((budget) => [nameOf(budget), budget]));
}

/** Returns the stored list. `stamp` is undefined if there has never been a budget. */
export async function readBudgetList(
  records: Records,
): Promise<{ budgets: Budget[]; stamp: string | undefined }> {
  return (await budgetLists.get(records, {})) ?? { budgets: [], stamp: undefined };
}

/** Forgets the budgets in the process that changed them. Other processes notice the change on their own. */
export function forgetBudgets(records: Records): void {
  ledgerOf(records).budgets = neverRead();
}

/** Returns the account of a scope in a month, with fresh figures. Earlier months are dropped. */
export async function accountOf(records: Records, scope: Scope, month: string): Promise<Account> {
  const { accounts } = ledgerOf(records);
  const known = accounts.get(nameOf(scope));
  const account = known?.month === month ? known : newAccount(scope, month);
  accounts.set(nameOf(scope), account);
  await refreshed(account.read, async () => {
    for (const use of await readMonth(records, scope, month)) raise(account.stored, use);
    return account.stored;
  });
  return account;
}

function newAccount(scope: Scope, month: string): Account {
  return { scope, month, stored: new Map(), read: neverRead(), underWay: new Set() };
}

export function readMonth(records: Records, scope: Scope, month: string): Promise<UseOfMonth[]> {
  return Array.fromAsync(monthsOfUse.all(records, { partition: monthPartition({ month, ...scope }) }));
}

/** Records the result of an addition, which is the freshest figure possible. */
export function noteStored(records: Records, use: UseOfMonth): void {
  const account = ledgers.get(records)?.accounts.get(nameOf(use));
  if (account?.month === use.month) raise(account.stored, use);
}

function raise(stored: ByModel, { model, inputTokens, outputTokens, embeddedTokens }: UseOfMonth): void {
  const known = stored.get(model);
  stored.set(model, {
    inputTokens: Math.max(known?.inputTokens ?? 0, inputTokens),
    outputTokens: Math.max(known?.outputTokens ?? 0, outputTokens),
    embeddedTokens: Math.max(known?.embeddedTokens ?? 0, embeddedTokens),
  });
}

export function costOfUse(used: Iterable<[model: string, tokens: Tokens]>, prices: ModelPrices) {
  const sum = { tokens: 0, costUsd: 0, unpricedModels: new Set<string>() };
  for (const [model, tokens] of used) {
    const cost = costOf(model, tokens, prices);
    sum.tokens += tokens.inputTokens + tokens.outputTokens + tokens.embeddedTokens;
    sum.costUsd += cost ?? 0;
    if (cost === null) sum.unpricedModels.add(model);
  }
  return { ...sum, unpricedModels: [...sum.unpricedModels].sort() };
}
