import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { syncWorkspace } from '../../support/sync.ts';
import { focusedName, tabUntil } from './hands.ts';
import { goToPage, inBrowser, type Lane, seen } from './lane.ts';

const OWLS = `# Owls

Owls hunt at night. Their feathers make no sound, because the leading edge is combed.

## Hearing

The barn owl finds a mouse by its ears alone: one ear stands higher than the other.
`;
const WEIGHTS = 'name,night,grams\nbarn owl,yes,360\n"eagle owl, European",yes,2600\nkestrel,no,180\n';

/**
 * Creates a workspace, adds files, asks, opens cited sources; then the actions on a conversation. Returns the
 * workspace.
 */
export async function doMainJob(lane: Lane): Promise<string> {
  return inBrowser(lane, async (page) => {
    const workspaceId = await makeWorkspace(page, lane.service.url);
    await addFiles(page);
    await ask(page, workspaceId, lane);
    await openSource(page);
    await reloadMidAnswer(page, lane);
    await editAndStop(page, lane);
    await changeConversation(page);
    await seeStale(page, lane, workspaceId);
    return workspaceId;
  });
}

async function makeWorkspace(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Use existing folder' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill('library');
  await page.getByRole('button', { name: 'Use folder' }).click();
  await page.getByRole('button', { name: 'Create folder' }).click();
  await page.waitForURL(/\/files$/);
  return /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
}

async function addFiles(page: Page): Promise<void> {
  const files = [
    { name: 'owls.md', mimeType: 'text/markdown', buffer: Buffer.from(OWLS) },
    { name: 'weights.csv', mimeType: 'text/csv', buffer: Buffer.from(WEIGHTS) },
  ];
  await page.locator('input[type=file]').setInputFiles(files);
  await seen(page, '2 of 2 added');
  await page.getByRole('treeitem', { name: /weights\.csv/ }).click();
  await page.getByRole('cell', { name: 'eagle owl, European' }).waitFor();
  await page.goBack();
}

async function ask(page: Page, workspaceId: string, { service, provider }: Lane): Promise<void> {
  await syncWorkspace(service, workspaceId);
  await goToPage(page, 'Index');
  await seen(page, '2 files can be asked about');
  provider.answer = (request) => {
    const prompt = JSON.stringify(request.messages.at(-1)?.content);
    const number = /number=\\"(\d+)\\" file=\\"owls.md\\"/.exec(prompt)?.[1] ?? '1';
    return `Owls hunt **at night**. [${number}] Their feathers are combed.\n\n![a picture](https://away.example/p.png?secret)\n\n<b>bold</b>`;
  };
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('When do owls hunt?');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Source 1: owls\.md, quote found/i }).waitFor();
  await seen(page, '<b>bold</b>');
  await seen(page, '(away.example)');
  assert.equal(await page.locator('article img').count(), 0);
}

async function openSource(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Source 1:/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  assert.match((await panel.locator('mark').first().textContent()) ?? '', /hunt at night/);
  assert.match(page.url(), /source=/);
  await page.goBack();
  await panel.waitFor({ state: 'detached' });
}

/** The answer continues without its reader, who finds it again with the draft of the next question. */
async function reloadMidAnswer(page: Page, { provider }: Lane): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['The first half, ', 'and the second half.'];
  provider.beforePiece = async (number) => (number === 1 ? promise : undefined);
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  await box.fill('And again?');
  await box.press('Enter');
  await seen(page, 'The first half');
  await box.fill('not sent yet');
  await page.reload();
  await seen(page, 'The first half');
  assert.equal(await box.inputValue(), 'not sent yet');
  resolve();
  await seen(page, 'and the second half.');
  provider.beforePiece = undefined;
  await box.fill('');
}

