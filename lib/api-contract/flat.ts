/**
 * Returns a text in the form for comparing quotes: each run of white space becomes one space, because a quote
 * may contain a line end.
 */
export function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
