import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A person's way of using the console. The same steps work with each. */
export interface Hand {
  /** Presses a button, follows a link, opens or closes details. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a list by its value. */
  choose(target: Locator, value: string): Promise<void>;
  /** Answers the first waiting call. */
  answer(key: AnswerKey): Promise<void>;
}

/** The keys of answers, with the names of their buttons. */
const ANSWERS = { y: 'Allow', r: 'Allow in this run', a: 'Always allow', n: 'Deny' } as const;
type AnswerKey = keyof typeof ANSWERS;

function answerButton(page: Page, key: AnswerKey): Locator {
  const first = page.locator('article[aria-current=true]');
  return first.getByRole('button', { name: ANSWERS[key], exact: true }).and(page.locator(':enabled'));
}

export function mouseHand(page: Page): Hand {
  return {
    press: (target) => target.click(),
    write: (target, text) => target.fill(text),
    choose: async (target, value) => void (await target.selectOption(value)),
    answer: (key) => answerButton(page, key).click(),
  };
}

/**
 * Uses only keys, and checks each stop: the focused element is visible, nothing covers it, it shows that it
 * has the focus, and no action drops the focus.
 */
export function keyboardHand(page: Page): Hand & { tabs: number } {
  let last = 'the start of the page';
  page.on('domcontentloaded', () => {
    last = '';
  });
  const hand = {
    tabs: 0,
    async press(target: Locator) {
      await reach(target);
      last = `Enter on ${String(target)}`;
      await page.keyboard.press('Enter');
    },
    async write(target: Locator, text: string) {
      await target.waitFor();
      // To the page's own text box, if it has one.
      if (!(await isInText(page))) await page.keyboard.press('/');
      await reach(target);
      last = `writing in ${String(target)}`;
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async choose(target: Locator, value: string) {
      await reach(target);
      await page.keyboard.press('Home');
      for (let times = 0; times < MOST_OPTIONS && (await target.inputValue()) !== value; times++)
        await page.keyboard.press('ArrowDown');
      assert.equal(await target.inputValue(), value);
    },
    async answer(key: AnswerKey) {
      await answerButton(page, key).waitFor();
      if (await isInText(page)) await page.keyboard.press('Escape'); // leaves the text box, as the guide says
      last = '';
      await page.keyboard.press(key);
    },
  };
  const reach = async (target: Locator) => {
    await target.waitFor();
    if (last !== '') assert.ok(await hasFocus(page), `${last} left the focus nowhere`);
    hand.tabs += await tabUntil(page, () => isFocused(target), { key: await keyTowards(target), look });
    await target.and(page.locator(':not(:disabled)')).waitFor();
  };
  const look = async () => assert.equal(await page.evaluate(faultOfStop), '');
  return hand;
}

const MOST_OPTIONS = 20;
const MOST_TABS = 80;

interface Tabbing {
  key?: string;
  /** Called at each stop. */
  look?: () => Promise<void>;
}

/** Presses Tab until the condition holds; returns how often. */
export async function tabUntil(
  page: Page,
  isThere: () => Promise<boolean>,
  { key = 'Tab', look }: Tabbing = {},
): Promise<number> {
  for (let pressed = 0; pressed < MOST_TABS; pressed++) {
    if (await isThere()) return pressed;
    await page.keyboard.press(key);
    await look?.();
  }
  throw new Error(`${MOST_TABS} times ${key} did not lead there`);
}

/** Returns the name or the text of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  });
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((node) => node === document.activeElement);
}

function isInText(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.matches('textarea, input') === true);
}

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement !== document.body);
}

/** Returns the key of the shorter way for a person who sees the page. */
function keyTowards(target: Locator): Promise<string> {
  return target.evaluate((node) => {
    const at = document.activeElement ?? document.body;
    const isBefore = node.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING;
    return at !== document.body && isBefore ? 'Shift+Tab' : 'Tab';
  });
}

/**
 * Returns the problem of the focused element; runs in the page. A text field shows its focus by the caret.
 */
function faultOfStop(): string {
  const at = document.activeElement;
  if (at === null || at === document.body) return '';
  const what = `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 60)}`;
  const { top, bottom, left, right } = at.getBoundingClientRect();
  const [y, x] = [(Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, (left + right) / 2];
  if (bottom <= 0 || top >= innerHeight || right <= left) return `${what} has the focus outside the window`;
  const hit = document.elementFromPoint(x, y);
  if (hit !== null && !at.contains(hit) && !hit.contains(at)) return `${what} has the focus below another`;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isShown = at.matches('textarea, input') || (outlineStyle !== 'none' && outlineWidth !== '0px');
  return isShown ? '' : `${what} doesn't show that it has the focus`;
}
