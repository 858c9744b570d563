/** Formats numbers, sizes, and times in the language of the page. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number, language: string): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: step > 1 ? 1 : 0 });
  return `${format.format(bytes / 1000 ** step)}\u00a0${UNITS[step]}`;
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatAgo(time: string, language: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (Math.abs(seconds) < 60 && language === 'zh-CN') return '刚刚'; // 现在 means the present, not the past
  return spaced(format.format(Math.abs(seconds) < 60 ? 0 : Math.trunc(seconds / length), unit));
}

export function formatTime(time: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return spaced(format.format(new Date(time)));
}

export function formatDay(time: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return spaced(format.format(new Date(time)));
}

/** Formats a day in the reader's time zone. */
export function formatLocalDay(time: string, language: string): string {
  return spaced(new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time)));
}

/** Adds spaces as in the other Chinese texts: 2026 年 1 月, 3 分钟前. */
function spaced(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)/gu, ' ');
}

/** Formats a count: exactly below ten thousand, otherwise shortened, such as 12.3K. */
export function formatCount(count: number, language: string): string {
  const options = count < 10_000 ? {} : ({ notation: 'compact', maximumFractionDigits: 1 } as const);
  return new Intl.NumberFormat(language, options).format(count);
}

/** Formats dollars. Small amounts keep the digits that distinguish them from zero. */
export function formatUsd(usd: number, language: string): string {
  const maximumFractionDigits = Math.abs(usd) < 1 ? 4 : 2;
  const options = { style: 'currency', currency: 'USD', maximumFractionDigits } as const;
  return new Intl.NumberFormat(language, options).format(usd);
}
