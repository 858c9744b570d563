/** A moment as the clocks of a zone have it, with the zone: `Mon, 3 Mar 2026, 07:00 CET`. */
export function formatSlot(time: string | Date, timezone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  });
  return format.format(typeof time === 'string' ? new Date(time) : time);
}
