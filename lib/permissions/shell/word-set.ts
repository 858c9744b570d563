/** Splits a list of names at blanks. */
export function wordSet(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
