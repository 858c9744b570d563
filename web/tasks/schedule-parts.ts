/** How often a task runs, with the fields of each: what a person chooses instead of a cron expression. */
export const FREQUENCIES = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface ScheduleParts {
  frequency: Frequency;
  /** As a time field has it: `09:00`. An hourly task has its minute alone. */
  time: string;
  /** Of a weekly task, from 0, which is Sunday; at least one. */
  days: number[];
  /** Of a monthly task. */
  day: number;
}

const NUMBER = /^\d{1,2}$/;
const DAYS = /^[0-7](,[0-7])*$/;

/** Reads the schedules that `writeSchedule` writes; undefined for any other, which only its expression can say. */
export function readSchedule(schedule: string): ScheduleParts | undefined {
  const fields = schedule.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*' || !isUpTo(minute, 59)) return undefined;
  const parts = { time: timeOf(hour === '*' ? '0' : hour, minute), days: [1], day: 1 };
  const isEveryDay = day === '*' && weekday === '*';
  if (hour === '*') return isEveryDay ? { ...parts, frequency: 'hourly' } : undefined;
  if (!isUpTo(hour, 23)) return undefined;
  if (isEveryDay) return { ...parts, frequency: 'daily' };
  if (day === '*' && weekday === '1-5') return { ...parts, frequency: 'weekdays' };
  if (day === '*' && DAYS.test(weekday)) return { ...parts, frequency: 'weekly', days: daysOf(weekday) };
  if (weekday !== '*' || day === '0' || !isUpTo(day, 31)) return undefined;
  return { ...parts, frequency: 'monthly', day: Number(day) };
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
