/** Formats a time in a zone's local time, with the zone: `Mon, 3 Mar 2026, 07:00 CET`. */
export function formatSlot(time: string | Date, timezone: string, language: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  });
  return format.format(typeof time === 'string' ? new Date(time) : time);
}

/**
 * Returns the browser's own locale for a language, which sets the 12- or 24-hour clock; the language itself if it names
 * a country.
 */
export function localeOf(language: string): string {
  if (language.includes('-')) return language;
  return navigator.languages.find((each) => each.startsWith(`${language}-`)) ?? language;
}
