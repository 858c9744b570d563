import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startService } from '../../support/service.ts';
import { inBrowser, type Lane, seen } from './lane.ts';
import { tokenOf } from './token-of.ts';

/**
 * With sign-in, the page hides the actions that a role may not take, and the service denies them by their
 * URL.
 */
export async function lookAsRoles({ browser }: Lane): Promise<void> {
  const service = await startService({ CONSOLE: 'on', AUTH_MODE: 'token', HUB_A_TOKEN: 'hf_given' });
  const admin = await tokenOf(service, 'admin', null);
  const headers = { authorization: `Bearer ${admin}` };
  const made = await service.call<{ id: string }>('POST', '/api/workspaces', { path: 'owls' }, headers);
  const id = made.body.id;
  const lane = { browser, service };
  for (const [role, controls, links] of [
    [
      'viewer',
      { terminal: false, rule: false, server: false, member: false },
      ['Settings', 'Usage', 'Status'],
    ],
    ['member', { terminal: true, rule: true, server: true, member: false }, ['Settings', 'Usage', 'Status']],
    ['admin', { terminal: true, rule: true, server: true, member: true }, ALL],
  ] as const)
    await inBrowser(lane, async (page) => {
      await comeIn(page, service.url, role === 'admin' ? admin : await tokenOf(service, role, null));
      assert.deepEqual(await controlsOf(page, `${service.url}/w/${id}`), controls, role);
      assert.deepEqual(await serviceLinks(page, service.url), links, role);
    });
  await inBrowser(lane, async (page) => {
    await comeIn(page, service.url, await tokenOf(service, 'viewer', null));
    await page.goto(`${service.url}/settings/tokens`);
    await seen(page, /needs the role admin/);
    assert.equal(await page.getByRole('button', { name: 'New token' }).count(), 0);
  });
  await lockedOut(lane, id);
  await seeWhatHolds(lane, id, admin);
  await addByName(lane, id, admin);
  await service.stop();
}

const ALL = ['Settings', 'API tokens', 'Usage', 'Audit log', 'Feedback', 'Webhooks', 'Bots', 'Status'];

/**
 * A lead adds a colleague by the name of their token, on a phone, and first sees who loses access to the
 * workspace.
 */
async function addByName(lane: Pick<Lane, 'browser' | 'service'>, id: string, admin: string): Promise<void> {
  const bo = await tokenOf(lane.service, 'member', null, 'bo');
  await tokenOf(lane.service, 'viewer', null, 'ci');
  const phone = { width: 390, height: 844 };
  await inBrowser(
    lane,
    async (page) => {
      await comeIn(page, lane.service.url, admin);
      await page.goto(`${lane.service.url}/w/${id}/members`);
      await page.getByLabel('Name', { exact: true }).fill('b');
      await seen(page, 'Never seen here');
      await page.getByRole('option', { name: /^bo/ }).click();
      await seen(page, /These lose this workspace \(\d+\): ci, /);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const row = page.getByRole('listitem').getByText('bo', { exact: true });
      await row.waitFor();
      assert.match((await row.getAttribute('title')) ?? '', /^[0-9a-f-]{36}$/);
    },
    phone,
  );
  await inBrowser(lane, (page) => comeIn(page, lane.service.url, bo), phone);
}

async function comeIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'owls' }).waitFor();
}

/** Returns the visible controls on completely loaded pages. */
async function controlsOf(page: Page, base: string) {
  const isThere = (role: 'button' | 'link', name: string) =>
    page.getByRole(role, { name, exact: true }).count().then(Boolean);
  await page.goto(`${base}/permissions`);
  await seen(page, 'Use MCP tools');
  await page.waitForLoadState('networkidle');
  const rule = await isThere('button', 'Add rule');
  const terminal = (await page.locator('a[href$="/terminal"]').count()) > 0;
  await page.goto(`${base}/mcp`);
  await seen(page, 'No servers yet');
  await page.waitForLoadState('networkidle');
  const server = await isThere('button', 'Add server');
  await page.goto(`${base}/members`);
  await seen(page, 'Anyone who can sign in');
  await page.waitForLoadState('networkidle');
  return { terminal, rule, server, member: await isThere('button', 'Add') };
}

async function serviceLinks(page: Page, url: string): Promise<string[]> {
  await page.goto(`${url}/settings`);
  await page.waitForLoadState('networkidle');
  return page.getByRole('navigation', { name: 'Service' }).getByRole('link').allInnerTexts();
}

/** Tries to lock an administrator out of their own workspace: the page shows the service's error. */
async function lockedOut(lane: Pick<Lane, 'browser' | 'service'>, id: string): Promise<void> {
  await inBrowser(lane, async (page) => {
    await comeIn(page, lane.service.url, await tokenOf(lane.service, 'admin', [id]));
    await page.goto(`${lane.service.url}/w/${id}/members`);
    await page.getByLabel('Name', { exact: true }).fill('ann@example.org');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await seen(page, /would lock you out/);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'ann@example.org');
    assert.deepEqual(await serviceLinks(page, lane.service.url), [
      'Settings',
      'API tokens',
      'Usage',
      'Status',
    ]);
  });
}

/**
 * Checks that pages for missing setup have instructions, and that values overridden by the environment are
 * marked, in the service's words.
 */
async function seeWhatHolds(
  lane: Pick<Lane, 'browser' | 'service'>,
  id: string,
  token: string,
): Promise<void> {
  await inBrowser(lane, async (page) => {
    await comeIn(page, lane.service.url, token);
    await page.goto(`${lane.service.url}/w/${id}/cluster`);
    await seen(page, 'No cluster connected');
    await seen(page, 'No actions in this workspace yet');
    await page.goto(`${lane.service.url}/settings`);
    await seen(page, 'Set in the environment');
    await page.getByLabel('New token').fill('hf_another');
    await page
      .locator('form', { has: page.getByLabel('New token') })
      .getByRole('button', { name: 'Save' })
      .click();
    await seen(page, /HUB_A_TOKEN is set in the environment/);
  });
}
