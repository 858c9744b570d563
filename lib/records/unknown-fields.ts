/**
 * During a deployment, two releases read and write the same records. Fields that the older one doesn't know are
 * attached to the data under a symbol: copies by `...` keep them; JSON, schemas, and responses never show them; and a
 * write restores them.
 */
const UNKNOWN = Symbol('fields of a later release');

type Container = Record<string | symbol, unknown>;

/** Attaches the fields of `stored` that `read` lacks, at every depth. */
export function carryUnknown(stored: unknown, read: unknown): void {
  if (stored === read || !isContainer(stored) || !isContainer(read)) return;
  for (const key of Object.keys(read)) carryUnknown(stored[key], read[key]);
  const unknown = Object.entries(stored).filter(([key]) => !Object.hasOwn(read, key));
  if (unknown.length > 0) read[UNKNOWN] = Object.fromEntries(unknown);
}

/** Copies the unknown fields of `from` into its copy `into`, at every depth. */
export function restoreUnknown(from: unknown, into: unknown): void {
  if (!isContainer(from) || !isContainer(into)) return;
  for (const key of Object.keys(into)) {
    if (into[key] !== from[key]) restoreUnknown(from[key], into[key]);
  }
  for (const [key, value] of Object.entries((from[UNKNOWN] as Container | undefined) ?? {})) {
    if (!Object.hasOwn(into, key)) define(into, key, value);
  }
}

/** Returns a copy that has the unknown fields as ordinary properties, unvalidated. */
export function withUnknown<Value>(value: Value): Value {
  if (!carries(value)) return value;
  const copy = structuredClone(value);
  restoreUnknown(value, copy);
  return copy;
}

function carries(value: unknown): boolean {
  return isContainer(value) && (UNKNOWN in value || Object.values(value).some(carries));
}

/** Includes arrays, whose indexes are keys. */
function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Sets a property without `=`, because a key may be `__proto__`. */
function define(into: Container, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}
