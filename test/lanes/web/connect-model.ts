import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { inBrowser, type Lane, seen } from './lane.ts';
import { checkByAxe, lookAtScenes } from './views.ts';

const RIGHT = 'sk-right-SECRET';
const NEEDED = /^Answers and research need a model/;

/**
 * Goes from no model to an answer in the page. A wrong key is rejected, stored anyway, reported once in Chat
 * and in Status, and replaced. The key is nowhere in the tab.
 */
export async function connectModel({ browser }: Pick<Lane, 'browser'>): Promise<void> {
  const provider = await startFakeOpenai();
  const service = await startService({ CONSOLE: 'on' });
  const { body } = await service.call<{ id: string }>('POST', '/api/workspaces', { path: 'owls' });
  await inBrowser({ browser, service }, async (page) => {
    await page.goto(`${service.url}/w/${body.id}/agent`);
    await page.getByRole('link', { name: 'Connect a model' }).click();
    await seen(page, NEEDED);
    provider.failure = 'unauthorized';
    await openTile(page);
    await page.getByLabel('API key').fill('sk-wrong-SECRET');
    await page.getByLabel('Base URL').fill(provider.url);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await seen(page, 'The provider refused this key. Check it, then test again.');
    await page.getByLabel('Model for answers').fill('fake-chat');
    await page.getByRole('button', { name: 'Connect anyway' }).click();
    await seen(page, /^Connected/);
    await page.getByText(NEEDED).waitFor({ state: 'detached' });
    await seeRefusal(page, `${service.url}/w/${body.id}/chat`);
    await page.getByRole('link', { name: 'Open settings' }).click();
    provider.failure = undefined;
    await openTile(page);
    await page.getByLabel('API key').fill(RIGHT);
    await page.getByRole('button', { name: 'Test' }).click();
    await seen(page, /^The connection works/);
    await page.getByLabel('Model for answers').selectOption('fake-chat');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByLabel('API key').waitFor({ state: 'detached' });
    await declineJudge(page, service);
    const priced = page.getByRole('list', { name: 'Prices' }).getByRole('textbox', { name: 'Model' });
    assert.equal(await priced.inputValue(), 'fake-chat');
    assert.equal(provider.lastHeaders.authorization, `Bearer ${RIGHT}`);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    assert.ok(!/SECRET/.test(`${kept} ${await page.content()}`));
    await page.goto(`${service.url}/settings/health`);
    await seen(page, 'Works');
  });
  const scene = { name: 'models', path: '/settings', ready: 'button[aria-expanded]', act: openTile };
  await lookAtScenes({ browser, service }, [scene]);
  await Promise.all([service.stop(), provider.stop()]);
}

/**
 * The judge is offered with its price until the offer is answered, also after a reload and with another
 * connection.
 */
async function declineJudge(page: Page, service: Service): Promise<void> {
  const offer = page.getByText('Should the model also judge');
  await offer.waitFor();
  await seen(page, /one more model call per answer, with about 2,500 tokens in and 150 out/);
  await checkByAxe(page, 'the offer of a judge');
  await page.getByRole('button', { name: 'Not now' }).click();
  await offer.waitFor({ state: 'detached' });
  const { body } = await service.call<object>('GET', '/api/settings');
  assert.deepEqual(
    { ...body, citationJudge: 'off', citationJudgeSource: 'settings' },
    body,
    'a declined offer is the setting',
  );
  await openTile(page);
  await page.getByLabel('Base URL').waitFor();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByLabel('Model for answers').selectOption('fake-chat');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await seen(page, 'The model is connected.');
  assert.equal(await offer.count(), 0);
}

async function openTile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^OpenAI/ }).click();
}

/** The refusal appears once, in one sentence, without a copy button for an answer that doesn't exist. */
async function seeRefusal(page: Page, chat: string): Promise<void> {
  await page.goto(chat);
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('Where do owls live?');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByText(/refused the key/).count(), 1);
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0);
}
