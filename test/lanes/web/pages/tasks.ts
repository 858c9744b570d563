import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Task } from '../../../../lib/tasks/schema.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

export const tasksPage: ConsolePage = {
  name: 'tasks',
  async visit(lane, workspaceId) {
    lane.provider.answer = () => 'Nothing new about owls.';
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Tasks');
      await page.getByRole('link', { name: 'New task' }).click();
      await makeTask(page);
      await runNow(page);
      await change(page, lane, workspaceId);
    });
  },
  async views({ service }, workspaceId) {
    const { body } = await service.call<Task[]>('GET', `/api/scheduled-tasks?workspaceId=${workspaceId}`);
    const base = `/w/${workspaceId}/tasks`;
    return [
      { name: 'tasks', path: base, ready: 'main ul a' },
      { name: 'task', path: `${base}/${body[0]?.id}`, ready: 'main ul li' },
      { name: 'task-edit', path: `${base}/${body[0]?.id}/edit`, ready: 'main ol li' },
    ];
  },
  async plant({ service }, workspaceId, texts) {
    const base = `/w/${workspaceId}/tasks`;
    const body = {
      name: texts[1],
      taskType: 'custom',
      schedule: '0 7 * * *',
      workspaceId,
      config: {
        prompt: texts.join('\n').replaceAll('\0', ''),
        permits: [{ tool: 'bash', pattern: texts[0] }],
      },
    };
    const { body: made } = await service.call<Task>('POST', '/api/scheduled-tasks', body);
    return [
      { name: 'tasks', path: base, ready: 'main ul a' },
      { name: 'task', path: `${base}/${made.id}`, ready: 'main dl' },
      { name: 'task-edit', path: `${base}/${made.id}/edit`, ready: 'main ol li' },
    ];
  },
};

/**
 * Errors in a schedule, and the next runs in the zone's local time, are shown while the schedule is typed.
 */
async function makeTask(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Look for owls');
  await page.getByLabel('Prompt', { exact: true }).fill('What is new about owls?');
  await page.getByLabel('Time zone').selectOption('Asia/Shanghai');
  await page.getByLabel('Frequency').selectOption('weekdays');
  await page.getByLabel('Time', { exact: true }).fill('09:00');
  await page.getByLabel('Frequency').selectOption({ label: 'Cron expression' });
  const schedule = page.getByLabel('Cron expression');
  assert.equal(await schedule.inputValue(), '0 9 * * 1-5');
  await schedule.fill('0 7 * *');
  await seen(page, 'This has 4.');
  await schedule.fill('0 7 30 2 *');
  await seen(page, /^This date never occurs/);
  await schedule.fill('0 25 * * *');
  await seen(page, "“25” isn't a valid hour.");
  await page.getByLabel('Frequency').selectOption('weekly');
  await page.getByLabel('Time', { exact: true }).fill('08:00');
  const runs = page.locator('ol li');
  await runs.nth(4).waitFor();
  for (const text of await runs.allTextContents()) assert.match(text, /Mon.*(08:00|8:00).*GMT\+8/);
  await page.getByRole('button', { name: 'Allow action' }).click();
  await page.getByLabel('Pattern').fill('owls/**');
  await page.reload();
  assert.equal(await page.getByLabel('Pattern').inputValue(), 'owls/**');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Look for owls' }).waitFor();
}

async function runNow(page: Page): Promise<void> {
  await seen(page, 'No runs yet');
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('main').getByRole('listitem').getByText('Done').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Open note' }).click();
  await seen(page, 'Nothing new about owls.');
  await page.goBack();
}

async function change(page: Page, { service }: Lane, workspaceId: string): Promise<void> {
  const list = () => service.call<Task[]>('GET', `/api/scheduled-tasks?workspaceId=${workspaceId}`);
  await page.getByLabel('Enabled').uncheck();
  await seen(page, 'Disabled');
  assert.equal((await list()).body[0]?.isEnabled, false);
  await page.getByRole('link', { name: 'Edit task' }).click();
  await page.getByLabel('Task type').selectOption('daily_report');
  await page.getByRole('combobox', { name: 'Day', exact: true }).selectOption('today');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Look for owls' }).waitFor();
  const [task] = (await list()).body;
  assert.deepEqual([task?.taskType, task?.config.day], ['daily_report', 'today']);
  await page.getByLabel('Enabled').check();
  await page.getByText('Disabled').waitFor({ state: 'detached' });
}
