import assert from 'node:assert/strict';
import { inTurn } from '../../support/fake-openai.ts';
import { inBrowser, type Lane, seen } from './lane.ts';
import { tabTo } from './main-job.ts';

/** A run that asks: nobody answers by accident, a reload finds it waiting, and the keyboard is enough. */
export async function lookAtAgent(lane: Lane, workspaceId: string): Promise<void> {
  const { service, provider } = lane;
  const rules = [{ tool: 'writeFile', pattern: '**', action: 'ask' }];
  const { status, bytes } = await service.call('PUT', `/api/workspaces/${workspaceId}/permissions`, {
    rules,
  });
  assert.equal(status, 200, bytes.toString());
  const write = (path: string) => ({ name: 'writeFile', input: { path, content: 'Owls <b>hunt</b>.' } });
  provider.answer = inTurn(
    { text: 'I will look first.', calls: [{ name: 'listDirectory', input: { path: '' } }] },
    { calls: [write('first.md')] },
    { calls: [write('second.md')] },
    'The second note is written.',
  );
  await inBrowser(lane, async (page) => {
    await page.goto(`${service.url}/w/${workspaceId}/agent`);
    await page.getByRole('textbox', { name: 'What is to be done?' }).fill('Write a note about owls.');
    await page.keyboard.press('Enter');
    const card = page.getByRole('article', { name: 'Approval of writeFile' });
    await card.waitFor();
    await seen(page, 'first.md');
    assert.equal(await card.evaluate((node) => node.contains(document.activeElement)), false);
    await page.keyboard.press('Enter');
    await page.reload();
    await card.waitFor();
    await page.waitForFunction(() => document.title.startsWith('(1)'));
    await page.getByRole('button', { name: 'Refuse' }).and(page.locator(':enabled')).waitFor();
    await tabTo(page, /^Refuse$/);
    await page.keyboard.press('Enter');
    await seen(page, 'second.md');
    await page.getByRole('button', { name: 'Allow…' }).and(page.locator(':enabled')).click();
    await page.getByRole('button', { name: 'Yes, do exactly this' }).click();
    await seen(page, 'The second note is written.');
    await page.getByText('refused', { exact: true }).waitFor();
  });
  const listed = await service.call<{ name: string }[]>(
    'GET',
    `/api/files/browse?workspaceId=${workspaceId}`,
  );
  const names = listed.body.map(({ name }) => name);
  assert.ok(names.includes('second.md') && !names.includes('first.md'), names.join());
}