async function editAndStop(page: Page, { provider }: Lane): Promise<void> {
  provider.answer = () => 'Another answer.';
  await page.getByRole('button', { name: 'Edit question' }).last().click();
  await page.getByRole('textbox', { name: 'Edit question' }).fill('And otherwise?');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await seen(page, 'Another answer.');
  await page.getByText('and the second half.').waitFor({ state: 'detached' });
  provider.answer = () => 'Made again.';
  await page.getByRole('article').last().getByRole('button', { name: 'Regenerate' }).click();
  await seen(page, 'Made again.');
  // Enter sends nothing before the answer has ended.
  await page.getByRole('button', { name: 'Send' }).waitFor();
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['It begins ', 'and never ends.'];
  provider.beforePiece = async (number) => (number === 1 ? promise : undefined);
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  await box.fill('Long?');
  await box.press('Enter');
  await seen(page, 'It begins');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  resolve();
  provider.beforePiece = undefined;
}

async function changeConversation(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: 'Conversations' });
  const menu = async (item: string) => {
    await list
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await menu('Rename');
  await page.getByRole('textbox', { name: 'Name' }).fill('Of owls');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await list.getByRole('link', { name: 'Of owls' }).waitFor();
  await menu('Pin');
  await list.getByRole('img', { name: 'Pinned' }).waitFor();
  await menu('Share');
  await shareInDialog(page);
  await list.getByRole('img', { name: 'Shared with the workspace' }).waitFor();
  await list.getByRole('searchbox').fill('nobody-said-this');
  await seen(page, 'No matching conversations');
  await list.getByRole('searchbox').fill('owls');
  await list.getByRole('link', { name: 'Of owls' }).waitFor();
  await list.getByRole('searchbox').fill('');
}

/**
 * Nothing is shared before the person has seen with whom. Afterward, the dialog reports the sharing, and can
 * stop it.
 */
async function shareInDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Shar(e|ing of) “Of owls”/ });
  await dialog.getByText(/^Everyone who can use this service/).waitFor();
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  await dialog
    .getByRole('status')
    .getByText(/^Shared\./)
    .waitFor();
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await dialog.getByRole('status').getByText('No longer shared.').waitFor();
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  await dialog
    .getByRole('status')
    .getByText(/^Shared\./)
    .waitFor();
  const url = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  assert.match(url, /\/w\/[^/]+\/chat\/[^/]+$/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Checks that the citation of a file that changed after it was indexed reports the change, and looks
 * different from others.
 */
async function seeStale(page: Page, { service, provider }: Lane, workspaceId: string): Promise<void> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  await writeFile(join(body.rootPath, 'owls.md'), `${OWLS}\nA line more.\n`);
  provider.answer = (request) => {
    const prompt = JSON.stringify(request.messages.at(-1)?.content);
    return `Still at night. [${/number=\\"(\d+)\\" file=\\"owls.md\\"/.exec(prompt)?.[1] ?? '1'}]`;
  };
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  await box.fill('When do owls hunt now?');
  await box.press('Enter');
  await page
    .getByRole('link', { name: /^Source \d+: owls\.md, .*file changed/i })
    .last()
    .click();
  await seen(page, /^The file has changed since/);
}

/** Navigates from the start of the page to the source of an answer, and back, without a mouse. */
export async function useKeyboardAlone(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.answer = () => 'By keyboard. [1]';
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
    await page.getByRole('textbox', { name: /^Ask about/ }).waitFor();
    await tabTo(page, /^Ask about/);
    await page.keyboard.type('When do owls hunt?');
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: /^Source 1:/ })
      .first()
      .waitFor();
    await page.keyboard.press('Home');
    await tabTo(page, /^Source 1:/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Source', exact: true });
    await panel.waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H2');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      /^Source 1:/.test(document.activeElement?.getAttribute('aria-label') ?? ''),
    );
  });
}

/** Presses Tab, then until the focused element has that name. */
export async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  await page.keyboard.press(key);
  const isThere = async () => name.test(await focusedName(page));
  await tabUntil(page, isThere, { key });
}
