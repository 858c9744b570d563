import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inTurn } from '../../../support/fakes/fake-openai.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** Answers waiting calls by one key each, or all at once, with the keyboard alone. */
export const approvals: ConsolePage = {
  name: 'approvals by key',
  isApart: true,
  async visit(lane) {
    await inBrowser(lane, async (page) => {
      const id = await makeAskingWorkspace(lane, 'keys');
      await answerByKeys(page, lane, id);
      await answerAll(page, lane, id);
      await listKeys(page);
    });
  },
  async views(lane) {
    const id = await makeAskingWorkspace(lane, 'waits');
    const bash = { name: 'bash', input: { command: 'rm -rf data' } };
    lane.provider.answer = inTurn({ calls: [write('notes/a.md'), bash] });
    const messages = [{ role: 'user', content: 'Write.' }];
    await lane.service.call('POST', '/api/agent', { workspaceId: id, cwd: '', mode: 'agent', messages });
    const runs = `/api/agent/runs?workspaceId=${id}`;
    const { body } = await lane.service.call<{ id: string }[]>('GET', runs);
    return [{ name: 'approvals', path: `/w/${id}/agent/${body[0]?.id}`, ready: 'article' }];
  },
};

async function makeAskingWorkspace({ service }: Lane, name: string): Promise<string> {
  const path = `${service.root}/${name}`;
  const { body } = await service.call<{ id: string }>('POST', '/api/workspaces', { path, ask: 'changes' });
  return body.id;
}

const write = (path: string) => ({ name: 'writeFile', input: { path, content: path } });

async function start({ page, lane, id }: { page: Page; lane: Lane; id: string }): Promise<void> {
  await page.goto(`${lane.service.url}/w/${id}/agent`);
  await page.getByRole('textbox', { name: 'What should the agent do?' }).fill('Write.');
  await page.keyboard.press('Enter');
}

/** Waits until the first card takes keys, and presses one. */
async function press(page: Page, effect: string, key: string): Promise<void> {
  const first = page.locator('article[aria-current=true]');
  await first.getByText(effect).first().waitFor();
  await first.getByRole('button', { name: 'Allow', exact: true }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press(key);
}

/**
 * Presses `y` as soon as the first card appears, before a person could look at it. This must change nothing.
 */
async function pressAtOnce(page: Page): Promise<void> {
  const titles = await page.evaluate(
    () =>
      new Promise<(string | null)[]>((done) => {
        const look = () => {
          const buttons = [...document.querySelectorAll('article[aria-current=true] button')];
          if (buttons.length === 0) return;
          seen.disconnect();
          dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }));
          done(buttons.map((button) => button.getAttribute('title')));
        };
        const seen = new MutationObserver(look);
        seen.observe(document.body, { childList: true, subtree: true });
        look();
      }),
  );
  assert.ok(titles.includes(SETTLING), titles.join());
}

async function answerByKeys(page: Page, lane: Lane, id: string): Promise<void> {
  lane.provider.answer = inTurn(
    { calls: [write('a.md')] },
    { calls: [write('b.md')] },
    { calls: [write('b.md')] },
    { calls: [write('c.md')] },
    { calls: [write('d.md')] },
    { calls: [write('d.md')] },
    'All is written.',
  );
  await start({ page, lane, id });
  await pressAtOnce(page);
  await press(page, 'a.md', 'y');
  await press(page, 'b.md', 'r');
  await press(page, 'c.md', 'n');
  await page.getByRole('textbox', { name: /^Reason for denial/ }).pressSequentially('any reason: y r a');
  await page.keyboard.press('Enter');
  await page.locator('article[aria-current=true]').getByText('d.md', { exact: true }).first().waitFor();
  await press(page, 'd.md', 'a');
  await seen(page, 'All is written.');
  assert.match(JSON.stringify(lane.provider.lastChat?.messages), /any reason: y r a/);
  const { body } = await lane.service.call<{ rules: unknown[] }>('GET', `/api/workspaces/${id}/permissions`);
  assert.equal(body.rules.length, 3);
}

const SETTLING = 'Look at this first. The buttons and keys work in a moment.';

/** Answering everything at once needs a look at each call, and the Tab key finds the button. */
async function answerAll(page: Page, lane: Lane, id: string): Promise<void> {
  const calls = ['e.md', 'f.md', 'g.md'].map(write);
  lane.provider.answer = inTurn({ calls }, { calls: [write('h.md'), write('i.md')] }, 'It is over.');
  await page.setViewportSize({ width: 900, height: 600 });
  await start({ page, lane, id });
  await seen(page, '3 calls are waiting');
  const all = page.getByRole('button', { name: 'Allow all 3' });
  for (const card of await page.locator('article').all()) {
    await card.scrollIntoViewIfNeeded();
    await page.waitForTimeout(1000);
  }
  await all.and(page.locator(':enabled')).focus();
  await page.keyboard.press('Enter');
  await seen(page, '2 calls are waiting');
  for (const card of await page.locator('article').all()) {
    await card.scrollIntoViewIfNeeded();
    await page.waitForTimeout(1000);
  }
  await page.getByRole('button', { name: 'Deny all 2' }).and(page.locator(':enabled')).focus();
  await page.keyboard.press('Enter');
  await seen(page, 'It is over.');
  const query = `workspaceId=${id}&path=`;
  const { body } = await lane.service.call<{ name: string }[]>('GET', `/api/files/browse?${query}`);
  const names = body.map(({ name }) => name);
  assert.deepEqual(names, ['a.md', 'b.md', 'd.md', 'e.md', 'f.md', 'g.md']);
}

async function listKeys(page: Page): Promise<void> {
  await page.locator('body').press('?');
  await page.getByRole('dialog').getByText('Allow the first waiting call').waitFor();
}
