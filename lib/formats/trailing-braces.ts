/**
 * Returns the text without trailing braces, their contents, and the white space before them. A regular
 * expression would search for the end from each space of a long line.
 */
export function withoutBraces(text: string): string {
  if (!text.endsWith('}')) return text;
  const open = text.lastIndexOf('{');
  const isWhole = open !== -1 && text.indexOf('}', open) === text.length - 1;
  return isWhole ? text.slice(0, open).trimEnd() : text;
}
