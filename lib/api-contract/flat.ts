/**
 * Returns a text as quotes are compared: each run of white space is one space, because a line may end within a quote.
 */
export function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
