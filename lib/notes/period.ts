/** A day or a week in a time zone. */
export interface Period {
  kind: 'daily' | 'weekly';
  /** The first day as YYYY-MM-DD; for a week, its Monday. */
  firstDay: string;
  lastDay: string;
  /** The start in milliseconds since the epoch; the end, `to`, is exclusive. */
  from: number;
  to: number;
}

export function dayPeriod(day: string, timezone: string): Period {
  return periodOf('daily', day, day, timezone);
}

/** Returns the ISO week, Monday to Sunday, that contains a day. */
export function weekPeriod(day: string, timezone: string): Period {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(day, -weekday);
  return periodOf('weekly', monday, addDays(monday, 6), timezone);
}

/** Returns the calendar day in a time zone. */
export function dayOf(time: number, timezone: string): string {
  return formatterOf(timezone).format(time);
}

function periodOf(kind: Period['kind'], firstDay: string, lastDay: string, timezone: string): Period {
  const from = startOf(firstDay, timezone);
  return { kind, firstDay, lastDay, from, to: startOf(addDays(lastDay, 1), timezone) };
}

const HOUR_MS = 3_600_000;

/**
 * Returns the first millisecond of a day. Searches for it, because a day can start at 01:00 (where clocks
 * change at midnight), and some days don't exist.
 */
function startOf(day: string, timezone: string): number {
  const noon = Date.parse(`${day}T00:00:00Z`);
  let [before, reached] = [noon - 27 * HOUR_MS, noon + 27 * HOUR_MS];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayOf(middle, timezone) < day) before = middle;
    else reached = middle;
  }
  return reached;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter for YYYY-MM-DD, cached because creating one is slow. */
function formatterOf(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone);
  if (known !== undefined) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, calendar: 'iso8601', ...parts });
  formatters.set(timezone, made);
  return made;
}
