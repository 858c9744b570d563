import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Skill } from '../../../../lib/skills/schema.ts';
import { spread } from '../hostile-texts.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const own = async ({ service }: Lane, workspaceId: string) => {
  const { body } = await service.call<Skill[]>('GET', `/api/skills?workspaceId=${workspaceId}`);
  return body.find((skill) => skill.workspaceId === workspaceId);
};

export const skillsPage: ConsolePage = {
  name: 'skills',
  async visit(lane, workspaceId) {
    lane.provider.answer = () => 'The owls are counted.';
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Skills');
      await makeSkill(page);
      await runSkill(page, lane);
      await page.goto(`${lane.service.url}/w/${workspaceId}/skills`);
      await importOne(page);
    });
    assert.deepEqual((await own(lane, workspaceId))?.name, 'Brought along');
  },
  async views(lane, workspaceId) {
    const { body } = await lane.service.call<Skill[]>('GET', `/api/skills?workspaceId=${workspaceId}`);
    const counting = body.find(({ name }) => name === 'Count birds');
    const base = `/w/${workspaceId}/skills`;
    return [
      { name: 'skills', path: base, ready: 'main ul a' },
      { name: 'skill', path: `${base}/${counting?.id}`, ready: 'main form' },
      { name: 'skill-edit', path: `${base}/${counting?.id}/edit`, ready: 'textarea' },
    ];
  },
  async plant({ service }, workspaceId, texts) {
    const base = `/w/${workspaceId}/skills`;
    const clean = texts.map((text) =>
      text
        .slice(0, 190)
        .replaceAll(/\p{Cc}/gu, ' ')
        .toWellFormed(),
    );
    const body = {
      workspaceId,
      name: clean[1],
      description: clean.join('\n').slice(0, 2000),
      systemPrompt: clean.join('\n\n'),
      steps: spread(clean, 100).map((instruction) => ({ instruction, toolHint: instruction })),
      parameters: [
        { name: 'a', label: clean[0], type: 'select', required: true, options: clean.slice(0, 9) },
      ],
    };
    const { body: made, status, bytes } = await service.call<Skill>('POST', '/api/skills', body);
    assert.equal(status, 201, bytes.toString());
    return [
      { name: 'skills', path: base, ready: 'main ul a' },
      { name: 'skill', path: `${base}/${made.id}`, ready: 'main ol li' },
    ];
  },
};

async function makeSkill(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New skill' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Count birds');
  await page.getByLabel('Description').fill('Counts the birds of one kind.');
  await page.getByLabel('Instructions').fill('Count all {{bird}} in the files.');
  await page.getByLabel('Steps').fill('Look for the files\nCount');
  await page.getByRole('button', { name: 'Add parameter' }).click();
  await page.getByLabel('Name in the instructions').fill('bird');
  await page.getByLabel('Question').fill('Which bird?');
  await page.getByLabel('Type', { exact: true }).selectOption('select');
  await page.getByLabel('Options').fill('owl, kestrel');
  await page.getByLabel('Required').check();
  await page.reload();
  assert.equal(await page.getByLabel('Options').inputValue(), 'owl, kestrel');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Count birds' }).waitFor();
}

/** The required values are requested, and the run has them in its instructions. */
async function runSkill(page: Page, { provider }: Lane): Promise<void> {
  const run = page.getByRole('button', { name: 'Run skill' });
  await page.getByLabel('What should the agent do?').fill('Please.');
  assert.equal(await run.isDisabled(), true);
  await page.getByLabel('Which bird?').selectOption('owl');
  await run.click();
  await seen(page, 'The owls are counted.');
  const asked = JSON.stringify(provider.lastChat);
  assert.match(asked, /Count all owl in the files/);
}

async function importOne(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Count birds' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export SKILL.md' }).click();
  assert.equal((await download).suggestedFilename(), 'count-birds.md');
  await page.getByLabel('Enabled').uncheck();
  await page.getByRole('button', { name: 'Run skill' }).waitFor({ state: 'detached' });
  await page.getByLabel('Enabled').check();
  await page.getByRole('main').getByRole('link', { name: 'Skills' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByLabel('SKILL.md, JSON, or HTTPS URL').fill('no skill');
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByRole('alert').waitFor();
  const text = '---\nname: Brought along\ndescription: From elsewhere\n---\n\nDo as I say.\n';
  await page.getByLabel('SKILL.md, JSON, or HTTPS URL').fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'Brought along' }).waitFor();
  await seen(page, 'Do as I say.');
}
