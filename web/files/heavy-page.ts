/** Three hundred of them within each other draw; of a thousand, which take 15 KB, the whole tab dies. */
const MAX_HEAVY = 250;
const HEAVY = /<(?:table|marquee|ruby)\b/gi;

/** Whether a page of HTML has so much of what browsers lay out by deep recursion that it is shown as text. */
export function isHeavyPage(html: string): boolean {
  let count = 0;
  for (const _ of html.matchAll(HEAVY)) if (++count > MAX_HEAVY) return true;
  return false;
}
