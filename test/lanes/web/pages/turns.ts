import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const ASK = { name: /^Ask about/ };

/** No question is lost, in one tab or two. Enter in an input method, or on a phone, sends nothing. */
async function visit(lane: Lane): Promise<void> {
  const { id } = await makeWorkspace(lane.service, 'turns');
  lane.provider.answer = ({ messages }) => `I was asked ${messages.length} times.`;
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${id}/chat`);
    await composeByInputMethod(page);
    await ask(page, 'One?');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole('article', { name: 'Your question' }).getByText('One?').waitFor();
    for (const text of ['Two?', 'Three?']) await ask(page, text);
    await second.bringToFront();
    // A page that is already in front gets no event.
    await second.evaluate(() => dispatchEvent(new Event('focus')));
    await second.getByRole('article', { name: 'Your question' }).getByText('Three?').waitFor();
    await page.bringToFront();
    await branchFirst(page, second);
    await second.close(); // it would notify this tab of the next change
    await outdate(lane, page);
  });
  await breakLineOnPhone(lane, id);
}

function questions(page: Page): Promise<string[]> {
  return page.getByRole('article', { name: 'Your question' }).locator('p').allTextContents();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', ASK).fill(text);
  await page.keyboard.press('Enter');
  await answered(page);
}

async function answered(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('button', { name: 'Regenerate' }).last().and(page.locator(':enabled')).waitFor();
}

/** Simulates Safari, where Enter comes after the end of the word, with the key code of input methods. */
async function composeByInputMethod(page: Page): Promise<void> {
  const box = page.getByRole('textbox', ASK);
  await box.fill('你好');
  await box.evaluate((area) => {
    area.dispatchEvent(new CompositionEvent('compositionend', { data: '你好', bubbles: true }));
    const key = { key: 'Enter', keyCode: 229, isComposing: false, bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent('keydown', key));
  });
  assert.equal(await box.inputValue(), '你好');
  assert.deepEqual(await questions(page), []);
}

/** An edit and a regeneration of the first turn keep the later ones, which *Previous version* shows in both tabs. */
async function branchFirst(page: Page, second: Page): Promise<void> {
  const first = page.getByRole('article', { name: 'Your question' }).first();
  await first.hover();
  await first.getByRole('button', { name: 'Edit question' }).click();
  const edited = page.getByRole('textbox', { name: 'Edit question' });
  await edited.press('Escape');
  await edited.waitFor({ state: 'detached' });
  await first.getByRole('button', { name: 'Edit question' }).click();
  await edited.fill('First?');
  await edited.press('Enter');
  await page.getByText('Three?').waitFor({ state: 'detached' });
  await answered(page);
  await first.getByText('2 / 2').waitFor();
  assert.deepEqual(await questions(page), ['First?']);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByRole('article', { name: 'Answer' }).getByText('2 / 2').waitFor();
  await first.getByRole('button', { name: 'Previous version' }).click();
  await seen(page, 'Three?');
  assert.deepEqual(await questions(page), ['One?', 'Two?', 'Three?']);
  await second.bringToFront();
  await second.evaluate(() => dispatchEvent(new Event('focus')));
  await second.getByText('1 / 2').first().waitFor();
  assert.deepEqual(await questions(second), ['One?', 'Two?', 'Three?']);
  await page.bringToFront();
  // The page shows the other version before the service knows that it is chosen.
  const chosen = page.waitForResponse((response) => response.request().method() === 'PUT');
  await first.getByRole('button', { name: 'Next version' }).click();
  await chosen;
  await page.getByText('Three?').waitFor({ state: 'detached' });
  await first.getByText('2 / 2').waitFor();
}

/** Another computer asks. This tab isn't notified, and is shown what it hasn't seen. */
async function outdate({ service }: Lane, page: Page): Promise<void> {
  const [, workspaceId, id] = /\/w\/([^/]+)\/chat\/([^/?]+)/.exec(page.url()) ?? [];
  const messages = [{ id: 'elsewhere', role: 'user', content: 'From elsewhere?' }];
  const { status } = await service.call('POST', '/api/chat', { workspaceId, id, messages });
  assert.equal(status, 200);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await seen(page, /^This conversation has changed/);
  await page.getByText('From elsewhere?').waitFor();
  await ask(page, 'And now?');
  assert.deepEqual(await questions(page), ['First?', 'From elsewhere?', 'And now?']);
  await service.call('POST', '/api/chat', { workspaceId, id, messages: [{ ...messages[0], id: 'again' }] });
  await page.getByRole('textbox', ASK).fill('Late?');
  await page.keyboard.press('Enter');
  await seen(page, /^This conversation has changed/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await answered(page);
  assert.deepEqual((await questions(page)).slice(-2), ['From elsewhere?', 'Late?']);
}

async function breakLineOnPhone({ browser, service }: Lane, workspaceId: string): Promise<void> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${service.url}/w/${workspaceId}/chat`);
  const box = page.getByRole('textbox', ASK);
  await box.fill('One');
  await box.press('Enter');
  await page.keyboard.type('two');
  assert.equal(await box.inputValue(), 'One\ntwo');
  await page.getByRole('button', { name: 'Send' }).tap();
  await answered(page);
  await context.close();
}

export const turns: ConsolePage = { name: 'turns of a chat', isApart: true, visit, views: async () => [] };
