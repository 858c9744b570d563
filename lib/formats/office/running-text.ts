/** The maximum number of letters around a page number: `Page of`, `Seite von`. */
const MAX_LETTERS = 10;

/** Returns a header or footer without its page number; empty if only the words around the number remain. */
export function withoutPageNumber(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters <= MAX_LETTERS && !/\p{N}/u.test(text) ? '' : text;
}
