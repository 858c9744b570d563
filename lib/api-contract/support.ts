/** How well a sentence's quotes support it. `unjudged` means that code found nothing wrong, and no model judged it. */
export const SUPPORTS = ['full', 'partial', 'none', 'contradicted', 'unjudged'] as const;
export type Support = (typeof SUPPORTS)[number];
