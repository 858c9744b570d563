import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillLibrary, zoteroKey } from '../../../support/fakes/fake-zotero.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const OWL = 'sources/Zotero/Birds 0/Owl 0.pdf';

export const sourcesPage: ConsolePage = {
  name: 'sources',
  async visit(lane, workspaceId) {
    fillLibrary(lane.zotero, 12);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Files');
      await connect(page, lane);
      await meetConflict(page, lane, workspaceId);
      await schedule(page);
      await refuseFolder(page);
    });
  },
  async views(_lane, workspaceId) {
    const path = `/w/${workspaceId}/sources`;
    return [
      { name: 'sources', path, ready: 'main section h2' },
      { name: 'sources-new', path: `${path}?add=zotero`, ready: 'dialog input' },
      { name: 'sources-webdav', path: `${path}?add=webdav`, ready: 'dialog input' },
      { name: 'sources-s3', path: `${path}?add=s3`, ready: 'dialog input' },
    ];
  },
  async plant({ zotero }, workspaceId, texts) {
    for (const [place, text] of texts.entries())
      zotero.putFile(zoteroKey('X', place), { filename: text, title: text }, makePdf([`Text ${place}.`]));
    return [{ name: 'sources', path: `/w/${workspaceId}/sources`, ready: 'main section h2' }];
  },
};

const run = (page: Page) => page.locator('main section').filter({ hasText: 'Library of ann' });

/** Three clicks and the key. */
async function connect(page: Page, { zotero }: Lane): Promise<void> {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Connect Zotero' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('API key').fill('WrongKey1234567');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await seen(page, /refused the request/);
  await dialog.getByLabel('API key').fill(zotero.apiKey);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await run(page).getByText('Up to date').waitFor();
  await run(page).getByText('History').click();
  await run(page).getByText('15 new').waitFor();
}

async function meetConflict(page: Page, { service, zotero }: Lane, workspaceId: string): Promise<void> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  await writeFile(join(body.rootPath, OWL), 'my remarks');
  zotero.putFile(zoteroKey('F', 0), {}, makePdf(['Another version.']));
  await run(page).getByRole('button', { name: 'Sync' }).click();
  await run(page).getByText('1 conflict').first().waitFor();
  await run(page).getByRole('link', { name: 'Owl 0 (source).pdf' }).waitFor();
  assert.equal(await readFile(join(body.rootPath, OWL), 'utf8'), 'my remarks');
}

async function schedule(page: Page): Promise<void> {
  await run(page).getByLabel('Schedule').selectOption('Every day');
  await page.reload();
  await run(page).getByText('Up to date').waitFor();
  assert.equal(await run(page).getByLabel('Schedule').inputValue(), '0 5 * * *');
}

/** The menu of other kinds, and an address that no administrator allows. */
async function refuseFolder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect another source' }).click();
  await page.getByRole('menuitem', { name: 'Connect WebDAV' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL of the folder').fill('https://127.0.0.1/dav');
  await dialog.getByLabel('User name').fill('ann');
  await dialog.getByLabel('Password').fill('owl secret');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await seen(page, /private address/);
}
