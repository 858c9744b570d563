import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const OWN = 'The barn owl nests in the tower.';
const OTHER = 'The barn owl nests in the old mill.';

async function fill(lane: Lane, name: string, text: string): Promise<string> {
  const { id, root } = await makeWorkspace(lane.service, name);
  await writeFile(join(root, 'nest.md'), `${text}\n`);
  await syncWorkspace(lane.service, id);
  return id;
}

/** A question about two workspaces is cited from both, and a citation opens the file in its own workspace. */
async function visit(lane: Lane): Promise<void> {
  const { service, provider } = lane;
  const id = await fill(lane, 'nests here', OWN);
  await fill(lane, 'nests there', OTHER);
  provider.answer = () => 'It nests in one place [1]. It nests in another place [2].';
  await inBrowser(lane, async (page) => {
    await page.goto(`${service.url}/w/${id}/chat`);
    await page.getByRole('button', { name: 'Also search in…' }).click();
    await page.getByRole('checkbox', { name: 'nests there' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('list', { name: 'Also searched' }).getByText('nests there').waitFor();
    await page.getByRole('textbox', { name: /^Ask about/ }).fill('Where does the barn owl nest?');
    await page.keyboard.press('Enter');
    const sources = page
      .getByRole('article', { name: 'Answer' })
      .getByRole('listitem')
      .filter({ hasText: 'nest.md' });
    await sources.filter({ hasText: 'nests there' }).getByRole('link').first().click();
    const panel = page.getByRole('region', { name: 'Source' });
    await panel.getByText(OTHER).first().waitFor();
    await panel.getByText('nests there').waitFor();
    assert.equal(await panel.getByText(OWN).count(), 0);
    await page.reload();
    await page.getByRole('button', { name: '1 more workspace' }).waitFor();
    await seen(page, 'It nests in another place');
  });
}

export const severalPage: ConsolePage = {
  name: 'a question about several workspaces',
  isApart: true,
  visit,
  views: async () => [],
};
