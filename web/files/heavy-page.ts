/** Maximum nested elements. A page renders with 300; a thousand, which take 15 KB, crash the whole tab. */
const MAX_HEAVY = 250;
const HEAVY = /<(?:table|marquee|ruby)\b/gi;

/**
 * Returns whether an HTML page nests so many elements, which browsers lay out by deep recursion, that it's
 * shown as text.
 */
export function isHeavyPage(html: string): boolean {
  let count = 0;
  for (const _ of html.matchAll(HEAVY)) if (++count > MAX_HEAVY) return true;
  return false;
}
