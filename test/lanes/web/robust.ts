import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import type { Service } from '../../support/service.ts';
import { inBrowser, type Lane, seen } from './lane.ts';

const ASK = { name: /^Ask about/ };

/** Failures are reported and recover automatically, and no typed text is lost. */
export async function goThroughTrouble(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.answer = () => 'Here it is.';
  await inBrowser(lane, (page) => hearRefusals(page, chatOf(lane.service, workspaceId)));
  await inBrowser(lane, (page) => useTwoTabs(page, lane, workspaceId));
  await inBrowser(lane, (page) => endElsewhere(page, lane, workspaceId));
}

const chatOf = ({ url }: Service, workspaceId: string) => `${url}/w/${workspaceId}/chat`;

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', ASK).fill(text);
  await page.getByRole('textbox', ASK).press('Enter');
}

/**
 * Causes too many requests, with the time to wait, then a failure of the service. One button retries each.
 */
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

/** The other tab shows that an answer is in progress, and shows all of it when it is opened. */
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
