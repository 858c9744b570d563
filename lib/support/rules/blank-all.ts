/**
 * Replaces stretches, given in order, with spaces, in one pass. A copy of the text for each stretch would
 * take quadratic time.
 */
export function blankAll(text: string, taken: { start: number; end: number }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of taken) {
    parts.push(text.slice(at, Math.max(at, start)), ' '.repeat(Math.max(0, end - Math.max(at, start))));
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}

/** Returns a found text with its place. */
export function placed(text: string, start: number) {
  return { text, start, end: start + text.length };
}
