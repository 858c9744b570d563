import type { TFunction } from 'i18next';
import { localeOf } from './when.ts';

const NUMBER = /^\d{1,2}$/;
const SUNDAY = Date.UTC(2000, 0, 2);
const DAY_MS = 86_400_000;

/** Returns the common forms of a cron expression in words; undefined for others, which are shown unchanged. */
export function wordSchedule(schedule: string, t: TFunction, language: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*') return undefined;
  if (hour === '*' && day === '*' && weekday === '*') return wordHourly(minute, t);
  if (!NUMBER.test(minute) || !NUMBER.test(hour)) return undefined;
  const time = wordTime(Number(hour), Number(minute), language);
  if (day === '*' && weekday === '*') return t('tasks.words.daily', { time });
  if (day === '*') return wordWeekly(weekday, time, t, language);
  return weekday === '*' && NUMBER.test(day) ? t('tasks.words.monthly', { day, time }) : undefined;
}

function wordHourly(minute: string, t: TFunction): string | undefined {
  const [, every] = /^\*\/(\d{1,2})$/.exec(minute) ?? [];
  if (every !== undefined && 60 % Number(every) === 0)
    return t('tasks.words.minutes', { count: Number(every) });
  if (!NUMBER.test(minute)) return undefined;
  return minute === '0' ? t('tasks.words.hourly') : t('tasks.words.hourlyAt', { minute });
}

function wordWeekly(weekday: string, time: string, t: TFunction, language: string): string | undefined {
  if (weekday === '1-5') return t('tasks.words.workdays', { time });
  const days = weekday.split(',');
  if (!days.every((day) => /^[0-7]$/.test(day))) return undefined;
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const names = days.map((day) => format.format(SUNDAY + (Number(day) % 7) * DAY_MS));
  return t('tasks.words.weekly', { days: new Intl.ListFormat(language).format(names), time });
}

function wordTime(hour: number, minute: number, language: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(Date.UTC(2000, 0, 1, hour, minute));
}
