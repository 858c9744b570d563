import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { DescribedTable, TableSummary } from '../../../../lib/evidence/request-schema.ts';
import { evidenceAnswer } from '../../../support/evidence-model.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const NAME = 'Owls of four studies';
const WEIGHTS = ['310 g', '330 g', '295 g', '4,100 g', '305 g', '320 g'];
const SUGGESTED = {
  columns: [
    { name: 'Weight', question: 'Weight', type: 'number', unit: 'g' },
    { name: 'Prey', question: 'Prey', type: 'choice', choices: ['Mice', 'Fish'] },
    { name: 'Place', question: 'Place', type: 'text' },
  ],
};

/** A person suggests columns, reads the first documents, looks at a cell, corrects it, and reads the rest. */
export const evidencePage: ConsolePage = {
  name: 'evidence tables',
  async visit(lane, workspaceId) {
    await plantStudies(lane, workspaceId);
    const answer = evidenceAnswer();
    lane.provider.answer = (request) =>
      String(request.messages[0]?.content).startsWith('You plan the columns')
        ? JSON.stringify(SUGGESTED)
        : answer(request);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Evidence tables');
      await create(page);
      await lookAtCells(page);
      await readRest(page);
    });
  },
  async views({ service }, workspaceId) {
    const path = `/api/evidence-tables?workspaceId=${workspaceId}`;
    const { body } = await service.call<TableSummary[]>('GET', path);
    const id = body.find(({ name }) => name === NAME)?.id;
    if (id === undefined) return []; // pictures of another page only
    const { body: table } = await service.call<DescribedTable>('GET', `/api/evidence-tables/${id}`);
    const place = table.columns.find(({ name }) => name === 'Place')?.id;
    const base = `/w/${workspaceId}/tables`;
    const row = encodeURIComponent('studies/owl-2.md');
    return [
      { name: 'evidence-tables', path: base, ready: `text=${NAME}` },
      { name: 'evidence-table', path: `${base}/${id}`, ready: 'main table tbody tr' },
      { name: 'evidence-cell', path: `${base}/${id}?row=${row}&column=${place}&source=1`, ready: 'mark' },
    ];
  },
};

async function plantStudies({ service }: Lane, workspaceId: string): Promise<void> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  const folder = join(body.rootPath, 'studies');
  await mkdir(folder, { recursive: true });
  for (const [at, weight] of WEIGHTS.entries()) {
    const places = at === 2 ? 'Place: Norway\n\nPlace: Finland' : `Place: ${['Sweden', 'Norway'][at % 2]}`;
    const text = `# Owl study ${at}\n\nWeight: ${weight}\n\nPrey: mice\n\n${places}\n`;
    await writeFile(join(folder, `owl-${at}.md`), text);
  }
  await syncWorkspace(service, workspaceId);
}

async function create(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByLabel('Documents by pattern').fill('studies/*.md');
  await page.getByLabel('Question of the table').fill('What do owls weigh and eat?');
  await page.getByRole('button', { name: 'Suggest columns' }).click();
  await page.getByLabel('Name of column 3').waitFor();
  assert.equal(await page.getByLabel('Unit').inputValue(), 'g');
  await checkByAxe(page, 'the form of an evidence table');
  await page.getByRole('button', { name: 'Create table' }).click();
  await page.waitForURL(/\/tables\/[0-9a-f-]{36}$/);
  await seen(page, /The missing cells take about 3 model calls/);
}

async function lookAtCells(page: Page): Promise<void> {
  await seen(page, '1 cell needs a look.');
  const row = page.getByRole('row', { name: /Owl study 2/ });
  await row.getByRole('link', { name: 'Disputed' }).click();
  const card = page.getByRole('region', { name: 'Cell', exact: true });
  await card.getByText('The document states several values.').waitFor();
  await card.getByRole('link', { name: /Finland/ }).click();
  const source = page.getByRole('region', { name: 'Source', exact: true });
  await source.locator('mark').filter({ hasText: 'Finland' }).first().waitFor();
  await checkByAxe(page, 'a cell with its source');
  await page.keyboard.press('Escape');
  await card.getByLabel('Value').fill('Finland');
  await card.getByRole('button', { name: 'Save correction' }).click();
  await row.getByText('Corrected').waitFor();
  await seen(page, 'No cell needs a look.');
}

async function readRest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Read the rest' }).click();
  await seen(page, /18 found|17 found/);
  await page.getByText('Outlier').waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Excel/ }).click();
  assert.equal((await saved).suggestedFilename(), 'owls-of-four-studies.xlsx');
}
