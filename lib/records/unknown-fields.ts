/**
 * While a deployment runs, code of two releases reads and writes the same records. Fields that the older one does not
 * know travel with what it read, under a symbol: copies by `...` keep them, JSON, schemas and answers never show them, and
 * a write puts them back where they were.
 */
const UNKNOWN = Symbol('fields of a later release');

type Container = Record<string | symbol, unknown>;

/** Hangs what `read` lacks of `stored` on it, at every depth. */
export function carryUnknown(stored: unknown, read: unknown): void {
  if (stored === read || !isContainer(stored) || !isContainer(read)) return;
  for (const key of Object.keys(read)) carryUnknown(stored[key], read[key]);
  const unknown = Object.entries(stored).filter(([key]) => !Object.hasOwn(read, key));
  if (unknown.length > 0) read[UNKNOWN] = Object.fromEntries(unknown);
}

/** Puts what `from` carries into its copy `into`, at every depth. */
export function restoreUnknown(from: unknown, into: unknown): void {
  if (!isContainer(from) || !isContainer(into)) return;
  for (const key of Object.keys(into)) {
    if (into[key] !== from[key]) restoreUnknown(from[key], into[key]);
  }
  for (const [key, value] of Object.entries((from[UNKNOWN] as Container | undefined) ?? {})) {
    if (!Object.hasOwn(into, key)) define(into, key, value);
  }
}

/** A copy with all that it carries; its own properties are not checked. */
export function withUnknown<Value>(value: Value): Value {
  if (!carries(value)) return value;
  const copy = structuredClone(value);
  restoreUnknown(value, copy);
  return copy;
}

function carries(value: unknown): boolean {
  return isContainer(value) && (UNKNOWN in value || Object.values(value).some(carries));
}

/** Arrays too: their indexes are keys. */
function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** An assignment by `=` would not do: a key may be `__proto__`. */
function define(into: Container, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}
