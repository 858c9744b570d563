import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Note } from '../../../../lib/notes/schema.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

export const notesPage: ConsolePage = {
  name: 'notes',
  async visit(lane, workspaceId) {
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Notes');
      await writeOne(page);
      await editBesideAnother(page, lane);
      await haveOneWritten(page, lane);
      await haveReport(page, lane);
      await find(page);
      await deleteOne(page, lane);
    });
  },
  async views(lane, workspaceId) {
    const { body } = await lane.service.call<Note[]>(
      'GET',
      `/api/notes?workspaceId=${workspaceId}&type=summary`,
    );
    const base = `/w/${workspaceId}/notes`;
    return [
      { name: 'notes', path: base, ready: 'main ul a' },
      { name: 'note', path: `${base}/${body[0]?.id}?source=note.1`, ready: 'mark' },
      { name: 'note-edit', path: `${base}/${body[0]?.id}/edit`, ready: 'textarea' },
    ];
  },
  async plant({ service }, workspaceId, texts) {
    const content = texts.join('\n\n').replaceAll('\0', '');
    const base = `/w/${workspaceId}/notes`;
    const made = await service.call<Note>('POST', '/api/notes', { workspaceId, title: texts[0], content });
    const sources = `Said [1].\n\n## Sources\n\n- [1] \`<img src=x onerror=pwned=1>\`, page <b>, line 1\n  > ${texts[1]}`;
    const cited = await service.call<Note>('POST', '/api/notes', {
      workspaceId,
      title: texts[6],
      content: sources,
    });
    return [
      { name: 'notes', path: base, ready: 'main ul a' },
      { name: 'note', path: `${base}/${made.body.id}`, ready: 'article .prose' },
      { name: 'note', path: `${base}/${cited.body.id}?source=note.1`, ready: 'section[aria-label=Source]' },
      { name: 'note-edit', path: `${base}/${made.body.id}/edit`, ready: 'textarea' },
    ];
  },
};

async function writeOne(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New note' }).click();
  await page.getByLabel('Title').fill('Owls at night');
  await page.getByRole('textbox', { name: 'Text' }).fill('They hunt **by ear**.');
  await page.reload();
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'They hunt **by ear**.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('strong', { hasText: 'by ear' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Owls at night' }).waitFor();
  await page.locator('strong', { hasText: 'by ear' }).waitFor();
}

/** Another user saves first: their version is shown, and nothing is overwritten unseen. */
async function editBesideAnother(page: Page, { service }: Lane): Promise<void> {
  await page.getByRole('link', { name: 'Edit note' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('They hunt by ear and eye.');
  const noteId = /notes\/([^/]+)\/edit/.exec(page.url())?.[1];
  await service.call('PUT', `/api/notes/${noteId}`, { content: 'Said by another.' });
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page, /^Someone changed this note/);
  await page.getByText('Show current note').click();
  await seen(page, 'Said by another.');
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await seen(page, 'They hunt by ear and eye.');
  await page.getByRole('main').getByRole('link', { name: 'Notes', exact: true }).click();
}

async function haveOneWritten(page: Page, { provider }: Lane): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = (request) => {
    const prompt = JSON.stringify(request.messages.map(({ content }) => content));
    return `Owls hunt at night. [${/number=\\*"(\d+)\\*" file=\\*"owls\.md/.exec(prompt)?.[1] ?? '1'}]`;
  };
  provider.beforePiece = () => promise;
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByRole('progressbar', { name: 'Generate' }).waitFor();
  await goToPage(page, 'Files');
  await goToPage(page, 'Notes');
  await page.getByRole('progressbar', { name: 'Generate' }).waitFor();
  provider.beforePiece = undefined;
  resolve();
  await page.getByText('Generated:').getByRole('link').click();
  await page
    .getByRole('link', { name: /^Source \d+: owls\.md/ })
    .first()
    .click();
  await page.getByRole('region', { name: 'Source', exact: true }).locator('mark').first().waitFor();
  await page.goBack();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as Markdown' }).click();
  assert.match((await download).suggestedFilename(), /\.md$/);
  await page.getByRole('main').getByRole('link', { name: 'Notes', exact: true }).click();
}

/** There is one report per day. The second time, the page says that the report exists. */
async function haveReport(page: Page, { provider }: Lane): Promise<void> {
  provider.answer = () => 'Files were added.';
  await page.getByRole('combobox', { name: 'Type to generate' }).selectOption('daily_report');
  await page.getByRole('button', { name: 'Generate' }).click();
  await seen(page, 'Generated:');
  await page.getByRole('button', { name: 'Generate' }).click();
  await seen(page, 'This report already exists.');
}

async function find(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
  await list.filter({ hasText: 'Daily report' }).first().waitFor();
  await page.getByRole('searchbox', { name: 'Search notes' }).fill('ear eye');
  await page.waitForURL(/q=ear/);
  await list.filter({ hasText: 'Owls at night' }).waitFor();
  await list.nth(1).waitFor({ state: 'detached' });
  await page.reload();
  await list.filter({ hasText: 'Owls at night' }).waitFor();
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('faq');
  await seen(page, 'No matching notes');
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('manual');
  await list.filter({ hasText: 'Owls at night' }).waitFor();
}

async function deleteOne(page: Page, { service }: Lane): Promise<void> {
  await page.getByRole('link', { name: 'Owls at night' }).click();
  await page.waitForURL(/notes\/[0-9a-f-]{36}$/);
  const noteId = page.url().split('/').at(-1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/notes$/);
  assert.equal((await service.call('GET', `/api/notes/${noteId}`)).status, 404);
}
