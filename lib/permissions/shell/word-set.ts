/** Splits a list of names at spaces. */
export function wordSet(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
