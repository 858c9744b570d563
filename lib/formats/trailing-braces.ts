/**
 * The text without what it has in braces at its end, and the white space before that; without them as it is. By hand: a
 * pattern looks for the end from each blank of a long line.
 */
export function withoutBraces(text: string): string {
  if (!text.endsWith('}')) return text;
  const open = text.lastIndexOf('{');
  const isWhole = open !== -1 && text.indexOf('}', open) === text.length - 1;
  return isWhole ? text.slice(0, open).trimEnd() : text;
}
