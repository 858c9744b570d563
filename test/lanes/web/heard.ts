import type { Page } from 'playwright-core';

/** Regions that a screen reader announces when their text changes. */
const LIVE = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';

/**
 * Records the announcements on the pages that open from now on, in order; an empty text announces nothing.
 */
export async function recordHeard(page: Page): Promise<string[]> {
  const heard: string[] = [];
  await page.context().exposeFunction('tellHeard', (text: string) => void heard.push(text));
  await page.addInitScript((live) => {
    const last = new WeakMap<Element, string>();
    const { tellHeard } = window as unknown as { tellHeard(text: string): void };
    const read = () => {
      for (const region of document.querySelectorAll(live)) {
        const text = (region.textContent ?? '').trim();
        if (text !== '' && last.get(region) !== text) tellHeard(text);
        last.set(region, text);
      }
    };
    new MutationObserver(read).observe(document, { childList: true, subtree: true, characterData: true });
  }, LIVE);
  return heard;
}

/** Returns the visible messages about problems: errors, warnings, and the banner above the page. */
export function shownTroubles(page: Page): Promise<string[]> {
  return page
    .locator('[class*=bg-warn-soft], [class*=bg-danger-soft]')
    .evaluateAll((found) =>
      found
        .filter((each) => each.checkVisibility() && each.parentElement?.closest('[class*=-soft]') === null)
        .map(({ textContent }) => textContent.replace(/Try again$/, ' [Try again]').trim()),
    );
}
