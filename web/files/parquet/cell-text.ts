const MAX_TEXT = 500;

/** Returns a column's value as text for a cell: nested values as JSON, bytes as their number. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (value instanceof Uint8Array) return `(${value.length} B)`;
  if (typeof value === 'object') return JSON.stringify(value, plain).slice(0, MAX_TEXT);
  return String(value);
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Uint8Array ? cellText(value) : value;
}
