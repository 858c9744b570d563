/**
 * Returns a text in the form in which quotes are compared: each run of whitespace becomes one space, because a line may
 * end within a quote.
 */
export function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
