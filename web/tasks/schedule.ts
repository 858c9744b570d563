import { parseSchedule, type ScheduleFault, scheduleFault } from '../../lib/api-contract/schedule.ts';

/** Returns the next runs of a schedule, or its problem, while the person is typing. */
export function previewSchedule(
  schedule: string,
  timezone: string,
  after: Date,
  count: number,
): { runs: Date[] } | ScheduleFault {
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  const fault = scheduleFault(fields);
  if (fault !== undefined) return fault;
  try {
    return { runs: parseSchedule(fields.join(' '), timezone).nextRuns(count, after) };
  } catch {
    return { problem: 'never' }; // a time zone that this browser lacks
  }
}

/** Returns the time zones. `own` comes first, because some browsers omit UTC, and a task may have an older name. */
export function timeZones(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

export function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
