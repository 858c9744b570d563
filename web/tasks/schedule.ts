import { Cron } from 'croner';

const NUMBER = '\\d{1,2}';
/** Values as the service takes them: `*`, values, ranges and steps in a list. */
const VALUES = [
  NUMBER,
  NUMBER,
  NUMBER,
  `(?:${NUMBER}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`,
  '(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)',
];
const FIELDS = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

export type SchedulePreview =
  | { runs: Date[] }
  | { problem: 'count'; count: number }
  | { problem: 'field'; field: (typeof FIELDS)[number]; text: string }
  | { problem: 'never' };

/** Returns the next runs of a schedule, or what is wrong with it, while it is typed. The service decides. */
export function previewSchedule(
  schedule: string,
  timezone: string,
  after: Date,
  count: number,
): SchedulePreview {
  const parts = schedule
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '');
  if (parts.length !== FIELDS.length) return { problem: 'count', count: parts.length };
  const wrong = FIELDS.findIndex((_, place) => !isField(parts[place] ?? '', place));
  const field = FIELDS[wrong];
  if (field !== undefined) return { problem: 'field', field, text: parts[wrong] ?? '' };
  const runs = open(parts.join(' '), timezone)?.nextRuns(count, after) ?? [];
  return runs.length === 0 ? { problem: 'never' } : { runs };
}

function isField(text: string, place: number): boolean {
  const item = `(?:\\*|${VALUES[place]}(?:-${VALUES[place]})?)(?:/${NUMBER})?`;
  const alone = FIELDS.map((_, other) => (other === place ? text : '*')).join(' ');
  return new RegExp(`^${item}(?:,${item})*$`, 'i').test(text) && open(alone, 'UTC') !== undefined;
}

function open(schedule: string, timezone: string): Cron | undefined {
  try {
    return new Cron(schedule, { paused: true, timezone, mode: '5-part' });
  } catch {
    return undefined;
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
