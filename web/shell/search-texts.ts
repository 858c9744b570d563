/**
 * Returns a reader of the named URL parameters. The router keeps names that a page's reader omits, so each name is
 * present, as a string (a number has no quotes in the URL) or undefined.
 */
export const searchTexts =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, searchText(search[name])])) as {
      [name in Name]?: string | undefined;
    };

export function searchText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
