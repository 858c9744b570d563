import { waitUntil } from '../../async/after-response.ts';
import { OverBudget } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { Tokens } from '../../prices/price-of.ts';
import { announceEvent } from '../../webhooks/announce.ts';
import type { UsePorts } from '../ports.ts';
import { recordUsage } from '../record-usage.ts';
import type { Amounts, BudgetScope, Use } from '../schema.ts';
import { scopesOf } from '../scopes.ts';
import { type Account, accountOf, costOfUse, knownBudgets } from './ledger.ts';
import { endOfMonth, monthOf } from './month.ts';
import { type Budget, describeBlind, nameOf } from './schema.ts';

/** The used share of a budget from which its users are warned. */
const NEAR = 0.8;
/** Sent while running calls may use up a budget: about as long as one of them takes. */
const RETRY_SECONDS = 5;

/** A call that costs tokens, from its admission until its usage is recorded. */
export interface BudgetedCall {
  /** Records the call's usage, once, after it has ended. */
  end(amounts: Partial<Amounts>): void;
}

interface Held {
  budget: Budget;
  account: Account;
}

/**
 * Throws OverBudget if no call may start. Returns a warning about a budget that is nearly used up, or that
 * doesn't cover all usage.
 */
export async function admitUse(ports: UsePorts, use: Use): Promise<string | undefined> {
  const held = await heldBudgets(ports, use);
  for (const each of held) requireRoom(ports, each);
  const texts = [describeNear, describeUnseen].flatMap((describe) =>
    held.map((each) => describe(ports, each)),
  );
  return texts.find((text) => text !== undefined);
}

/**
 * Starts a call. Until its usage is recorded, its estimate counts toward its scopes' budgets. So a budget is
 * exceeded at most by what running calls use beyond their estimates, plus one such call. Throws OverBudget.
 */
export async function beginCall(
  ports: UsePorts,
  use: Use,
  model: string,
  estimate: Partial<Tokens>,
): Promise<BudgetedCall> {
  const held = await heldBudgets(ports, use);
  // Nothing is awaited from here on, so no other caller can take the budget that this one finds.
  for (const each of held) requireRoom(ports, each);
  const underWay = { model, tokens: tokensOf(estimate) };
  for (const { account } of held) account.underWay.add(underWay);
  return {
    end(amounts) {
      underWay.tokens = tokensOf(amounts);
      recordUsage(ports, use, model, amounts, () => {
        for (const { account } of held) account.underWay.delete(underWay);
      });
    },
  };
}

function tokensOf({ inputTokens = 0, outputTokens = 0, embeddedTokens = 0 }: Partial<Tokens>): Tokens {
  return { inputTokens, outputTokens, embeddedTokens };
}

/** Returns the budgets that apply to the use; empty if there are none. */
async function heldBudgets(
  { records, clock }: { records: Records; clock: Clock },
  use: Use,
): Promise<Held[]> {
  const budgets = await knownBudgets(records);
  if (budgets.size === 0) return [];
  const scopes = scopesOf(use).filter((scope) => budgets.has(nameOf(scope)));
  const accounts = await Promise.all(scopes.map((scope) => accountOf(records, scope, monthOf(clock))));
  return accounts.flatMap((account) => {
    const budget = budgets.get(nameOf(account.scope));
    return budget === undefined ? [] : [{ budget, account }];
  });
}

interface Share {
  /** The used share of the limit; 1 means all of it. */
  share: number;
  limit: string;
}

/** Returns the used share of a budget. If it has two limits, the larger share counts. */
export function shareOf(
  { monthlyTokens, monthlyUsd }: Budget,
  used: { tokens: number; costUsd: number },
): Share {
  const shares: Share[] = [];
  if (monthlyTokens !== undefined)
    shares.push({
      share: share(used.tokens, monthlyTokens),
      limit: `${monthlyTokens.toLocaleString('en-US')} tokens`,
    });
  if (monthlyUsd !== undefined)
    shares.push({
      share: share(used.costUsd, monthlyUsd),
      limit: `${monthlyUsd.toLocaleString('en-US')} USD`,
    });
  return shares.reduce((one, other) => (other.share > one.share ? other : one));
}

/** Returns the used share. It is 1 for a limit of zero. */
function share(used: number, limit: number): number {
  return limit === 0 ? 1 : used / limit;
}

function requireRoom(ports: UsePorts, { budget, account }: Held): void {
  const { clock, prices = {} } = ports;
  const used = shareOf(budget, costOfUse(account.stored, prices));
  const resetsAt = endOfMonth(clock);
  const which = `monthly budget of ${WHOSE[budget.scope]} (${used.limit})`;
  if (used.share >= 1) {
    announceUsedUp(ports, budget);
    throw new OverBudget(
      `The ${which} is used up. It resets on ${day(resetsAt)}.`,
      (resetsAt - clock.now()) / 1000,
    );
  }
  const underWay = [...account.underWay].map(({ model, tokens }): [string, Tokens] => [model, tokens]);
  if (underWay.length === 0) return;
  if (shareOf(budget, costOfUse([...account.stored, ...underWay], prices)).share >= 1)
    throw new OverBudget(
      `Calls in progress may use up the rest of the ${which}. Try again in a moment, or after it resets on ${day(resetsAt)}.`,
      RETRY_SECONDS,
    );
}

/** What this process has announced, because each refused call would otherwise ask for the webhooks. */
const announced = new WeakMap<Records, Set<string>>();

/** Tells webhooks after the response that calls are refused because a budget is used up, once per month. */
function announceUsedUp({ records, clock }: UsePorts, budget: Budget): void {
  const month = monthOf(clock);
  const name = `${nameOf(budget)}#${month}`;
  const known = announced.get(records) ?? new Set();
  announced.set(records, known);
  if (known.has(name)) return;
  known.add(name);
  const { scope, id } = budget;
  const at = Date.parse(`${month}-01T00:00:00Z`);
  const event = { type: 'budget.reached' as const, name, at, data: { scope, id, path: '/settings/usage' } };
  const telling = announceEvent({ records, clock }, event).then((isStored) => isStored || known.delete(name));
  waitUntil('announcing a used-up budget', telling);
}

const WHOSE: Record<BudgetScope, string> = {
  service: 'the service',
  workspace: 'this workspace',
  caller: 'your account',
};

function describeNear({ clock, prices = {} }: UsePorts, { budget, account }: Held): string | undefined {
  const { share: used, limit } = shareOf(budget, costOfUse(account.stored, prices));
  if (used < NEAR) return undefined;
  const percent = Math.min(99, Math.floor(used * 100));
  const whose = WHOSE[budget.scope];
  return `${percent}% of the monthly budget of ${whose} (${limit}) is used. It resets on ${day(endOfMonth(clock))}.`;
}

function describeUnseen({ prices = {} }: UsePorts, { budget, account }: Held): string | undefined {
  const blind = describeBlind(budget, costOfUse(account.stored, prices));
  return blind === undefined ? undefined : `In the monthly budget of ${WHOSE[budget.scope]}, ${blind}.`;
}

/** Returns the UTC day as YYYY-MM-DD. */
function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
