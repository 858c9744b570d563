import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { offeredPassages } from '../../../support/fakes/fake-openai.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const NIGHT = 'The tawny owl hunts at night.';

/**
 * Enables the judge for the service, disables it for a workspace, and enables it for one question, without a
 * restart.
 */
async function visit(lane: Lane): Promise<void> {
  const { service, provider } = lane;
  const { id, root } = await makeWorkspace(service, 'judged');
  await writeFile(join(root, 'tawny.md'), `# Tawny owls\n\n${NIGHT}\n`);
  await syncWorkspace(service, id);
  provider.answer = (request) =>
    String(request.messages[0]?.content).startsWith('You judge sentences')
      ? '{"verdicts":[{"number":1,"says":"yes","why":"It says so."}]}'
      : `${NIGHT.slice(0, -1)} [${offeredPassages(request)[0]?.number}].`;
  await inBrowser(lane, async (page) => {
    await switchOn(lane, page);
    await switchOffHere(lane, page, id);
    await askBoth(lane, page, id);
    await service.call('PUT', '/api/settings', { citationJudge: null });
  });
  for (const theme of ['light', 'dark'] as const)
    await inBrowser(lane, (page) => lookNarrow(lane, page, id), { theme, width: 390 });
}

async function switchOn({ service }: Lane, page: Page): Promise<void> {
  await page.goto(`${service.url}/settings`);
  const toggle = page.getByRole('checkbox', { name: 'A model judges the citations of answers' });
  await toggle.check();
  await page.getByRole('button', { name: 'Use environment value' }).first().waitFor();
  await seen(page, /about 2,500 tokens in and 150 out/);
  const { body } = await service.call<{ citationJudge: string }>('GET', '/api/settings');
  assert.equal(body.citationJudge, 'on');
}

async function switchOffHere({ service }: Lane, page: Page, id: string): Promise<void> {
  await page.goto(`${service.url}/w/${id}`);
  await seen(page, 'A model judges the citations of answers in this workspace.');
  await page.getByLabel('Value of this workspace').selectOption('Off');
  await seen(page, 'Only code checks the citations of answers in this workspace.');
}

/** A choice survives a reload of the tab, but only for its conversation. */
async function askBoth({ service, provider }: Lane, page: Page, id: string): Promise<void> {
  await page.goto(`${service.url}/w/${id}/chat`);
  const choice = page.getByRole('combobox', { name: 'Citation judge' });
  await choice.getByText('Judge: off (default)').waitFor({ state: 'attached' });
  const before = provider.chatRequests;
  await ask(page);
  await page
    .getByRole('article', { name: 'Answer' })
    .getByText('Facts found')
    .first()
    .waitFor({ state: 'attached' });
  assert.equal(provider.chatRequests, before + 1);
  await choice.selectOption('Judge: on');
  await page.reload();
  assert.equal(await choice.inputValue(), 'on');
  await ask(page);
  await page.getByRole('status').getByText('A model has judged its sources').waitFor({ state: 'attached' });
  await page.goto(`${service.url}/w/${id}/agent`);
  assert.equal(await choice.inputValue(), '');
}

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('When does the tawny owl hunt?');
  await page.keyboard.press('Enter');
}

async function lookNarrow({ service }: Lane, page: Page, id: string): Promise<void> {
  for (const [path, ready] of [
    ['/settings', 'A model judges the citations of answers'],
    [`/w/${id}`, 'Value of this workspace'],
    [`/w/${id}/chat`, 'Judge: off (default)'],
    [`/w/${id}/agent`, 'Judge: off (default)'],
  ] as const) {
    await page.goto(service.url + path);
    await page.getByText(ready).first().waitFor({ state: 'attached' });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!wide, `${path} scrolls sideways`);
    await checkByAxe(page, `${path} with the judge`);
  }
}

export const judgePage: ConsolePage = { name: 'judge', isApart: true, visit, views: async () => [] };
