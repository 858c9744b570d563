/** The languages whose names of months and days are recognized. Names within a date are inflected. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru'];
/** January 1, 2024, is a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

type Part = 'month' | 'weekday';
type Width = 'long' | 'short';

/**
 * Returns names in lower case without a full stop, each with its number from 1 (January, Monday). If two
 * languages share a name, the first language decides.
 */
function namesOf(part: Part, width: Width): Map<string, number> {
  const count = part === 'month' ? 12 : 7;
  const names = LANGUAGES.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { day: 'numeric', [part]: width, timeZone: 'UTC' });
    return Array.from({ length: count }, (_, at): [string, number] => [nameIn(format, part, at), at + 1]);
  });
  return new Map(names.filter(([name]) => /^\p{L}/u.test(name)).toReversed());
}

function nameIn(format: Intl.DateTimeFormat, part: Part, at: number): string {
  const time = part === 'month' ? Date.UTC(2024, at, 1) : MONDAY + at * DAY_MS;
  const name = format.formatToParts(time).find(({ type }) => type === part)?.value ?? '';
  return name.toLowerCase().replace(/\.$/u, '');
}

export const MONTH_NAMES = new Map([...namesOf('month', 'short'), ...namesOf('month', 'long'), ['sept', 9]]);
export const DAY_NAMES = namesOf('weekday', 'long');
/** For example, `Sat` and `Mo`. */
export const SHORT_DAY_NAMES = namesOf('weekday', 'short');

/** Returns a pattern that matches any of the names, the longest first. */
export function anyOf(names: Iterable<string>): string {
  return [...names].toSorted((a, b) => b.length - a.length).join('|');
}
