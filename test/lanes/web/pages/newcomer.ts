import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startFakeOpenai } from '../../../support/fakes/fake-openai.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { png } from '../../../support/samples/pictures.ts';
import { type Service, startService } from '../../../support/service.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { checkFirstLoad } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const ASK = { name: /^Ask about/ };
const QUESTION = 'What do marmots do when an eagle comes?';

/**
 * Checks for contradictions that confused a newcomer: from files without a model to an answer, no page
 * contradicts another.
 */
async function visit({ browser }: Lane): Promise<void> {
  const [provider, service] = await Promise.all([
    startFakeOpenai({ paceMs: 2 }),
    startService({ CONSOLE: 'on' }),
  ]);
  await inBrowser({ browser, service }, (page) => checkFirstLoad(page, service.url), { language: 'zh-CN' });
  await inBrowser({ browser, service }, async (page) => {
    await checkFirstLoad(page, service.url);
    await useFolder(page, service);
    await addUnnamed(page, service.url);
    const id = /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await compareFigures(page);
    await openUnreadable(page);
    await askWithout(page);
    await connect(page, provider.url);
    await askAgain(page);
    await reindex(page, `${service.url}/w/${id}`);
    await openUnknown(page, `${service.url}/w/${id}/chat/chat-of-someone-else`);
    await openExample(page, service.url);
  });
  await Promise.all([service.stop(), provider.stop()]);
}

/**
 * A folder outside the roots, a folder in shell notation, and a missing one. Nothing is created before a
 * question.
 */
async function useFolder(page: Page, { url, root }: Service): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Use existing folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use existing folder' });
  const send = async (folder: string) => {
    await dialog.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await dialog.getByRole('button', { name: 'Use folder' }).click();
  };
  for (const folder of ['/home/me/code/myrepo', '../outside']) {
    await send(folder);
    await dialog.getByRole('alert').getByText(`A workspace must be inside ${root}.`).waitFor();
  }
  await send('~/code/other');
  await dialog.getByRole('alert').getByText('without ~').waitFor();
  for (const folder of ['absent', '$HOME/code']) {
    await send(folder);
    await dialog.getByText("This folder doesn't exist.").waitFor();
    await dialog.getByRole('button', { name: 'Create folder' }).waitFor();
  }
  assert.deepEqual(await readdir(root), []);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

/** Loose files have no common name, so a name is suggested, and another can be entered. */
async function addUnnamed(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const picker = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  const file = (name: string, content: string | Uint8Array) => ({
    ...{ name, mimeType: 'application/octet-stream' },
    buffer: Buffer.from(content),
  });
  await (await picker).setFiles([
    file('marmots.md', '# Marmots\n\nMarmots whistle when an eagle comes.\n'),
    file('empty.txt', ''),
    file('photo.png', png(16, 9)),
    file('scan.pdf', makePdf([''])),
    file('broken.docx', 'PK not a ZIP'),
  ]);
  await seen(page, 'This workspace is named “My files”.');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Field notes');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary').getByText('Field notes').waitFor();
  assert.equal(await page.getByText('This workspace is named').count(), 0);
  await seen(page, '5 of 5 added');
}

/** The same files are described in the same words after an upload, on the index page, and above a chat. */
async function compareFigures(page: Page): Promise<void> {
  await seen(page, /1 can be asked about · 3 skipped · 1 unreadable/);
  await page.getByRole('link', { name: 'See why' }).click();
  await seen(page, '1 file can be asked about · 3 skipped · 1 unreadable');
  const reasonOf = (name: string, reason: RegExp) =>
    page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: reason }).waitFor();
  await reasonOf('empty.txt', /Empty/);
  await reasonOf('photo.png', /No text, needs OCR/);
  await reasonOf('scan.pdf', /No text, needs OCR/);
  await page.getByRole('link', { name: 'Install OCR' }).waitFor();
  await goToPage(page, 'Chat');
  await page.getByRole('link', { name: '4 skipped or unreadable' }).click();
  await page.getByRole('heading', { name: /^Unreadable files/ }).waitFor();
}

async function openUnreadable(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'broken.docx' }).click();
  await seen(page, "This file can't be displayed");
  await seen(page, /It isn't in the index, so you can't ask about it/);
}

