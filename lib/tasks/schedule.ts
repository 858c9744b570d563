import { parseSchedule, type ScheduleField, scheduleFault } from '../api-contract/schedule.ts';

const NAMES: Record<ScheduleField, string> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day of the month',
  month: 'month',
  weekday: 'day of the week',
};

/** Returns what is wrong with a cron expression of five fields; undefined if it will match at some time. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return `can't be ${JSON.stringify(schedule)}. Write all five fields`;
  const fault = scheduleFault(schedule === '' ? [] : schedule.split(' '));
  if (fault?.problem === 'count')
    return `must have 5 fields (minute hour day month weekday), but has ${fault.count}`;
  if (fault?.problem === 'field')
    return `has ${JSON.stringify(fault.text)}, which isn't a valid ${NAMES[fault.field]}`;
  return fault && "never runs, because that day doesn't exist";
}

/**
 * Returns whether the IANA database has the time zone. Rejects offsets, because they have no daylight saving
 * time and are usually a mistake.
 */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/**
 * Returns the first slot after a time, both in milliseconds since the epoch; undefined if there is none. A
 * time of day that daylight saving time skips has its slot at the change; one that occurs twice has only the
 * first.
 */
export function nextSlot(schedule: string, timezone: string, after: number): number | undefined {
  return parseSchedule(schedule, timezone).nextRun(new Date(after))?.getTime();
}

/** Returns the latest slot that isn't after a time. */
export function latestSlot(schedule: string, timezone: string, at: number): number | undefined {
  // One second later, because croner counts in seconds and excludes the given second.
  const slots = parseSchedule(schedule, timezone).previousRuns(2, new Date(at + 1000));
  return slots.map((slot) => slot.getTime()).find((slot) => slot <= at);
}
