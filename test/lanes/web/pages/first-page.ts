import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeWorkspace } from '../../../support/workspace.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const OTHERS = 7;

/** Checks that the first page makes only the necessary requests, and that none of them returns 404. */
export const firstPage: ConsolePage = {
  name: 'the first page and a new chat',
  async visit(lane: Lane, workspaceId: string) {
    await inBrowser(lane, (page) => openFirstPage(page, lane));
    await inBrowser(lane, (page) => beginChat(page, lane, workspaceId));
  },
  views: async () => [],
};

/** One request returns the status of all workspaces. */
async function openFirstPage(page: Page, { service }: Lane): Promise<void> {
  const made = await Promise.all(Array.from({ length: OTHERS }, () => makeWorkspace(service)));
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname + search);
  });
  await page.goto(service.url);
  await page.locator('main li').nth(OTHERS).waitFor();
  await seen(page, 'Pick up where you left off');
  await page.waitForLoadState('networkidle');
  assert.deepEqual(asked.sort(), [
    '/api/health',
    '/api/me',
    '/api/workspaces?limit=1000',
    '/api/workspaces?with=state&limit=8',
  ]);
  await Promise.all(made.map(({ id }) => service.call('DELETE', `/api/workspaces/${id}`)));
}

/**
 * Nothing is stored about it before its first question, so no request returns 404. A duplicated tab sends the
 * same requests.
 */
async function beginChat(page: Page, { service, provider }: Lane, workspaceId: string): Promise<void> {
  const refused: string[] = [];
  page.context().on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${service.url}/w/${workspaceId}/files`);
  await goToPage(page, 'Chat');
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  await box.waitFor();
  await page.reload();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open(location.href));
  const doubled = await opened;
  await doubled.getByRole('textbox', { name: /^Ask about/ }).waitFor();
  provider.answer = () => 'Only said once.';
  await box.fill('Is it new?');
  await box.press('Enter');
  await seen(page, 'Only said once.');
  for (const each of [doubled, page]) {
    await each.reload();
    await seen(each, 'Only said once.');
  }
  assert.deepEqual(refused, []);
}
