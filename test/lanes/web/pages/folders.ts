import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Service, startService } from '../../../support/service.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const TITLE = { name: 'Use existing folder' };

/** A person's own folder becomes a workspace, chosen from the list with the mouse or the keyboard. */
async function visit({ browser }: Lane): Promise<void> {
  const base = await tempFolder();
  const code = join(base, 'code');
  await mkdir(join(code, 'surveys/2025'), { recursive: true });
  await mkdir(join(code, 'notes'));
  await mkdir(join(base, 'private/secret'), { recursive: true });
  await symlink(join(base, 'private'), join(code, 'linked'));
  await writeFile(join(code, 'notes/owls.md'), '# Owls\n');
  const service = await startService({
    CONSOLE: 'on',
    WORKSPACE_ROOTS: [join(base, 'workspaces'), code].join(','),
  });
  await inBrowser({ browser, service }, (page) => chooseByPointer(page, service, code));
  await inBrowser({ browser, service }, (page) => chooseByKeyboard(page, service, code), { theme: 'dark' });
  await inBrowser({ browser, service }, (page) => allow(page, service, join(base, 'private')));
  await service.stop();
}

/** The first page names the roots; a refused path leads to the setting, and creates nothing. */
async function chooseByPointer(page: Page, { url, root }: Service, code: string): Promise<void> {
  await page.goto(url);
  await seen(page, `Existing folders can be used inside ${root} and ${code}.`);
  await page.getByRole('button', TITLE).click();
  const dialog = page.getByRole('dialog', TITLE);
  await open(dialog, code);
  assert.equal(await dialog.getByRole('button', { name: 'linked' }).count(), 0);
  await checkByAxe(page, 'the list of folders');
  await send(dialog, '/etc');
  await dialog.getByText('Allow other folders in the settings').waitFor();
  assert.deepEqual(await readdir(root), []);
  await open(dialog, 'notes');
  await dialog.getByText('No folders here.').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), join(code, 'notes'));
  await dialog.getByRole('button', { name: 'Use folder' }).click();
  await page.waitForURL(/\/files$/);
  await seen(page, 'owls.md');
}

/** Opening a folder moves the focus to its name, so Tab reaches its first folder. */
async function chooseByKeyboard(page: Page, { url }: Service, code: string): Promise<void> {
  const dialog = await openDialog(page, url);
  await dialog.getByRole('button', { name: code }).focus();
  await page.keyboard.press('Enter');
  const heading = dialog.getByRole('heading', { name: `Folders in ${code}` });
  await heading.waitFor();
  assert.ok(await heading.evaluate((element) => element === document.activeElement));
  await dialog.getByRole('status').getByText('2 folders').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'notes' }).getByText('Workspace').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), ''); // it contains a workspace
  await checkByAxe(page, 'the list of folders with a workspace');
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await dialog.getByRole('heading', { name: `Folders in ${join(code, 'surveys')}` }).waitFor();
  await dialog.getByRole('button', { name: 'Open parent folder' }).click();
  await heading.waitFor();
  await send(dialog, join(code, 'surveys'));
  await page.waitForURL(/\/files$/);
}

/** Allows a folder after a warning, uses it, and doesn't remove it while a workspace is in it. */
async function allow(page: Page, { url }: Service, folder: string): Promise<void> {
  await send(await openDialog(page, url), folder);
  await page.getByRole('link', { name: 'Allow other folders in the settings' }).click();
  await page.getByText('From WORKSPACE_ROOTS').first().waitFor();
  await allowInSettings(page, '/etc');
  const warning = page.getByRole('dialog', { name: 'Allow this folder?' });
  await warning.getByRole('alert').waitFor();
  await warning.getByRole('button', { name: 'Cancel' }).click();
  await allowInSettings(page, folder);
  await page.getByText('Added here').waitFor();
  await checkByAxe(page, 'the allowed folders');
  await send(await openDialog(page, url), join(folder, 'secret'));
  await page.waitForURL(/\/files$/);
  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: `Remove ${folder}` }).click();
  const question = page.getByRole('dialog', { name: 'Remove this folder?' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('alert').waitFor();
}

async function openDialog(page: Page, url: string): Promise<Locator> {
  await page.goto(url);
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByRole('dialog').getByRole('button', TITLE).click();
  return page.getByRole('dialog', TITLE);
}

async function allowInSettings(page: Page, folder: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Folder to allow' }).fill(folder);
  await page.getByRole('button', { name: 'Allow folder' }).click();
  const warning = page.getByRole('dialog', { name: 'Allow this folder?' });
  await warning.getByText(`all files in ${folder}`).waitFor();
  await warning.getByRole('button', { name: 'Allow folder' }).click();
}

async function open(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('button', { name, exact: true }).click();
}

async function send(dialog: Locator, path: string): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(path);
  await dialog.getByRole('button', { name: 'Use folder' }).click();
}

export const foldersPage: ConsolePage = { name: 'folders', isApart: true, visit, views: async () => [] };
