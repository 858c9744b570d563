import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Service } from '../../../support/service.ts';
import { eventually, syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { tabTo } from '../main-job.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const BRIDGES = '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n';
const QUESTION = 'When was the bridge opened?';

interface Broken {
  suggestion?: { path: string };
}

/**
 * A citation breaks with its file: the page lists it, and repairs it with another file that contains the
 * quote.
 */
async function visit(lane: Lane): Promise<void> {
  const { service } = lane;
  const { id } = await makeWorkspace(service, 'broken');
  const write = (path: string, content: string) =>
    service.call('POST', '/api/files/write', { workspaceId: id, path, content });
  await write('bridges.md', BRIDGES);
  await syncWorkspace(service, id);
  const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }];
  await service.call('POST', '/api/chat', { workspaceId: id, id: 'broken-bridges', messages });
  const count = () =>
    service.call<{ citations: number }>('GET', `/api/workspaces/${id}/citations?path=bridges.md`);
  await eventually(count, ({ body }) => body.citations === 1);
  await inBrowser(lane, async (page) => {
    await askToDelete(page, `${service.url}/w/${id}`);
    await page.goto(`${service.url}/w/${id}/broken`);
    await seen(page, 'No broken citations found');
    await write('bridges.md', '# Bridges\n\nNothing is known of them.\n');
    await eventually(
      () => brokenIn(service, id),
      (all) => all.length > 0,
    );
    await seeBroken(page, `${service.url}/w/${id}`);
    await write('old/bridges.md', BRIDGES);
    await eventually(
      () => brokenIn(service, id),
      ([first]) => first?.suggestion !== undefined,
    );
    await repair(page);
    await followMove(lane, page, id);
  });
}

/** Before a file is deleted or moved, the dialog shows how many citations depend on it. */
async function askToDelete(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/files?path=bridges.md`);
  await page.getByRole('treeitem', { name: /bridges\.md/ }).click();
  for (const [item, fate] of [
    [/^Delete/, /They break/],
    [/^Rename or move/, /follow the file/],
  ] as const) {
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    const note = page.getByRole('dialog').getByRole('status');
    await note.getByText('1 citation in 1 document leads here.').waitFor();
    await note.getByText(fate).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
}

async function brokenIn(service: Service, id: string): Promise<Broken[]> {
  return (await service.call<Broken[]>('GET', `/api/workspaces/${id}/broken-citations`)).body;
}

/** The index shows the number; the page has the quote, its reason, and a link to its conversation. */
async function seeBroken(page: Page, base: string): Promise<void> {
  await page.goto(base);
  await seen(page, '1 citation no longer holds.');
  await page.getByRole('link', { name: 'See', exact: true }).click();
  const row = page.getByRole('list', { name: 'Broken citations' }).getByRole('listitem');
  await page.getByRole('region', { name: 'bridges.md' }).getByText('1 citation', { exact: true }).waitFor();
  await page
    .getByRole('link', { name: /^Broken citations/ })
    .getByRole('img', { name: '1 broken citation' })
    .waitFor();
  await row.getByText('File changed').waitFor();
  await row.getByText('Answer', { exact: true }).waitFor();
  await row.getByText('The Firth bridge was opened in 1890.').waitFor();
  assert.equal(await row.getByRole('button', { name: 'Repair' }).count(), 0);
  await row.getByRole('link', { name: QUESTION }).click();
  await page.waitForURL(/\/chat\/broken-bridges/);
  await seen(page, '1 citation here no longer holds.');
  await goToPage(page, 'Broken citations');
  await row.getByText('[1] bridges.md').waitFor();
}

async function repair(page: Page): Promise<void> {
  await page.reload();
  const row = page.getByRole('list', { name: 'Broken citations' }).getByRole('listitem');
  const place = row.getByRole('link', { name: 'old/bridges.md Line 3' });
  assert.match((await place.getAttribute('href')) ?? '', /path=old%2Fbridges\.md&lines=3-3&quote=/);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await checkByAxe(page, `broken citations, ${colorScheme} ${width}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `broken citations are ${over} px wider than ${width}`);
    }
  await tabTo(page, /^Repair$/);
  await page.keyboard.press('Enter');
  await seen(page, 'No broken citations found');
  await page.getByRole('status').getByText('Repaired: citation [1] leads to old/bridges.md Line 3').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Broken citations' }).waitFor();
}

/** A check doesn't change, so the page shows its moved source at the new path. */
async function followMove({ service }: Lane, page: Page, workspaceId: string): Promise<void> {
  const draft = { workspaceId, text: 'The Firth bridge was opened in 1890.' };
  const { runId } = (await service.call<{ runId: string }>('POST', '/api/verify', draft)).body;
  const check = () => service.call<{ status: string }>('GET', `/api/verify/${runId}`);
  await eventually(check, ({ body }) => body.status === 'done');
  const move = { workspaceId, oldPath: 'old/bridges.md', newPath: 'moved.md' };
  await service.call('POST', '/api/files/rename', move);
  await syncWorkspace(service, workspaceId);
  await page.goto(`${service.url}/w/${workspaceId}/drafts/${runId}?source=${runId}.1.1`);
  const source = page.getByRole('region', { name: 'Source' });
  await source.getByText('This file was moved.').waitFor();
  await source.locator('mark').getByText('The Firth bridge was opened in 1890.').waitFor();
  await source.getByRole('link', { name: 'moved.md' }).click();
  await page.waitForURL(/\/files\?path=moved\.md/);
  await page.goBack();
  await seen(page, '1 quote is in another file now.');
  await service.call('DELETE', '/api/files/delete', { workspaceId, path: 'moved.md' });
  await syncWorkspace(service, workspaceId);
  await page.reload();
  await seen(page, 'The file of 1 quote was deleted.');
  await source.getByText('This file was deleted after the check.').waitFor();
  assert.equal(await source.getByRole('link', { name: 'Open file' }).count(), 0);
}

export const brokenPage: ConsolePage = {
  name: 'broken citations',
  isApart: true,
  visit,
  views: async (_lane, workspaceId) => [
    { name: 'broken-citations', path: `/w/${workspaceId}/broken`, ready: 'main h1:visible' },
  ],
};
