import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

/**
 * With the keyboard only, opens a page and a conversation, and changes the theme. Closing it restores the
 * focus.
 */
export const palette: ConsolePage = {
  name: 'the palette and the side list',
  async visit(lane: Lane, workspaceId: string) {
    const { service } = lane;
    await inBrowser(lane, async (page) => {
      await page.goto(`${service.url}/w/${workspaceId}/chat`);
      const question = page.getByRole('textbox', { name: /Ask about/ });
      await listKeys(page);
      await question.focus();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search and commands' });
      await field.fill('index');
      await page.getByRole('option', { name: /^Index/ }).waitFor();
      await page.keyboard.press('Enter');
      await seen(page, /files can be asked about/);
      assert.equal(new URL(page.url()).pathname, `/w/${workspaceId}`);
      await page.keyboard.press('Control+k');
      await field.fill('dark');
      await page.getByRole('option', { name: /Dark/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('html[data-theme=dark]').waitFor();
      await page.goBack();
      await listKeys(page);
      await question.focus();
      await page.keyboard.press('Control+k');
      await field.fill('owls');
      await page.getByRole('option', { name: /Chat$/ }).first().waitFor();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('option', { name: 'Search the files for “owls”', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await seen(page, 'best match first');
      assert.equal(new URL(page.url()).search, '?q=owls');
      await page.goBack();
      await question.focus();
      await page.keyboard.press('Control+k');
      await field.fill('add files');
      await page.getByRole('option', { name: /^Add files/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Add files' }).waitFor();
      await page.goBack();
      await question.focus();
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      assert.ok(await question.evaluate((node) => node === document.activeElement));
      await openEveryGroup(page);
    });
  },
  views: async () => [],
};

/** `?` is text in a text field. Elsewhere, it opens the list of keys, which is also in the palette. */
async function listKeys(page: Page): Promise<void> {
  const question = page.getByRole('textbox', { name: /Ask about/ });
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await question.fill('');
  await question.press('?');
  assert.equal(await question.inputValue(), '?');
  await question.fill('');
  await question.blur();
  await page.keyboard.press('?');
  await keys.getByText('Go to the question').waitFor();
  await checkByAxe(page, 'the list of keys');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  assert.ok(await question.evaluate((node) => node === document.activeElement));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('shortcuts');
  await page.getByRole('option', { name: /^Keyboard shortcuts/ }).waitFor();
  await page.keyboard.press('Enter');
  await keys.getByRole('button', { name: 'Close' }).click();
}

/** With every group open, conversations and settings can still be reached. */
async function openEveryGroup(page: Page): Promise<void> {
  const nav = page.getByRole('navigation', { name: 'Workspace navigation' });
  await nav.getByRole('link', { name: 'Agent' }).click();
  assert.equal(await nav.locator('details[open]').count(), 0, 'a group is left open where nobody opened it');
  const closed = nav.locator('details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
  await page.getByRole('link', { name: 'New conversation' }).click({ timeout: 5_000 });
  const settings = await page.getByRole('link', { name: 'Settings' }).boundingBox();
  assert.ok(settings && settings.y + settings.height <= 900, `Settings end at ${JSON.stringify(settings)}`);
}
