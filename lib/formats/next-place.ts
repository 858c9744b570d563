/**
 * Returns a function that finds where a text is next in a source, or -1. It looks at each place once per text, for places that come
 * in order: a source with many openings that nothing closes takes no longer than another.
 */
export function nextPlaces(source: string): (text: string, from: number) => number {
  const found = new Map<string, number>();
  return (text, from) => {
    const last = found.get(text) ?? 0;
    if (last === -1 || (last >= from && found.has(text))) return last;
    const next = source.indexOf(text, from);
    found.set(text, next);
    return next;
  };
}
