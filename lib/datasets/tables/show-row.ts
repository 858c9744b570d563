const MAX_BINARY = 256;
const MAX_TEXT = 100_000;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Converts a row to JSON: big integers and dates become text, long bytes their length. */
export function showRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, show(value)]));
}

function show(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'string':
      return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT).toWellFormed()}…`;
    case 'object':
      return value === null ? null : showObject(value);
    default:
      return value ?? null;
  }
}

function showObject(value: object): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return showBytes(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, show);
  return Array.isArray(value) ? value.map(show) : showRow(value as Record<string, unknown>);
}

/** Shows bytes. They may be text, which older writers don't mark as such. */
function showBytes(bytes: Uint8Array): string {
  if (bytes.length > MAX_BINARY) return `<${bytes.length} bytes>`;
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return `base64:${Buffer.from(bytes).toString('base64')}`;
  }
}
