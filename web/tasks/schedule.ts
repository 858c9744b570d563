import { parseSchedule, type ScheduleFault, scheduleFault } from '../../lib/api-contract/schedule.ts';

/** Returns the next runs of a schedule, or what is wrong with it, while it is typed. */
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
    return { problem: 'never' }; // a time zone that this browser doesn't have
  }
}

export const PRESETS = {
  hourly: '0 * * * *',
  daily: '0 7 * * *',
  workdays: '0 8 * * 1-5',
  weekly: '0 8 * * 1',
  monthly: '0 8 1 * *',
} as const;
export type Preset = keyof typeof PRESETS;

export function presetOf(schedule: string): Preset | undefined {
  return (Object.keys(PRESETS) as Preset[]).find((name) => PRESETS[name] === schedule);
}

/** `own` first: some browsers leave out UTC, and a task may have an older name. */
export function timeZones(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

export function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
