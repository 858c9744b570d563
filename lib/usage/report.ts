import { type Caller, isAdminOfAll } from '../access/caller.ts';
import { InvalidInput } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { costOf } from '../prices/price-of.ts';
import type { UseViewPorts } from './ports.ts';
import type { UsageAnswer, UsageGroup, UsageQuery, UsageSums } from './report-schema.ts';
import { daysOfUse, type UseOfDay, usePartition } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_DAYS = 366;
/**
 * Maximum number of records per report; each is one caller's usage on a day, in a workspace, for one purpose and one
 * model.
 */
const MOST_RECORDS = 100_000;
const MOST_ROWS = 1000;
/** The name for usage outside workspaces, or without a model. */
const NONE = 'none';
/** The name for callers that this caller can't see, and for the sum after the last row. */
const OTHERS = 'others';

/** Returns the visible usage in a range of days, from the records of each day. */
export async function reportUse(
  ports: UseViewPorts,
  caller: Caller,
  query: UsageQuery,
): Promise<UsageAnswer> {
  const { from, to, groupBy } = withSpan(query, timestamp(ports.clock).slice(0, 10));
  const rows = new Map<string, Sums>();
  const totals = newSums();
  const unpriced = new Set<string>();
  const roleIn = ports.rolesIn(caller);
  for await (const use of usesBetween(ports.records, from, to)) {
    const view = await viewOf(caller, use, roleIn);
    if (view === undefined) continue;
    const key = keyOf(view, use, groupBy);
    const row = rows.get(key) ?? newSums();
    rows.set(key, row);
    const cost = costOf(use.model, use, ports.prices ?? {});
    if (cost === null) unpriced.add(use.model);
    for (const sums of [row, totals]) addUse(sums, use, cost);
  }
  const unpricedModels = [...unpriced].sort();
  return { from, to, rows: toRows(rows, groupBy), totals: toRow(totals), unpricedModels };
}

/** Yields usage page by page, while it is added up. Throws InvalidInput. */
async function* usesBetween(records: Records, from: string, to: string): AsyncGenerator<UseOfDay> {
  let read = 0;
  for (const day of daysBetween(from, to)) {
    for await (const use of daysOfUse.all(records, { partition: usePartition(day) })) {
      if (++read > MOST_RECORDS)
        throw new InvalidInput(
          'usage_range_too_large',
          'from and to cover too many records. Request fewer days.',
          {
            field: 'from',
          },
        );
      yield use;
    }
  }
}

/** Returns the query with its range; by default this month so far. Throws InvalidInput. */
function withSpan({ from, to, groupBy }: UsageQuery, today: string) {
  const last = to ?? today;
  const first = from ?? `${last.slice(0, 7)}-01`;
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw new InvalidInput('invalid_value', "from can't be after to.", { field: 'from' });
  if (days > MOST_DAYS)
    throw new InvalidInput('usage_range_too_large', `from and to can cover at most ${MOST_DAYS} days.`, {
      field: 'from',
    });
  return { from: first, to: last, groupBy };
}

function* daysBetween(from: string, to: string): Iterable<string> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    yield new Date(at).toISOString().slice(0, 10);
}

/**
 * Returns which usage a caller may see: their own; as a member, the usage of accessible workspaces without
 * names; as an administrator of a workspace, with names. Only global administrators see other callers' usage
 * outside workspaces.
 */
async function viewOf(
  caller: Caller,
  { callerId, workspaceId }: UseOfDay,
  roleIn: ReturnType<UseViewPorts['rolesIn']>,
): Promise<'named' | 'unnamed' | undefined> {
  if (callerId === caller.id || isAdminOfAll(caller)) return 'named';
  const role = workspaceId === null ? undefined : await roleIn(workspaceId);
  if (role === 'admin') return 'named';
  return role === 'member' ? 'unnamed' : undefined;
}

function keyOf(view: 'named' | 'unnamed', use: UseOfDay, groupBy: UsageGroup): string {
  if (groupBy === 'caller') return view === 'named' ? use.callerId : OTHERS;
  const keys = { day: use.day, workspace: use.workspaceId, model: use.model, kind: use.kind };
  return keys[groupBy] || NONE;
}

interface Sums extends Omit<UsageSums, 'commandSeconds' | 'costUsd'> {
  commandMs: number;
  cost: number;
  /** True if any part has a price. A row with only unknown models has no cost. */
  isPriced: boolean;
}

function newSums(): Sums {
  const tokens = {
    inputTokens: 0,
    outputTokens: 0,
    embeddedTokens: 0,
    estimatedTokens: 0,
    unpricedTokens: 0,
  };
  return { ...tokens, calls: 0, commandMs: 0, cost: 0, isPriced: false };
}

function addUse(sums: Sums, use: UseOfDay, cost: number | null): void {
  for (const field of ['inputTokens', 'outputTokens', 'embeddedTokens', 'estimatedTokens', 'calls'] as const)
    sums[field] += use[field];
  sums.commandMs += use.commandMs;
  if (cost === null) sums.unpricedTokens += use.inputTokens + use.outputTokens + use.embeddedTokens;
  else if (cost > 0 || use.inputTokens + use.outputTokens + use.embeddedTokens > 0) sums.isPriced = true;
  sums.cost += cost ?? 0;
}

/** Returns the rows: days in order, all others by usage, highest first. */
function toRows(sums: Map<string, Sums>, groupBy: UsageGroup): UsageAnswer['rows'] {
  const rows = [...sums].sort(([a, one], [b, other]) =>
    groupBy === 'day' ? compare(a, b) : tokensOf(other) - tokensOf(one) || compare(a, b),
  );
  const behind = rows.splice(MOST_ROWS);
  const shown = rows.map(([key, each]) => ({ key, ...toRow(each) }));
  return behind.length === 0 ? shown : [...shown, { key: OTHERS, ...toRow(sumOf(behind)) }];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function tokensOf({ inputTokens, outputTokens, embeddedTokens }: Sums): number {
  return inputTokens + outputTokens + embeddedTokens;
}

function sumOf(rows: [string, Sums][]): Sums {
  return rows.reduce((total, [, each]) => {
    for (const field of Object.keys(total) as (keyof Sums)[])
      if (field !== 'isPriced') total[field] += each[field];
    total.isPriced ||= each.isPriced;
    return total;
  }, newSums());
}

function toRow({ commandMs, cost, isPriced, ...sums }: Sums): UsageSums {
  const isUnknown = sums.unpricedTokens > 0 && !isPriced;
  return { ...sums, commandSeconds: commandMs / 1000, costUsd: isUnknown ? null : toDollars(cost) };
}

/** Rounds to a millionth, because smaller digits are rounding errors. */
function toDollars(cost: number): number {
  return Math.round(cost * 1e6) / 1e6;
}
