import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { toLine } from '../../../../lib/text/one-line.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** The service pages: tokens, usage and budgets, audit, bots, settings, status. */
export const servicePages: ConsolePage = {
  name: 'tokens, budgets, audit, settings, health',
  async visit(lane) {
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/settings`);
      await makeToken(page);
      await rotateToken(page);
      await editToken(lane, page);
      await boundUse(lane, page);
      await findInAudit(lane, page);
      await seeBots(page);
      await changeSettings(page);
      await seeHealth(page);
    });
  },
  views: async () => [
    { name: 'tokens', path: '/settings/tokens', ready: 'text=/nightly build/' },
    { name: 'usage', path: '/settings/usage', ready: '[role=meter]' },
    { name: 'audit', path: '/settings/audit', ready: 'tbody tr' },
    { name: 'bots', path: '/settings/bots', ready: 'text=IMA_APP_ID' },
    { name: 'health', path: '/settings/health', ready: 'dl' },
  ],
  /** The audit log also shows token names, and the owner of a budget can have any name. */
  async plant({ service }, _workspaceId, texts) {
    const token = async (text: string) => {
      const { status } = await service.call('POST', '/api/tokens', {
        name: text.slice(0, 200),
        role: 'viewer',
      });
      assert.equal(status, 201);
    };
    // A name of only control and bidi characters is rejected, because nothing is left of it.
    for (const text of texts) if (toLine(text.slice(0, 200), 200).trim() !== '') await token(text);
    const budgets = texts.map((text) => ({
      scope: 'caller',
      id: text.slice(0, 200).toWellFormed(),
      monthlyUsd: 1,
    }));
    const { status, bytes } = await service.call('PUT', '/api/budgets', budgets);
    assert.equal(status, 200, bytes.toString());
    return [
      { name: 'tokens', path: '/settings/tokens', ready: 'text=onerror' },
      { name: 'audit', path: '/settings/audit?actor=%3Cimg%20src%3Dx%3E', ready: 'search' },
      { name: 'audit', path: '/settings/audit', ready: 'text=onerror' },
      { name: 'usage', path: '/settings/usage', ready: 'text=onerror' },
    ];
  },
};

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Service' }).getByRole('link', { name, exact: true }).click();
}

/** The secret is shown once, and not in the list, after a reload, or anywhere else in the tab. */
async function makeToken(page: Page): Promise<void> {
  await goTo(page, 'API tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name', { exact: true }).fill('nightly build');
  await page.getByLabel('Role').selectOption('member');
  await page.reload();
  await page.getByRole('button', { name: 'New token' }).click();
  assert.equal(await page.getByLabel('Role').inputValue(), 'member');
  await page.getByRole('checkbox', { name: 'All workspaces' }).uncheck();
  assert.ok(await page.getByRole('button', { name: 'Create token' }).isDisabled());
  await page.getByRole('checkbox', { name: 'library' }).check();
  await page.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.getByLabel('API token', { exact: true }).inputValue();
  assert.match(secret, /^wrs_/);
  await page.getByRole('button', { name: "I've copied it" }).click();
  await seen(page, /Only library/);
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.body.textContent]),
  );
  assert.ok(!kept.includes(secret));
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name', { exact: true }).fill('gone soon');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: "I've copied it" }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'gone soon' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked', { exact: true }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'What “gone soon” owns' });
  await dialog
    .getByText('Nothing: no conversations, tasks, or memberships, so there is nothing to hand over.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page
    .getByRole('dialog', { name: 'Erase “gone soon”?' })
    .getByRole('button', { name: 'Erase' })
    .click();
  await page
    .getByRole('dialog')
    .getByText(/^Erasing: /)
    .waitFor();
  assert.ok(await page.getByRole('button', { name: 'Erase', exact: true }).isDisabled());
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Only the changed fields are sent, so the name that another administrator gave in the meantime stays. */
async function editToken({ service }: Lane, page: Page): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: 'nightly build' });
  await row.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “nightly build”' });
  assert.equal(await dialog.getByLabel('Role').inputValue(), 'member');
  assert.ok(await dialog.getByRole('checkbox', { name: 'library' }).isChecked());
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('checkbox', { name: 'All workspaces' }).check();
  const { body } = await service.call<{ id: string; name: string }[]>('GET', '/api/tokens');
  const id = body.find(({ name }) => name === 'nightly build')?.id;
  const renamed = await service.call('PATCH', `/api/tokens/${id}`, { name: 'nightly build 2' });
  assert.equal(renamed.status, 200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('Viewer', { exact: true }).waitFor();
  await row.getByText('nightly build 2').waitFor();
  await row.getByText(/^All workspaces/).waitFor();
}

/** The earlier secret works for the overlap, and the new one is shown once. */
async function rotateToken(page: Page): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: 'nightly build' });
  await row.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  assert.match(await page.getByLabel('API token', { exact: true }).inputValue(), /^wrs_/);
  await page.getByRole('button', { name: "I've copied it" }).click();
  await row.getByText(/Rotated now/).waitFor();
}

async function boundUse({ service }: Lane, page: Page): Promise<void> {
  await goTo(page, 'Usage');
  await page.getByRole('img', { name: 'Tokens per day' }).waitFor();
  await page.getByRole('cell', { name: 'Chat', exact: true }).waitFor();
  await page.getByText('Workspace', { exact: true }).click();
  await page.getByRole('cell', { name: 'library', exact: true }).waitFor();
  assert.match(page.url(), /by=workspace/);
  await page.goBack();
  await page.getByRole('cell', { name: 'Chat', exact: true }).waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('columnheader', { name: 'Day' }).waitFor();
  await page.getByRole('button', { name: 'New budget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tokens per month').fill('5000000');
  await page.reload();
  await page.getByRole('button', { name: 'New budget' }).click();
  assert.equal(await dialog.getByLabel('Tokens per month').inputValue(), '5000000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('meter', { name: 'Used: Whole service' }).waitFor();
  await seen(page, /of 5M tokens/);
  await page.getByRole('button', { name: 'Edit budget: Whole service' }).click();
  await dialog.getByLabel('Tokens per month').fill('9000000');
  const { status } = await service.call('PUT', '/api/budgets', [{ scope: 'service', monthlyTokens: 7e6 }]);
  assert.equal(status, 200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Someone else changed this').waitFor();
  await dialog.getByText(/of 7M tokens/).waitFor();
  assert.equal(await dialog.getByLabel('Tokens per month').inputValue(), '9000000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await seen(page, /of 9M tokens/);
}

/** The latest action is listed; the filter is in the URL, and the table is exported as CSV. */
async function findInAudit({ service }: Lane, page: Page): Promise<void> {
  const { id } = await makeWorkspace(service);
  await service.call('DELETE', `/api/workspaces/${id}`);
  await goTo(page, 'Audit log');
  await page
    .getByRole('row', { name: new RegExp(`workspaces\\.delete Deleted workspace Deleted ${id} Done`) })
    .waitFor();
  await page
    .getByRole('cell', { name: /^budgets\.change/ })
    .first()
    .waitFor();
  await page.getByLabel('Action').fill('tokens');
  await page.getByRole('button', { name: 'Search' }).click();
  await page
    .getByRole('cell', { name: /^budgets\.change/ })
    .first()
    .waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: /member for library: nightly build/ }).waitFor();
  assert.match(page.url(), /action=tokens/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  assert.match(lines[0] ?? '', /^at,actor,role,action/);
  assert.ok(lines.length >= 4 && lines.slice(1).every((line) => line.includes('tokens.')), lines.join('\n'));
  await page.getByLabel('From').fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-01-02');
  await page.getByRole('button', { name: 'Search' }).click();
  await seen(page, 'No entries found');
  await page.goBack();
  await page
    .getByRole('cell', { name: /nightly build/ })
    .first()
    .waitFor();
}

async function seeBots(page: Page): Promise<void> {
  await goTo(page, 'Bots');
  await seen(page, 'IMB_CORP_ID');
  const address = await page.getByLabel('Callback URL').last().inputValue();
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/api\/bot\/imb$/);
  await seen(page, /isn't open over public HTTPS/);
}

/** A model that the provider offers, a price, an invalid time zone; and a hub token that is never shown. */
async function changeSettings(page: Page): Promise<void> {
  await goTo(page, 'Settings');
  const card = (title: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: title }) });
  await seeOperatorsModel(page);
  await page.getByRole('option', { name: /OpenAI-compatible · 127\.0\.0\.1/ }).waitFor({ state: 'attached' });
  const model = card('Default model');
  const before = await model.getByLabel('Model').inputValue();
  await model.getByLabel('Model').fill('owl-1');
  await page.reload();
  await model.getByText('You have unsaved changes.').waitFor();
  assert.equal(await model.getByLabel('Model').inputValue(), 'owl-1');
  await model.getByRole('button', { name: 'Save' }).click();
  await model.getByText(/^Saved/).waitFor();
  assert.equal(await model.getByText('You have unsaved changes.').count(), 0);
  await page.reload();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[list]')].some(({ value }) => value === 'owl-1'),
  );
  await model.getByRole('button', { name: 'Use environment values' }).click();
  await model.getByText(/^Saved/).waitFor();
  assert.equal(await model.getByLabel('Model').inputValue(), before);
  const zone = card('Report time zone');
  await zone.getByLabel('Time zone').fill('Nowhere/Here');
  await zone.getByRole('button', { name: 'Save' }).click();
  await zone.getByText(/must be a time zone/).waitFor();
  await page.reload();
  await zone.getByRole('button', { name: 'Discard' }).click();
  assert.notEqual(await zone.getByLabel('Time zone').inputValue(), 'Nowhere/Here');
  await changePrices(page);
  const hub = card('Hugging Face');
  await hub.getByLabel('New token').fill('hf_0123456789');
  assert.ok(!(await page.evaluate(() => JSON.stringify(sessionStorage))).includes('hf_'));
  await hub.getByRole('button', { name: 'Save' }).click();
  await hub.getByText('Set here').waitFor();
  await hub.getByText(/^Saved/).waitFor();
  assert.equal(await hub.getByLabel('New token').inputValue(), '');
  await hub.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await hub.getByText('No token').waitFor();
}

async function changePrices(page: Page): Promise<void> {
  const prices = page.locator('section', { has: page.getByRole('heading', { name: 'Prices' }) });
  await prices.getByRole('button', { name: 'Add price' }).click();
  await prices.getByRole('textbox', { name: 'Model' }).fill('owl-1');
  await prices.getByRole('spinbutton', { name: 'Input' }).fill('0.5');
  assert.ok(await prices.getByRole('button', { name: 'Save' }).isDisabled());
  await page.reload();
  await prices.getByRole('spinbutton', { name: 'Output' }).fill('2');
  await prices.getByRole('button', { name: 'Save' }).click();
  await prices.getByText(/^Saved/).waitFor();
  await page.reload();
  await prices.getByRole('button', { name: 'Remove price of owl-1' }).click();
  await prices.getByRole('button', { name: 'Save' }).click();
  await prices.getByText(/^Saved/).waitFor();
}

/** The environment sets the model here, so it's only shown and tested. */
async function seeOperatorsModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^OpenAI Set in the environment/ }).click();
  await seen(page, /Change it there/);
  assert.equal(await page.getByLabel('API key').count(), 0);
  await page.getByRole('button', { name: 'Test' }).click();
  await seen(page, /^The connection works/);
}

async function seeHealth(page: Page): Promise<void> {
  await goTo(page, 'Status');
  await page.getByRole('meter', { name: /^Used space of/ }).waitFor();
  await seen(page, 'Service running');
  await seen(page, 'Works');
  await page.getByRole('button', { name: 'Re-index' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Re-index' }).click();
  await page.getByText(/\d+ of \d+ workspaces/).waitFor();
  await page.getByText('Done', { exact: true }).waitFor();
}
