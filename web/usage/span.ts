export const GROUPS = ['kind', 'model', 'caller', 'workspace'] as const;
export type Group = (typeof GROUPS)[number];
export const MEASURES = ['tokens', 'cost', 'calls'] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * The URL parameters: the first and last day (UTC), the grouping of the table, and the measure of the plot.
 */
export interface UsageSearch {
  from?: string | undefined;
  to?: string | undefined;
  by?: Group | undefined;
  of?: Measure | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function readUsageSearch({ from, to, by, of }: Record<string, unknown>): UsageSearch {
  return {
    from: dayOf(from),
    to: dayOf(to),
    by: GROUPS.find((each) => each === by),
    of: MEASURES.find((each) => each === of),
  };
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && DAY.test(value) ? value : undefined;
}

/** Returns a common range, as days in UTC. */
export function spanOf(name: 'month' | 'last' | 'days30', now = new Date()): { from: string; to: string } {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [year, month, today] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (name === 'last')
    return { from: day(new Date(Date.UTC(year, month - 1, 1))), to: day(new Date(Date.UTC(year, month, 0))) };
  const from = name === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year, month, today - 29);
  return { from: day(new Date(from)), to: day(now) };
}
