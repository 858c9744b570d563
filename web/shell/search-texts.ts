/**
 * Reads the named texts of a URL. The router keeps names that a page's reader omits, so each name is present, as a text
 * (a number is one without quotes in the URL) or undefined.
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
