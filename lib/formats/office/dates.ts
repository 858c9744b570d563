const DAY_MS = 24 * 60 * 60 * 1000;

/** The formats that every Excel version knows by number (ECMA-376, 18.8.30), including those of East Asia. */
const BUILT_IN = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** How a number is shown as a time: as a date and time, or as elapsed hours (`[h]:mm`). */
export type TimeFormat = 'date' | 'elapsed';

const ELAPSED_BUILT_IN = 46;
/** The maximum number of characters in an Excel format. */
export const MAX_CODE = 255;

/** Undefined for a format that shows a plain number. */
export function timeFormatOf(id: number, code: string | undefined): TimeFormat | undefined {
  if (code === undefined) {
    const isTime = BUILT_IN.some(([first, last]) => id >= first && id <= last);
    if (!isTime) return undefined;
    return id === ELAPSED_BUILT_IN ? 'elapsed' : 'date';
  }
  const [positive = ''] = code.slice(0, MAX_CODE).split(';');
  if (/\[[hms]+\]/i.test(positive)) return 'elapsed';
  // Quoted and escaped characters don't matter, and neither does a color or a language.
  const letters = positive.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|general/gi, '');
  return /[ymdhs]/i.test(letters) ? 'date' : undefined;
}

/** Returns a date, with its time if it has one: `2024-03-01`; a time alone: `14:30`; or elapsed time: `36:00:00`. */
export function timeText(serial: number, format: TimeFormat, from1904: boolean): string {
  if (format === 'elapsed') return elapsedText(Math.round(serial * 24 * 60 * 60));
  const milliseconds = Math.round((serial * DAY_MS) / 1000) * 1000;
  if (serial >= 0 && serial < 1) return timeOf(new Date(milliseconds));
  const date = new Date(firstDay(serial, from1904) + milliseconds);
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day = ''] = date.toISOString().split('T');
  return milliseconds % DAY_MS === 0 ? day : `${day} ${timeOf(date)}`;
}

function elapsedText(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  const [hours, ...rest] = [3600, 60, 1].map((unit, index) =>
    Math.floor((Math.abs(seconds) % (index === 0 ? Infinity : unit * 60)) / unit),
  );
  return sign + [hours, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}

/**
 * Returns the date of day 0. Excel treats 1900 as a leap year, so its days before March 1900 are one later.
 */
function firstDay(serial: number, from1904: boolean): number {
  if (from1904) return Date.UTC(1904, 0, 1);
  return Date.UTC(1899, 11, serial < 60 ? 31 : 30);
}

function timeOf(date: Date): string {
  const time = date.toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}
