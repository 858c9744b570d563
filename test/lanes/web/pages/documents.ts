import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makePdf } from '../../../support/samples/pdf.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const PATH = 'fulltext-1.pdf';
const TITLE = 'Night hunting of barn owls in rice fields';
const NAME = 'literature';

/** Looks up the title of a file, corrects it, and copies an answer that cites it by key. */
export const documentsPage: ConsolePage = {
  name: 'documents',
  async visit(lane) {
    const workspaceId = await plantPaper(lane);
    await inBrowser(lane, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${lane.service.url}/w/${workspaceId}/files?path=${PATH}`);
      await lookUp(page);
      await giveBack(page);
      await ask(page, lane, workspaceId);
      await copyCited(page);
    });
  },
  async views(lane) {
    const { service } = lane;
    const id = await idOf(lane);
    const { body: chats } = await service.call<{ id: string }[]>(
      'GET',
      `/api/conversations?workspaceId=${id}`,
    );
    const open = (name: RegExp) => async (page: Page) => {
      await page.getByRole('button', { name }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Save|保存)/ })
        .first()
        .waitFor();
    };
    return [
      {
        name: 'document-details',
        path: `/w/${id}/files?path=${PATH}`,
        ready: `text=${TITLE}`,
        act: open(/^(Details|详情)$/),
      },
      {
        name: 'document-cited',
        path: `/w/${id}/chat/${chats[0]?.id}`,
        ready: 'article a[href*=source]',
        act: open(/Copy with citations|连同引用复制/),
      },
    ];
  },
  async plant(lane, _workspaceId, texts) {
    const id = await idOf(lane);
    await correct(lane, id, texts);
    return [{ name: 'documents', path: `/w/${id}/files?path=${PATH}`, ready: 'main h2 span + span' }];
  },
};

/** Corrects the file's title, authors, and tags to malicious texts. */
async function correct({ service }: Lane, workspaceId: string, texts: string[]): Promise<void> {
  const lines = texts.filter((text) => /\p{L}/u.test(text)).map((text) => text.slice(0, 400));
  const path = `/api/workspaces/${workspaceId}/documents/${PATH}`;
  const body = { title: lines[0], authors: lines.slice(0, 100), tags: lines.slice(100, 150) };
  const { status, bytes } = await service.call('PATCH', path, body);
  assert.equal(status, 200, bytes.toString());
}

async function idOf({ service }: Pick<Lane, 'service'>): Promise<string> {
  const { body: all } = await service.call<{ id: string; name: string }[]>('GET', '/api/workspaces');
  return all.find(({ name }) => name === NAME)?.id ?? '';
}

async function plantPaper({ service, papers }: Lane): Promise<string> {
  const { id, root } = await makeWorkspace(service, NAME);
  const paper = {
    ...{ title: TITLE, authors: ['Ann Sand', 'Ben Hill'], published: '2020-01-05T00:00:00Z' },
    ...{ doi: '10.1000/owls.1', venue: 'Journal of Raptor Research' },
  };
  papers.faults.openalex = ['none'];
  papers.papers.openalex = [paper];
  await writeFile(join(root, PATH), makePdf(['Barn owls hunt at night in rice fields.']));
  await syncWorkspace(service, id);
  return id;
}

const dialog = (page: Page) => page.getByRole('dialog');

/** What was found is shown next to what is there, and nothing is saved before. */
async function lookUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Details' }).click();
  await dialog(page).getByLabel('DOI or arXiv ID').fill('owls');
  await dialog(page).getByRole('button', { name: 'Look up' }).click();
  await dialog(page).getByRole('alert').waitFor();
  await dialog(page).getByLabel('DOI or arXiv ID').fill('https://doi.org/10.1000/owls.1');
  await dialog(page).getByRole('button', { name: 'Look up' }).click();
  await dialog(page).getByText('Journal of Raptor Research').waitFor();
  await checkByAxe(page, 'a document that was looked up');
  await dialog(page).getByRole('button', { name: 'Use Title' }).click();
  assert.equal(await dialog(page).getByLabel('Title', { exact: true }).inputValue(), TITLE);
  await dialog(page).getByRole('button', { name: 'Use all' }).click();
  await seen(page, 'The record agrees with the fields below.');
  await dialog(page).getByLabel('Authors').fill('Ann Sand\nBen Hill\nConstructor');
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: TITLE }).waitFor();
}

/** A corrected field is marked, and returns to what the file states. */
async function giveBack(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: 'Details' }).click();
  await seen(page, `Corrected. Original: ${PATH}`);
  await dialog(page).getByText('Corrected. There was no value.').first().waitFor();
  await dialog(page).getByLabel('Year').fill('2021');
  const authors = dialog(page)
    .locator('div', { has: page.getByLabel('Authors') })
    .last();
  await authors.locator('..').getByRole('button', { name: 'Undo correction' }).first().click();
  await seen(page, 'Undone when you save.');
  await dialog(page).getByRole('button', { name: 'Use all' }).waitFor({ state: 'detached' });
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function ask(page: Page, { service, provider }: Lane, workspaceId: string): Promise<void> {
  provider.answer = () => 'Barn owls hunt at night in rice fields. [1]';
  await page.goto(`${service.url}/w/${workspaceId}/chat`);
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('When do barn owls hunt?');
  await page.keyboard.press('Enter');
  const card = page.getByRole('article', { name: 'Answer' }).getByRole('listitem').filter({ hasText: PATH });
  await card.getByText(TITLE).waitFor();
  await card.getByRole('link').first().click();
  await page.getByRole('region', { name: 'Source' }).getByRole('button', { name: 'Details' }).click();
  assert.equal(await dialog(page).getByLabel('Year').inputValue(), '2021');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
}

async function copyCited(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy with citations' }).click();
  await dialog(page).getByText('rice fields. [@2021night, p. 1]').waitFor();
  await checkByAxe(page, 'a copy with citations');
  await dialog(page).getByLabel('Citation style').fill('../evil');
  await seen(page, 'A name has lower-case letters, digits, and hyphens.');
  await dialog(page).getByLabel('Citation style').fill('nature');
  await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^---\ncsl: "https:\/\/www\.zotero\.org\/styles\/nature"\n/);
  assert.match(copied, /"DOI":"10\.1000\/owls\.1"/);
  const saved = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save BibTeX' }).click();
  assert.equal((await saved).suggestedFilename(), 'references.bib');
}
