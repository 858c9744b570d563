import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { View } from './views.ts';

/** States of the frame without a URL. They change no data, and are the same in each language. */
export function frameScenes(workspaceId: string): View[] {
  const path = `/w/${workspaceId}/agent`;
  const ready = 'aside a[data-row]';
  return [
    { name: 'row-menu', path, ready, act: openRowMenu },
    { name: 'sharing', path, ready, act: openSharing },
    { name: 'not-found', path: `/w/${workspaceId}/nowhere`, ready, act: seeFrame },
    { name: 'phone', path, ready: 'main h1:visible', act: seePhone },
    { name: 'phone-menu', path, ready: 'main h1:visible', act: openPhoneMenu },
  ];
}

/** With the keyboard, Tab moves to one row and its menu, and the arrow keys to the other rows. */
async function openRowMenu(page: Page): Promise<void> {
  const rows = page.locator('aside a[data-row]');
  assert.equal(await page.locator('aside a[data-row][tabindex="0"]').count(), 1, 'one Tab stop');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await rows.nth(1).evaluate((row) => row === document.activeElement), true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
}

async function openSharing(page: Page): Promise<void> {
  await page.locator('aside li button').first().click();
  await page.locator('[role=menuitem]').nth(2).click();
  await page.locator('dialog li').first().waitFor();
}

async function seeFrame(page: Page): Promise<void> {
  await page.locator('main h2').waitFor();
}

async function seePhone(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  page.once('framenavigated', () => void (size && page.setViewportSize(size).catch(() => {})));
}

/** The current page has the focus, not a text box, because a phone's keyboard would cover the menu. */
async function openPhoneMenu(page: Page): Promise<void> {
  await seePhone(page);
  await page.locator('main').locator('xpath=preceding-sibling::header').getByRole('button').click();
  await page.locator('dialog [aria-current=page]:focus').waitFor();
}
