import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Memory } from '../../../../lib/memories/schema.ts';
import { spread } from '../hostile-texts.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

export const memoryPage: ConsolePage = {
  name: 'memory',
  async visit(lane, workspaceId) {
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Memory');
      await addFacts(page);
      await editBesideAnother(page, lane);
      await exportAndDelete(page);
      await saveFromChat(page, lane);
    });
  },
  async views(_lane, workspaceId) {
    return [{ name: 'memory', path: `/w/${workspaceId}/memory`, ready: 'main ul li' }];
  },
  async plant({ service }, workspaceId, texts) {
    const shown = texts.map((text) =>
      text.slice(0, 500).replaceAll(/[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, ' '),
    );
    for (const text of spread([...new Set(shown)], 20)) {
      if (text.trim() === '') continue;
      const path = `/api/memories?scope=workspace&workspaceId=${workspaceId}`;
      const { status, bytes } = await service.call('POST', path, { text });
      assert.equal(status, 201, bytes.toString());
    }
    return [{ name: 'memory', path: `/w/${workspaceId}/memory`, ready: 'main ul li' }];
  },
};

const card = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name }) });

async function addFacts(page: Page): Promise<void> {
  const own = card(page, 'Your facts');
  await own.getByText('No facts yet').waitFor();
  await own.getByLabel('New fact').fill('I use  SI units.');
  await page.reload();
  assert.equal(await own.getByLabel('New fact').inputValue(), 'I use  SI units.');
  await own.getByRole('button', { name: 'Add fact' }).click();
  await own.getByRole('listitem').filter({ hasText: 'I use SI units.' }).waitFor();
  assert.equal(await own.getByLabel('New fact').inputValue(), '');
  const common = card(page, 'Facts of this workspace');
  await common.getByLabel('New fact').fill('Site B is the tower on the north ridge.');
  await common.getByRole('button', { name: 'Add fact' }).click();
  await common.getByRole('listitem').filter({ hasText: 'Site B' }).waitFor();
}

/** Another tab saves first: its text isn't overwritten. */
async function editBesideAnother(page: Page, { service }: Lane): Promise<void> {
  const own = card(page, 'Your facts');
  const dialog = page.getByRole('dialog');
  await own.getByRole('button', { name: 'Edit fact' }).click();
  await dialog.getByLabel('Fact').fill('I use feet.');
  const { body } = await service.call<Memory[]>('GET', '/api/memories?scope=person');
  await service.call('PATCH', `/api/memories/${body[0]?.id}`, { text: 'I use meters.' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await seen(page, /^This fact was changed at/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await own.getByRole('listitem').filter({ hasText: 'I use meters.' }).waitFor();
  await own.getByRole('button', { name: 'Edit fact' }).click();
  await dialog.getByLabel('Fact').fill('I use SI units.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await own.getByRole('listitem').filter({ hasText: 'I use SI units.' }).waitFor();
}

async function exportAndDelete(page: Page): Promise<void> {
  const own = card(page, 'Your facts');
  const download = page.waitForEvent('download');
  await own.getByRole('button', { name: 'Export facts' }).click();
  assert.equal((await download).suggestedFilename(), 'memory-person.json');
  await own.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await own.getByText('No facts yet').waitFor();
}

/** The question becomes a fact after an edit, and the next answer counts it. */
async function saveFromChat(page: Page, { provider }: Lane): Promise<void> {
  provider.answer = () => 'Owls hunt at night.';
  await goToPage(page, 'Chat');
  const box = page.getByRole('textbox', { name: 'Ask about the files in this workspace' });
  await box.fill('I use SI units. When do owls hunt?');
  await box.press('Enter');
  await seen(page, '1 workspace fact given to the model');
  await page.getByRole('button', { name: 'Save as fact' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('Fact').inputValue(), 'I use SI units. When do owls hunt?');
  await dialog.getByLabel('Fact').fill('I use SI units.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Fact saved' }).waitFor();
  await box.fill('And what do they eat?');
  await box.press('Enter');
  await seen(page, '1 personal fact given to the model · 1 workspace fact given to the model');
}
