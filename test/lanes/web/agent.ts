import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inTurn } from '../../support/fakes/fake-openai.ts';
import { inBrowser, type Lane, seen } from './lane.ts';
import { tabTo } from './main-job.ts';

/**
 * Starts a run that asks for approval, and checks that it can't be answered by accident, that a reload shows
 * it waiting, and that the keyboard suffices.
 */
export async function lookAtAgent(lane: Lane, workspaceId: string): Promise<void> {
  const { service, provider } = lane;
  const rules = [{ tool: 'writeFile', pattern: '**', action: 'ask' }];
  const { status, bytes } = await service.call('PUT', `/api/workspaces/${workspaceId}/permissions`, {
    rules,
  });
  assert.equal(status, 200, bytes.toString());
  const write = (path: string, content = 'Owls <b>hunt</b>.') => ({
    name: 'writeFile',
    input: { path, content },
  });
  provider.answer = inTurn(
    { text: 'I will look first.', calls: [{ name: 'listDirectory', input: { path: '' } }] },
    { calls: [{ name: 'bash', input: { command: "printf '\\033[31mred\\033[0m owls'; exit 3" } }] },
    { calls: [write('first.md')] },
    { calls: [write('second.md', `Owls hunt.${'\n'.repeat(300)}They sleep.`)] },
    { calls: [write('third.md')] },
    { calls: [write('third.md')] },
    'The second note is written.',
  );
  await inBrowser(lane, async (page) => {
    await page.goto(`${service.url}/w/${workspaceId}/agent`);
    await page.getByRole('textbox', { name: 'What should the agent do?' }).fill('Write a note about owls.');
    await page.keyboard.press('Enter');
    const card = page.getByRole('article', { name: 'Approval request: writeFile' });
    await card.waitFor();
    await seen(page, 'first.md');
    assert.equal(await card.evaluate((node) => node.contains(document.activeElement)), false);
    await page.keyboard.press('Enter');
    await page.reload();
    await card.waitFor();
    await page.waitForFunction(() => document.title.startsWith('(1)'));
    await lookAtSteps(page);
    await card.scrollIntoViewIfNeeded(); // below the open steps; it can't be answered before it was visible
    await page.getByRole('button', { name: 'Deny' }).and(page.locator(':enabled')).waitFor();
    await tabTo(page, /^Deny.?$/); // with its key
    await page.keyboard.press('Enter');
    await page.keyboard.type('not this one');
    await page.keyboard.press('Enter');
    await seen(page, 'second.md');
    await card.getByText('After the run, you can undo its file changes').waitFor();
    await card.getByText('This is only the beginning.').waitFor(); // its end is below 300 empty lines
    await page.getByRole('button', { name: 'Allow', exact: true }).and(page.locator(':enabled')).click();
    await seen(page, 'third.md');
    await page
      .getByRole('button', { name: 'Always allow', exact: true })
      .and(page.locator(':enabled'))
      .click();
    await seen(page, 'The second note is written.');
    await page.getByText('Denied', { exact: true }).waitFor();
    await page.goto(`${service.url}/w/${workspaceId}/agent`);
    await seen(page, '1 failed call');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('stopped');
    await seen(page, 'No matching runs');
    assert.match(page.url(), /status=stopped/);
  });
  const heard = JSON.stringify(provider.lastChat?.messages);
  assert.match(heard, /not this one/);
  const listed = await service.call<{ name: string }[]>(
    'GET',
    `/api/files/browse?workspaceId=${workspaceId}`,
  );
  const names = listed.body.map(({ name }) => name);
  assert.ok(names.includes('second.md') && !names.includes('first.md'), names.join());
}

/** Checks that a folder is shown as a table, command output as a terminal, and a change as a diff. */
async function lookAtSteps(page: Page): Promise<void> {
  await page.getByText('List folder', { exact: true }).click();
  await page.getByRole('cell', { name: 'weights.csv' }).first().waitFor();
  const failed = page.locator('summary', { hasText: 'Run command' });
  assert.match((await failed.getByText('Exit code 3').getAttribute('class')) ?? '', /text-danger/);
  await failed.click();
  const red = page.getByText('red', { exact: true });
  assert.match((await red.getAttribute('class')) ?? '', /text-danger/);
  await page.getByRole('article').getByText('+ Owls <b>hunt</b>.').waitFor();
}
