interface Dated {
  pinned: boolean;
  /** ISO time. */
  updatedAt: string;
}

const GROUPS = ['pinned', 'today', 'yesterday', 'week', 'older'] as const;
type GroupName = (typeof GROUPS)[number];

export interface DayGroup<Item> {
  name: GroupName;
  items: Item[];
}

/** Groups conversations by the day of their last message, by this computer's clock, in their order. */
export function groupByDay<Item extends Dated>(items: readonly Item[], now: Date): DayGroup<Item>[] {
  const groups = Map.groupBy(items, (item) => groupOf(item, now));
  return GROUPS.flatMap((name) => {
    const found = groups.get(name);
    return found === undefined ? [] : { name, items: found };
  });
}

function groupOf({ pinned, updatedAt }: Dated, now: Date): GroupName {
  if (pinned) return 'pinned';
  const at = new Date(updatedAt);
  if (at >= startOfDay(now, 0)) return 'today';
  if (at >= startOfDay(now, 1)) return 'yesterday';
  return at >= startOfDay(now, 7) ? 'week' : 'older';
}

/** Returns the start of a day by the calendar, because a day may have 23 or 25 hours. */
function startOfDay(now: Date, daysBefore: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore);
}
