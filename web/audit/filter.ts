/** The filter as in the URL. The last day is included. */
export interface AuditFilter {
  from?: string | undefined;
  to?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
}

const FIELDS = ['from', 'to', 'actor', 'action'] as const;

export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const read = FIELDS.map((field) => {
    const value = search[field];
    const isValid = typeof value === 'string' && value !== '' && (!isDay(field) || DAY.test(value));
    return [field, isValid ? value : undefined];
  });
  return Object.fromEntries(read);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (field: (typeof FIELDS)[number]) => field === 'from' || field === 'to';

/** Returns the filter as the API expects it, with an exclusive `to`. */
export function auditQuery({ to, ...filter }: AuditFilter): Record<string, string> {
  const next = to === undefined ? undefined : dayAfter(to);
  const given = Object.entries({ ...filter, to: next }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

function dayAfter(day: string): string | undefined {
  const time = Date.parse(day);
  return Number.isNaN(time) ? undefined : new Date(time + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** Joins pages of CSV, which all have the header row, into one table. */
export function joinCsv(pages: string[]): string {
  return pages.map((page, index) => (index === 0 ? page : page.slice(page.indexOf('\r\n') + 2))).join('');
}