/** Without a model, no suggestion needs more than search. */
async function askWithout(page: Page): Promise<void> {
  await goToPage(page, 'Chat');
  await seen(page, 'No model is connected.');
  await page.getByRole('button', { name: 'Marmots', exact: true }).waitFor();
  assert.equal(await page.getByText('What does marmots.md conclude?').count(), 0);
  await page.getByRole('textbox', ASK).fill(QUESTION);
  await page.keyboard.press('Enter');
  await seen(page, `Passages for “${QUESTION}”`);
  await seen(page, 'marmots.md');
  await limitToPhoto(page);
}

/** The passages come only from the chosen files, even without a model. */
async function limitToPhoto(page: Page): Promise<void> {
  const passage = page.getByRole('listitem').filter({ hasText: 'Marmots whistle' });
  await passage.first().waitFor();
  await page.getByRole('button', { name: 'All files' }).click();
  await page.getByRole('treeitem', { name: 'photo.png' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await passage.first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove photo.png' }).click();
  await passage.first().waitFor();
}

/** A URL without a scheme is reported before it is sent. A URL of this host needs no scheme. */
async function connect(page: Page, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Connect a model' }).first().click();
  await page.getByRole('button', { name: /^OpenAI/ }).click();
  await page.getByLabel('Base URL').fill('gpu-box:8000');
  await seen(page, 'Begin with http:// or https://.');
  await page.getByLabel('Base URL').fill(url.replace('http://', ''));
  await page.getByRole('button', { name: 'Test' }).click();
  await seen(page, /^The connection works/);
  await page.getByLabel('Model for answers').selectOption('fake-chat');
  // A self-hosted server is used for vectors only if a person names a model.
  const embedding = page.getByLabel('Semantic search');
  assert.equal(await embedding.inputValue(), '');
  await embedding.selectOption('fake-embedding');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await seen(page, 'The model is connected.');
}

/** The question waits in the text box, and is no longer in the URL. */
async function askAgain(page: Page): Promise<void> {
  await page.getByRole('status').getByRole('link', { name: 'Back to your question' }).click();
  const box = page.getByRole('textbox', ASK);
  await box.waitFor();
  await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, QUESTION);
  assert.ok(!page.url().includes('q='), page.url());
  await seen(page, 'What does marmots.md conclude?');
  await box.press('Enter');
  await page
    .getByRole('link', { name: /^Source \d+: marmots\.md/ })
    .first()
    .click();
  await readFormatted(page);
  await page.getByRole('button', { name: 'Keep' }).click();
  await seen(page, 'Saved as a note. Everyone in this workspace can read it.');
}

/** The quote is also highlighted in the rendered text, and the button names the other view. */
async function readFormatted(page: Page): Promise<void> {
  const source = page.getByRole('region', { name: 'Source', exact: true });
  await source.locator('mark').first().waitFor();
  await source.getByRole('button', { name: 'View formatted' }).click();
  await source.getByRole('group').getByRole('heading', { name: 'Marmots', exact: true }).waitFor();
  await page.waitForFunction(() => [...(CSS.highlights.get('quote') ?? [])].join('').includes('whistle'));
  await source.getByRole('button', { name: 'View as text' }).click();
  await source.locator('mark').first().waitFor();
  await page.keyboard.press('Escape');
}

/** The notice names the solution, and so does the index page. */
async function reindex(page: Page, workspace: string): Promise<void> {
  const notice = page.getByText('Keyword search only. Re-index the workspace to use semantic search.');
  await notice.first().waitFor();
  await goToPage(page, 'Index');
  await notice.first().waitFor();
  await page.goBack();
  await page.getByRole('article').getByRole('button', { name: 'Re-index' }).click();
  await page.goto(workspace);
  await seen(page, /1 file can be asked about/);
  await notice.first().waitFor({ state: 'detached' });
}

async function openUnknown(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await seen(page, "It isn't shared with you, or it doesn't exist.");
  assert.equal(await page.getByRole('textbox', ASK).count(), 0);
}

/** If a workspace exists, the example is still offered. It opens at its first question. */
async function openExample(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Open the example' }).click();
  await seen(page, 'Written for this example: no model was asked.');
  const pane = page.getByRole('group', { name: 'Conversation', exact: true });
  const { top, room } = await pane.evaluate(({ scrollTop, scrollHeight, clientHeight }) => {
    return { top: scrollTop, room: scrollHeight - clientHeight };
  });
  assert.ok(room > 0, 'the example fits into the window');
  assert.equal(top, 0);
}

export const newcomer: ConsolePage = {
  name: 'what a newcomer doubts',
  isApart: true,
  visit,
  views: async () => [],
};
