import assert from 'node:assert/strict';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { Room } from './all-rooms.ts';

/** By keys alone: to a room, to a conversation, to another theme; closed it leaves the focus where it was. */
export const palette: Room = {
  name: 'the palette',
  async visit(lane: Lane, workspaceId: string) {
    const { service } = lane;
    await inBrowser(lane, async (page) => {
      await page.goto(`${service.url}/w/${workspaceId}/chat`);
      const question = page.getByRole('textbox', { name: /Ask about/ });
      await question.focus();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Go to, find, do' });
      await field.fill('index');
      await page.getByRole('option', { name: /^Index/ }).waitFor();
      await page.keyboard.press('Enter');
      await seen(page, 'Up to date');
      assert.equal(new URL(page.url()).pathname, `/w/${workspaceId}`);
      await page.keyboard.press('Control+k');
      await field.fill('dark');
      await page.getByRole('option', { name: /Dark/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('html[data-theme=dark]').waitFor();
      await page.goBack();
      await question.focus();
      await page.keyboard.press('Control+k');
      await field.fill('owls');
      await page.getByRole('option', { name: /Chat$/ }).first().waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      assert.ok(await question.evaluate((node) => node === document.activeElement));
    });
  },
  views: async () => [],
};
