/** One locale for all readers, because the pages of a list must be in one order. */
const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Compares names as people sort them: `b` before `C`, `9` before `10`. Returns 0 only for equal names, so
 * that a list has only one order.
 */
export function compareNames(one: string, other: string): number {
  return compare(one, other) || Number(one > other) - Number(one < other);
}
