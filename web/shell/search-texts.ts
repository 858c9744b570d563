/**
 * The named texts of a URL. The router keeps what a page's reader leaves out, as it came: so each name is there, as a text (a
 * number is one that the URL has without quotes) or undefined.
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
