/** One locale for all readers, so that the pages of a list are consistent. */
const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Compares names as people sort them: `b` before `C`, `9` before `10`. Returns 0 only for equal names, so that lists
 * have one order.
 */
export function compareNames(one: string, other: string): number {
  return compare(one, other) || Number(one > other) - Number(one < other);
}
