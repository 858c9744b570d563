/** How often a task runs, as an alternative to a cron expression, with the fields of each frequency. */
export const FREQUENCIES = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface ScheduleParts {
  frequency: Frequency;
  /** The time in a time field's format: `09:00`. An hourly task uses only the minute. */
  time: string;
  /** Days of a weekly task, from 0 for Sunday; at least one. */
  days: number[];
  /** The day of the month for a monthly task. */
  day: number;
}

const NUMBER = /^\d{1,2}$/;
const DAYS = /^[0-7](,[0-7])*$/;

/**
 * Parses the schedules that `writeSchedule` writes; undefined for any other schedule, which only an expression can
 * represent.
 */
export function readSchedule(schedule: string): ScheduleParts | undefined {
  const fields = schedule.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*' || !isUpTo(minute, 59)) return undefined;
  const isHourly = hour === '*';
  if (!isHourly && !isUpTo(hour, 23)) return undefined;
  const on = isHourly ? readHourly(day, weekday) : readDays(day, weekday);
  return on && { days: [1], day: 1, time: timeOf(isHourly ? '0' : hour, minute), ...on };
}

type Days = Pick<ScheduleParts, 'frequency'> & Partial<ScheduleParts>;

function readHourly(day: string, weekday: string): Days | undefined {
  return day === '*' && weekday === '*' ? { frequency: 'hourly' } : undefined;
}

function readDays(day: string, weekday: string): Days | undefined {
  if (day === '*' && weekday === '*') return { frequency: 'daily' };
  if (day === '*' && weekday === '1-5') return { frequency: 'weekdays' };
  if (day === '*' && DAYS.test(weekday)) return { frequency: 'weekly', days: daysOf(weekday) };
  const isMonthly = weekday === '*' && isUpTo(day, 31) && Number(day) > 0;
  return isMonthly ? { frequency: 'monthly', day: Number(day) } : undefined;
}

export function writeSchedule({ frequency, time, days, day }: ScheduleParts): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (frequency === 'hourly') return `${minute} * * * *`;
  if (frequency === 'daily') return `${at} * * *`;
  if (frequency === 'weekdays') return `${at} * * 1-5`;
  return frequency === 'weekly' ? `${at} * * ${days.join(',')}` : `${at} ${day} * *`;
}

function isUpTo(field: string, most: number): boolean {
  return NUMBER.test(field) && Number(field) <= most;
}

function timeOf(hour: string, minute: string): string {
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

function daysOf(weekday: string): number[] {
  return [...new Set(weekday.split(',').map((day) => Number(day) % 7))].sort((one, other) => one - other);
}
