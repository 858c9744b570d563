import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { inBrowser, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** A person rates answers, and an administrator sees it; webhooks, whose receiver is refused, because it is on this host. */
export const feedbackPage: ConsolePage = {
  name: 'feedback, webhooks',
  async visit(lane, workspaceId) {
    lane.provider.answer = () => 'Owls eat mice [1].';
    const id = 'rated';
    const messages = [{ id: 'q', role: 'user', content: 'What do owls eat?' }];
    const { status } = await lane.service.call('POST', '/api/chat', { workspaceId, id, messages });
    assert.equal(status, 200);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat/${id}`);
      await rate(page);
      await page.goto(`${lane.service.url}/settings/feedback`);
      await seeAll(page);
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await addWebhook(page);
    });
  },
  views: async () => [
    { name: 'feedback', path: '/settings/feedback', ready: 'main li' },
    { name: 'webhooks', path: '/settings/webhooks', ready: 'main li' },
  ],
  async plant({ service, provider }, workspaceId, texts) {
    provider.answer = () => 'Owls eat mice [1].';
    for (const [at, text] of texts.entries()) {
      const id = `rated-${at}`;
      const messages = [
        { id: 'q', role: 'user', content: text.replaceAll('\0', '').slice(0, 200).toWellFormed() || 'x' },
      ];
      await service.call('POST', '/api/chat', { workspaceId, id, messages });
      const path = `/api/conversations/${id}`;
      const { body } = await service.call<{ messages: { id: string }[] }>('GET', path);
      const comment = text.slice(0, 2000).toWellFormed();
      await service.call('PUT', `${path}/messages/${body.messages[1]?.id}/feedback`, {
        rating: 'down',
        comment,
      });
    }
    return [{ name: 'feedback', path: '/settings/feedback', ready: 'text=onerror' }];
  },
};

async function rate(page: Page): Promise<void> {
  const [up, down] = ['Good answer', 'Bad answer'].map((name) => page.getByRole('button', { name }));
  await up?.click();
  await seen(page, /Administrators see your name/);
  await page.keyboard.press('Escape');
  await down?.click();
  await page.getByLabel('Wrong sources').check();
  await page.getByLabel('Comment').fill('It quotes the old version.');
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('button[aria-pressed=true][aria-label="Bad answer"]').click();
  assert.ok(await page.getByLabel('Wrong sources').isChecked());
  await page.getByRole('button', { name: 'Delete feedback' }).click();
  await page.locator('button[aria-pressed=false][aria-label="Bad answer"]').click();
  await page.getByLabel('Incomplete').check();
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await page.locator('button[aria-pressed=true][aria-label="Bad answer"]').waitFor();
}

async function seeAll(page: Page): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: 'What do owls eat?' });
  await row.getByText('Incomplete').waitFor();
  await page.getByText('Good', { exact: true }).click();
  await seen(page, 'No feedback found');
  await page.getByText('All', { exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export collection' }).click();
  const bytes = await readFile(await (await saved).path());
  assert.ok(bytes.includes('feedback/corpus.jsonl'));
}

/** Its secret is shown once, and nowhere in the tab. */
async function addWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Name', { exact: true }).fill('team chat');
  await page.getByLabel('URL', { exact: true }).fill('https://127.0.0.1/hook');
  await page.getByLabel('A budget is used up').uncheck();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await page.getByLabel('Signing secret').inputValue();
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: "I've copied it" }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'team chat' });
  await row.getByText('Enabled', { exact: true }).waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.body.textContent]),
  );
  assert.ok(!kept.includes(secret));
  await row.getByRole('button', { name: 'Send test' }).click();
  await row.getByText('url must lead to a public address.').waitFor();
  await row.getByRole('button', { name: 'Disable' }).click();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Enable' }).click();
  await row.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  assert.notEqual(await page.getByLabel('Signing secret').inputValue(), secret);
  await page.getByRole('button', { name: "I've copied it" }).click();
}
