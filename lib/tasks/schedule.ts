import { Cron } from 'croner';

const NAMES = ['minute', 'hour', 'day of the month', 'month', 'day of the week'];
const NUMBER = '\\d{1,2}';
const MONTH = `(?:${NUMBER}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`;
const WEEKDAY = '(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)';
/** Syntax that every cron supports, without the extensions of any dialect: `*`, values, ranges, and steps in a list. */
const FIELDS = [NUMBER, NUMBER, NUMBER, MONTH, WEEKDAY].map((value) => {
  const item = `(?:\\*|${value}(?:-${value})?)(?:/${NUMBER})?`;
  return new RegExp(`^${item}(?:,${item})*$`, 'i');
});

/** Returns what is wrong with a cron expression of five fields; undefined if it will ever match. */
export function scheduleProblem(schedule: string): string | undefined {
  const fields = schedule.split(' ');
  if (schedule.startsWith('@')) return `can't be ${JSON.stringify(schedule)}. Write all five fields`;
  if (schedule === '' || fields.length !== 5)
    return `must have 5 fields (minute hour day month weekday), but has ${schedule === '' ? 0 : fields.length}`;
  const wrong = fields.findIndex((field, place) => !isField(field, place));
  if (wrong >= 0) return `has ${JSON.stringify(fields[wrong])}, which isn't a valid ${NAMES[wrong]}`;
  if (nextSlot(schedule, 'UTC', Date.now()) === undefined)
    return "never runs, because that day doesn't exist";
  return undefined;
}

function isField(field: string, place: number): boolean {
  const alone = NAMES.map((_, other) => (other === place ? field : '*')).join(' ');
  return FIELDS[place]?.test(field) === true && parses(alone);
}

function parses(schedule: string): boolean {
  try {
    parse(schedule, 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the IANA database has the time zone. Offsets have no daylight saving time and are usually a mistake. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/**
 * Returns the first slot after a time, both in milliseconds since the epoch; undefined if there is none. A time of day that
 * daylight saving time skips has its slot at the change; one that occurs twice has the first only.
 */
export function nextSlot(schedule: string, timezone: string, after: number): number | undefined {
  return parse(schedule, timezone).nextRun(new Date(after))?.getTime();
}

/** Returns the latest slot that isn't after a time. */
export function latestSlot(schedule: string, timezone: string, at: number): number | undefined {
  // A second later, because croner counts in seconds and excludes the given one.
  const slots = parse(schedule, timezone).previousRuns(2, new Date(at + 1000));
  return slots.map((slot) => slot.getTime()).find((slot) => slot <= at);
}

function parse(schedule: string, timezone: string): Cron {
  return new Cron(schedule, { paused: true, timezone, mode: '5-part' });
}
