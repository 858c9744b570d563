import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makePdf } from '../../../support/samples/pdf.ts';
import { png } from '../../../support/samples/pictures.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const ASK = { name: /^Ask about/ };

/** Follows a new user: an empty folder, files, a question. The console never shows less than exists. */
async function visit(lane: Lane): Promise<void> {
  await inBrowser(lane, async (page) => {
    const workspaceId = await makeEmpty(page, lane.service.url);
    await addForty(page);
    await seeInChat(page, lane, workspaceId);
    await dropOnChat(page);
    await seeIndex(page);
    await openUnread(page);
    await askWithoutModel(page, lane, workspaceId);
    await lane.service.call('DELETE', `/api/workspaces/${workspaceId}`);
  });
}

async function makeEmpty(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill('forty');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.waitForURL(/\/files$/);
  await goToPage(page, 'Chat');
  await seen(page, 'No indexed files yet');
  await goToPage(page, 'Files');
  return /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
}

async function addForty(page: Page): Promise<void> {
  const notes = Array.from({ length: 36 }, (_, number) => ({
    name: `note-${number}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(
      `# Note ${number}\n\nSample ${number} of alumina was heated to ${900 + number} degrees.\n`,
    ),
  }));
  const picture = { mimeType: 'image/png', buffer: png(16, 9) };
  const pdf = (name: string, content: string | Uint8Array) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from(content),
  });
  await page
    .locator('input[type=file]')
    .setInputFiles([
      ...notes,
      { name: 'a.png', ...picture },
      { name: 'b.png', ...picture },
      pdf('scan.pdf', makePdf([''])),
      pdf('broken.pdf', 'not a PDF'),
    ]);
  await seen(page, '40 of 40 added');
  await seen(page, /36 can be asked about · 3 skipped · 1 unreadable/);
}

/** A file that arrives through the API also counts, as does a deletion. */
async function seeInChat(page: Page, { service }: Lane, workspaceId: string): Promise<void> {
  const file = { workspaceId, path: 'later.md' };
  await service.call('POST', '/api/files/write', { ...file, content: 'A later note about zirconia.' });
  await page.getByRole('link', { name: 'Ask about them' }).click();
  await seen(page, '37 files');
  await seen(page, 'What do you want to know?');
  assert.equal(await page.getByText('No indexed files yet').count(), 0);
  await service.call('DELETE', '/api/files/delete', file);
}

/** The text box has the focus, `/` restores it, and a file can be dropped anywhere. */
async function dropOnChat(page: Page): Promise<void> {
  const box = page.getByRole('textbox', ASK);
  const hasFocus = () => box.evaluate((element) => element === document.activeElement);
  assert.equal(await hasFocus(), true);
  await page.getByRole('group', { name: 'Conversation' }).focus();
  await page.keyboard.press('/');
  assert.deepEqual([await hasFocus(), await box.inputValue()], [true, '']);
  const fire = (type: string) =>
    page.getByRole('heading', { name: 'What do you want to know?' }).evaluate((element, name) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
      element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    }, type);
  await fire('dragover');
  await seen(page, 'Drop files anywhere to attach them');
  await fire('drop');
  await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
}

async function seeIndex(page: Page): Promise<void> {
  await goToPage(page, 'Index');
  await seen(page, '36 files can be asked about · 3 skipped · 1 unreadable');
  await seen(page, /^Checked /);
  assert.equal(await page.getByText('Up to date').count(), 0);
  assert.equal(await page.getByText('Unchanged').isVisible(), false);
}

/** A file that can be shown but not used for answers has a notice above its preview. */
async function openUnread(page: Page): Promise<void> {
  await goToPage(page, 'Files');
  await page.getByRole('treeitem', { name: /^a\.png/ }).click();
  await seen(page, /^No text, needs OCR\. It isn't in the index, so you can't ask about it\.$/);
  await page.getByRole('treeitem', { name: /^note-1\.md/ }).click();
  await page.getByRole('heading', { name: 'Note 1', exact: true }).waitFor();
  assert.equal(await page.getByText("It isn't in the index").count(), 0);
}

/** A question finds passages, which open like sources; a reload shows them again. */
async function askWithoutModel(page: Page, { service }: Lane, workspaceId: string): Promise<void> {
  await page.route('**/api/health', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), aiAvailable: false } });
  });
  await page.goto(`${service.url}/w/${workspaceId}/chat`);
  await seen(page, 'No model is connected.');
  await page.getByRole('textbox', ASK).fill('alumina 917 degrees');
  await page.keyboard.press('Enter');
  await seen(page, 'Passages for “alumina 917 degrees”');
  await page.reload();
  await page.getByRole('link', { name: /^Note 17\s*note-17\.md/ }).click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.locator('mark', { hasText: '917 degrees' }).first().waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.unroute('**/api/health');
}

export const indexState: ConsolePage = {
  name: 'what the index holds',
  isApart: true,
  visit,
  views: async () => [],
};
