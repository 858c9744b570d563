/** Letters around a number: `Page of`, `Seite von`. */
const MAX_LETTERS = 10;

/** Returns what is left of a header or a footer without its page number; nothing if that are the words around it. */
export function withoutPageNumber(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters <= MAX_LETTERS && !/\p{N}/u.test(text) ? '' : text;
}
