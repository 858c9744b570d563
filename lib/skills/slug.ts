/** Maximum characters of a slug, including a number at the end. */
export const MAX_SLUG_LENGTH = 64;

/** Returns a slug, such as `etude-2nd-draft` for `Étude: 2nd draft`; empty without any Latin letter or digit. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '');
}

/** Yields the slug itself, then `-1`, `-2`, … */
export function* slugVariants(slug: string, most: number): Generator<string> {
  yield slug;
  for (let number = 1; number <= most; number++) {
    const end = `-${number}`;
    yield slug.slice(0, MAX_SLUG_LENGTH - end.length).replace(/(?<!-)-+$/, '') + end;
  }
}
