import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { type Service, startService } from '../../support/service.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { inBrowser, type Lane, seen } from './lane.ts';

const ASK = { name: /^Ask about/ };

/** Failures are reported and recover by themselves, and no typed text is lost. */
export async function goThroughTrouble(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.answer = () => 'Here it is.';
  await inBrowser(lane, (page) => hearRefusals(page, chatOf(lane.service, workspaceId)));
  await inBrowser(lane, (page) => goOffline(page, chatOf(lane.service, workspaceId)));
  await inBrowser(lane, (page) => useTwoTabs(page, lane, workspaceId));
  await inBrowser(lane, (page) => endElsewhere(page, lane, workspaceId));
  await loseService(lane);
  await loseToken(lane);
}

const chatOf = ({ url }: Service, workspaceId: string) => `${url}/w/${workspaceId}/chat`;

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', ASK).fill(text);
  await page.getByRole('textbox', ASK).press('Enter');
}

/** Too many calls, with the time to wait; then a failure of the service; each is asked again by one button. */
async function hearRefusals(page: Page, url: string): Promise<void> {
  const refusals = [
    { status: 429, headers: { 'retry-after': '2' }, json: { error: 'Too many calls.' } },
    { status: 500, json: { error: 'Something broke.' } },
  ];
  await page.route('**/api/chat', (route: Route) => {
    const refusal = refusals.shift();
    return refusal === undefined ? route.continue() : route.fulfill(refusal);
  });
  await page.goto(url);
  await ask(page, 'When is it there?');
  await seen(page, 'Too many calls.');
  await page.getByRole('button', { name: /^Try again \(\d s\)$/ }).waitFor();
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await seen(page, 'Something broke.');
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await seen(page, 'Here it is.');
  const asked = page.getByText('When is it there?', { exact: true });
  await asked.nth(1).waitFor(); // its title, in the list
  assert.equal(await asked.count(), 2, 'once, and its title');
}

async function goOffline(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('textbox', ASK).waitFor();
  await page.context().setOffline(true);
  await ask(page, 'Is anybody there?');
  await seen(page, "Can't reach the service. Check your connection");
  await page.getByRole('textbox', ASK).fill('not sent yet');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again', exact: true }).first().click();
  await seen(page, 'Here it is.');
  assert.equal(await page.getByRole('textbox', ASK).inputValue(), 'not sent yet');
}

/** The other tab shows that an answer is in progress, and has all of it when it is looked at. */
async function useTwoTabs(page: Page, { service, provider }: Lane, workspaceId: string): Promise<void> {
  await page.goto(chatOf(service, workspaceId));
  await ask(page, 'First?');
  await seen(page, 'Here it is.');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await seen(other, 'Here it is.');
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['Slowly, ', 'but all of it.'];
  provider.beforePiece = async (number) => (number === 1 ? promise : undefined);
  await ask(page, 'Second?');
  await seen(page, 'Slowly,');
  await other.evaluate(() => dispatchEvent(new Event('focus')));
  await seen(other, 'Slowly,');
  resolve();
  provider.beforePiece = undefined;
  await seen(other, 'but all of it.');
  provider.answer = () => 'Here it is.';
}

async function endElsewhere(page: Page, { service, provider }: Lane, workspaceId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['It works ', 'and works.'];
  provider.beforePiece = async (number) => (number === 1 ? promise : undefined);
  await page.goto(`${service.url}/w/${workspaceId}/agent`);
  await page.getByRole('textbox', { name: 'What should the agent do?' }).fill('Work on it.');
  await page.keyboard.press('Enter');
  await seen(page, 'It works');
  const runId = page.url().split('/').at(-1);
  await service.call('POST', `/api/agent/runs/${runId}/stop`);
  await page.getByText('Stopped', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  resolve();
  provider.beforePiece = undefined;
  provider.answer = () => 'Here it is.';
}

/** It goes and comes back at the same address, as after an update. */
async function loseService({ browser, provider }: Lane): Promise<void> {
  const env = {
    CONSOLE: 'on',
    PROVIDER_A_BASE_URL: provider.url,
    DATA_DIR: join(await tempFolder(), 'data'),
  };
  const first = await startService(env);
  const { body } = await first.call<{ id: string }>('POST', '/api/workspaces', { path: 'library' });
  await inBrowser({ browser, service: first }, async (page) => {
    await page.goto(chatOf(first, body.id));
    await page.getByRole('textbox', ASK).waitFor();
    await first.stop();
    await ask(page, 'Are you back?');
    await seen(page, "Can't reach the service. Check your connection");
    await page.getByRole('textbox', ASK).fill('not sent yet');
    const second = await startService({ ...env, PORT: new URL(first.url).port });
    await page.getByRole('button', { name: 'Try again', exact: true }).first().click();
    await seen(page, 'Here it is.');
    assert.equal(await page.getByRole('textbox', ASK).inputValue(), 'not sent yet');
    await page.getByText('Trying again…').waitFor({ state: 'detached' });
    await second.stop();
  });
}

/** A token expires while a user types: they sign in, and continue where they were. */
async function loseToken({ browser, provider }: Lane): Promise<void> {
  const service = await startService({
    ...{ CONSOLE: 'on', AUTH_MODE: 'token', PROVIDER_A_BASE_URL: provider.url },
  });
  const ports = { records: sqliteRecords(openDatabase(service.dataDir)), clock: systemClock };
  const make = (name: string) => createToken(ports, ADMIN, { name, role: 'admin', workspaceIds: null });
  const [old, fresh] = [await make('old'), await make('fresh')];
  const headers = { authorization: `Bearer ${fresh.secret}` };
  const { body } = await service.call<{ id: string }>(
    'POST',
    '/api/workspaces',
    { path: 'library' },
    headers,
  );
  await inBrowser({ browser, service }, async (page) => {
    await page.goto(chatOf(service, body.id));
    await signIn(page, old.secret);
    await page.getByRole('textbox', ASK).fill('half a question');
    await revokeToken(ports, ADMIN, old.id);
    await page.getByLabel('API token').waitFor();
    await signIn(page, fresh.secret);
    assert.equal(await page.getByRole('textbox', ASK).inputValue(), 'half a question');
  });
  await service.stop();
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', ASK).waitFor();
}
