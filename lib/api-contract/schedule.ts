import { Cron } from 'croner';

const SCHEDULE_FIELDS = ['minute', 'hour', 'day', 'month', 'weekday'] as const;
export type ScheduleField = (typeof SCHEDULE_FIELDS)[number];

export type ScheduleFault =
  | { problem: 'count'; count: number }
  | { problem: 'field'; field: ScheduleField; text: string }
  | { problem: 'never' };

const NUMBER = '\\d{1,2}';
const MONTH = `(?:${NUMBER}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`;
const WEEKDAY = '(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)';
/**
 * The syntax that every cron supports, without the extensions of any dialect: `*`, values, ranges, and steps
 * in a list.
 */
const SYNTAX = [NUMBER, NUMBER, NUMBER, MONTH, WEEKDAY].map((value) => {
  const item = `(?:\\*|${value}(?:-${value})?)(?:/${NUMBER})?`;
  return new RegExp(`^${item}(?:,${item})*$`, 'i');
});

/**
 * Returns what is wrong with the fields of a cron expression; undefined if the expression will match at some
 * time.
 */
export function scheduleFault(fields: string[]): ScheduleFault | undefined {
  if (fields.length !== SCHEDULE_FIELDS.length) return { problem: 'count', count: fields.length };
  for (const [place, field] of SCHEDULE_FIELDS.entries()) {
    const text = fields[place] ?? '';
    if (!isField(text, place)) return { problem: 'field', field, text };
  }
  return parseSchedule(fields.join(' '), 'UTC').nextRun() === null ? { problem: 'never' } : undefined;
}

function isField(text: string, place: number): boolean {
  if (SYNTAX[place]?.test(text) !== true) return false;
  try {
    parseSchedule(SCHEDULE_FIELDS.map((_, other) => (other === place ? text : '*')).join(' '), 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** Throws for anything that isn't a cron expression of five fields. */
export function parseSchedule(schedule: string, timezone: string): Cron {
  return new Cron(schedule, { paused: true, timezone, mode: '5-part' });
}
