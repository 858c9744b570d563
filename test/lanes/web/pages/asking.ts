import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inTurn } from '../../../support/fakes/fake-openai.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/**
 * Nothing is deleted or replaced without approval in a workspace that the console created, until a person
 * allows it, in a visible setting.
 */
export const asking: ConsolePage = {
  name: 'asking before changes',
  isApart: true,
  async visit(lane) {
    await inBrowser(lane, async (page) => {
      const id = await makeWorkspace(page, lane);
      await denyDeletion(page, lane);
      await seeReplacement(page, lane, id);
      await page.setViewportSize({ width: 390, height: 800 });
      await stopAsking(page, lane, id);
      await askByTable(page);
    });
  },
  async views(lane) {
    const { body } = await lane.service.call<{ id: string }>('POST', '/api/workspaces', {
      path: `${lane.service.root}/asked`,
    });
    const rules = [
      { tool: 'bash', pattern: '**', action: 'ask' },
      { tool: 'writeFile', pattern: 'notes/**', action: 'allow' },
    ];
    await lane.service.call('PUT', `/api/workspaces/${body.id}/permissions`, { rules });
    return [{ name: 'asking', path: `/w/${body.id}/permissions`, ready: 'table button' }];
  },
};

const IDEAS = 'one\ntwo\nthree\nfour\nfive\n';

async function makeWorkspace(page: Page, { service }: Lane): Promise<string> {
  // The button appears on a home page that lists workspaces, and this page may be the first that is visited.
  await service.call('POST', '/api/workspaces', { path: `${service.root}/other` });
  await page.goto(service.url);
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill('asked');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.waitForURL(/\/files$/);
  const id = /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
  for (const [path, content] of [
    ['data/run-1.csv', 'a,b\n1,2\n'],
    ['notes/ideas.md', IDEAS],
  ])
    await service.call('POST', '/api/files/write', { workspaceId: id, path, content });
  return id;
}

async function start(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'What should the agent do?' });
  await box.fill(text);
  await box.press('Enter');
}

async function enabled(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).and(page.locator(':enabled')).click();
}

async function contentOf({ service }: Lane, id: string, path: string): Promise<string | undefined> {
  const query = `workspaceId=${id}&path=${encodeURIComponent(path)}`;
  const { status, body } = await service.call<{ content: string }>('GET', `/api/files/read?${query}`);
  return status === 200 ? body.content : undefined;
}

async function denyDeletion(page: Page, { provider }: Lane): Promise<void> {
  await goToPage(page, 'Agent');
  await seen(page, 'Asks before it changes files or runs commands.');
  const replaced = IDEAS.replace('two\nthree\nfour', '2\n3\n4');
  provider.answer = inTurn(
    { calls: [{ name: 'bash', input: { command: 'rm -rf data' } }] },
    { calls: [{ name: 'writeFile', input: { path: 'notes/ideas.md', content: replaced } }] },
    { calls: [{ name: 'writeFile', input: { path: 'notes/more.md', content: 'more' } }] },
    'It is done.',
  );
  await start(page, 'Clean up.');
  await seen(page, 'Deletes the folder data');
  await seen(page, 'This workspace asks before commands');
  await enabled(page, 'Deny');
  await page.getByRole('textbox', { name: /^Reason for denial/ }).fill('keep the data');
  await page.keyboard.press('Enter');
}

/** Lost content is red. "Always" applies to exactly this call, until the person widens it. */
async function seeReplacement(page: Page, lane: Lane, id: string): Promise<void> {
  await seen(page, 'Replaces 3 lines of notes/ideas.md');
  const card = page.getByRole('article', { name: 'Approval request: writeFile' });
  assert.deepEqual(await card.locator('.text-danger').allTextContents(), ['- two', '- three', '- four']);
  assert.deepEqual(await card.locator('.text-good').allTextContents(), ['+ 2', '+ 3', '+ 4']);
  assert.equal(await contentOf(lane, id, 'data/run-1.csv'), 'a,b\n1,2\n');
  await page.getByRole('button', { name: 'Choose pattern' }).and(page.locator(':enabled')).click();
  const pattern = page.getByRole('textbox', { name: /^Always allow writeFile for/ });
  assert.equal(await pattern.inputValue(), 'notes/ideas.md');
  await page.getByRole('button', { name: 'Use notes/**', exact: true }).click();
  await seen(page, 'Allows everything in notes and its subfolders.');
  await page.getByRole('button', { name: 'Always allow', exact: true }).and(page.locator(':enabled')).click();
  await seen(page, 'It is done.');
  assert.match((await contentOf(lane, id, 'notes/ideas.md')) ?? '', /^one\n2\n3\n4\nfive/);
  assert.equal(await contentOf(lane, id, 'notes/more.md'), 'more');
  assert.match(JSON.stringify(lane.provider.lastChat?.messages), /keep the data/);
}

async function stopAsking(page: Page, lane: Lane, id: string): Promise<void> {
  await page.goto(`${lane.service.url}/w/${id}/agent`);
  await page.getByRole('button', { name: 'Approvals: Ask before changes' }).click();
  await seen(page, 'Applies to all runs in this workspace');
  await page.getByRole('menuitemradio', { name: /^Don't ask/ }).click();
  await seen(page, 'Changes files and runs commands without asking.');
  await seen(page, 'Saved for the whole workspace.');
  lane.provider.answer = inTurn(
    { calls: [{ name: 'bash', input: { command: 'rm -rf data' } }] },
    'The data is deleted.',
  );
  await start(page, 'Delete the data.');
  await seen(page, 'The data is deleted.');
  assert.equal(await contentOf(lane, id, 'data/run-1.csv'), undefined);
  await undo(page, lane, id);
}

/** A file deleted by a command is restored with its folder. */
async function undo(page: Page, lane: Lane, id: string): Promise<void> {
  const changes = page.getByRole('group', { name: 'Changes of this run' });
  await changes.getByText('Deleted 1 file and 1 folder', { exact: true }).waitFor();
  await changes.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await changes.getByText('All changes are undone.').waitFor();
  assert.equal(await contentOf(lane, id, 'data/run-1.csv'), 'a,b\n1,2\n');
}

async function askByTable(page: Page): Promise<void> {
  const base = page.url().split('/agent')[0];
  await page.goto(`${base}/permissions`);
  const cell = (name: string) => page.getByRole('button', { name, exact: true });
  await cell('Run commands: Ask').click();
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Run commands: Ask"]')?.getAttribute('aria-pressed') === 'true',
  );
  assert.equal(await cell('Change files: Allow').getAttribute('aria-pressed'), 'true');
  await page.getByRole('list', { name: 'Exceptions' }).getByText('notes/**').waitFor();
  await page.goto(`${base}/agent`);
  await seen(page, 'Changes files without asking. Asks before it runs commands.');
}
