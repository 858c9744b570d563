import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { png } from '../../../support/samples/pictures.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const ASK = { name: /^Ask about/ };

/**
 * Sends files with a question, from this computer and from the workspace, and expects them when the
 * conversation is opened again.
 */
async function visit(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.answer = () => 'I was told of it.';
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
    await attach(page);
    await page.getByRole('combobox', { name: 'Model' }).selectOption('fake-chat');
    await page.getByRole('textbox', ASK).fill('What is in these?');
    await page.keyboard.press('Enter');
    await seen(page, 'I was told of it.');
    await seen(page, /doesn't accept images/);
    await page.reload();
    await page.getByRole('img', { name: 'plot.png' }).waitFor();
    const bytes = await page.getByRole('img', { name: 'plot.png' }).getAttribute('src');
    assert.match(bytes ?? '', /^blob:/);
    const saved = page.waitForEvent('download');
    await page.getByTitle('Save owls.md').click();
    assert.equal((await saved).suggestedFilename(), 'owls.md');
  });
}

async function attach(page: Page): Promise<void> {
  const picker = page.locator('input[type=file][aria-label="Attach files"]');
  const picture = { name: 'plot.png', mimeType: 'image/png', buffer: png(160, 90) };
  await picker.setInputFiles([
    picture,
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    { name: 'gone.txt', mimeType: 'text/plain', buffer: Buffer.from('gone') },
  ]);
  await seen(page, "empty.txt wasn't attached, because it's empty.");
  await page.getByRole('button', { name: 'Remove gone.txt' }).click();
  await page.getByRole('button', { name: 'Attach a workspace file' }).click();
  await page.getByRole('treeitem', { name: /owls\.md/ }).click();
  const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Remove owls.md' }).waitFor();
  assert.equal(await chips.count(), 2);
  await paste(page);
  await page.getByRole('button', { name: 'Remove pasted.txt' }).click();
}

function paste(page: Page): Promise<void> {
  return page.getByRole('textbox', ASK).evaluate((box) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
}

export const chat: ConsolePage = { name: 'a question with files', visit, views: async () => [] };
