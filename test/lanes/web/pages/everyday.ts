import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { makeWorkspace } from '../../../support/workspace.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const ITEMS = ['chat', 'notes', 'agent', 'research', 'drafts', 'tasks', 'skills', 'datasets'];

/**
 * Checks the experience of a first day: pages describe the current state, and the keyboard navigates them.
 */
async function visit(lane: Lane): Promise<void> {
  const { service } = lane;
  const { id, root } = await makeWorkspace(service, 'everyday');
  const base = `${service.url}/w/${id}`;
  await inBrowser(lane, (page) => leaveAnswer(page, lane, base));
  await inBrowser(lane, async (page) => {
    await page.goto(`${base}/git`);
    await seeNoRemote(page, root);
    await findNoPapers(page, base);
  });
  await inBrowser(lane, (page) => openEmptyChat(page, base), { width: 720, height: 450, scale: 2 });
  await inBrowser(lane, (page) => readOnPhone(page, base), { width: 390, height: 844 });
}

/**
 * A person who leaves while a chat answers sees in the list that it is answering, and when it has finished.
 */
async function leaveAnswer(page: Page, { provider }: Lane, base: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['It begins, ', 'and ends.'];
  provider.beforePiece = async (number) => (number === 1 ? promise : undefined);
  await page.goto(`${base}/chat`);
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('How long?');
  await page.keyboard.press('Enter');
  await seen(page, 'It begins');
  await goToPage(page, 'Search');
  await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'));
  const row = page.getByRole('region', { name: 'Conversations' }).getByRole('listitem');
  await row.getByRole('img', { name: 'Answering' }).waitFor();
  resolve();
  provider.beforePiece = undefined;
  await row.getByRole('img', { name: 'Unread' }).waitFor();
  assert.match(await page.title(), /^\(1\) /);
  await row.getByRole('link').click();
  await seen(page, 'and ends.');
  await row.getByRole('img', { name: 'Unread' }).waitFor({ state: 'detached' });
}

async function seeNoRemote(page: Page, root: string): Promise<void> {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', root]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await seen(page, 'This branch follows no remote');
  assert.equal(await page.getByText('In sync with the remote').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Pull' }).count(), 0);
}

/** If no source responded, nothing is known about the papers. */
async function findNoPapers(page: Page, base: string): Promise<void> {
  const sources = ['preprint_server', 'hub_a', 'semantic_scholar', 'openalex'];
  let failing = sources;
  await page.route('**/api/paper-study/search', (route) => {
    const errors = Object.fromEntries(failing.map((source) => [source, 'The source cannot be reached.']));
    return route.fulfill({ json: { articles: [], totalCount: 0, errors } });
  });
  await page.goto(`${base}/papers?q=owls`);
  await seen(page, 'No source could be searched');
  assert.equal(await page.getByText(/No papers found|0 papers/).count(), 0);
  failing = sources.slice(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await seen(page, 'No papers found');
}

/** At a zoom of 200 %, the page starts at its heading. */
async function openEmptyChat(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/chat`);
  await page.getByRole('textbox', { name: /^Ask about/ }).waitFor();
  await page.waitForLoadState('networkidle');
  const pane = page.getByRole('group', { name: 'Conversation' });
  assert.equal(await pane.evaluate(({ scrollTop }) => scrollTop), 0);
}

/** Each page has a heading of the first level, even one that can't be shown. */
async function readOnPhone(page: Page, base: string): Promise<void> {
  for (const path of ['chat', ...ITEMS.map((item) => `${item}/none`)]) {
    await page.goto(`${base}/${path}`);
    await page.locator('main').first().waitFor();
    await page.waitForLoadState('networkidle');
    await checkByAxe(page, `${path} at 390 px`);
  }
}

export const everydayPage: ConsolePage = { name: 'everyday', isApart: true, visit, views: async () => [] };
