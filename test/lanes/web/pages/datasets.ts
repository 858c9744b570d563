import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { DescribedDataset } from '../../../../lib/datasets/schema.ts';
import { fakeFile, fakeRepo, textFile } from '../../../support/fakes/fake-hub.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const BIRDS = '{"name":"barn owl","grams":360}\n{"name":"kestrel","grams":180}\n';

export const datasetsPage: ConsolePage = {
  name: 'datasets',
  async visit(lane, workspaceId) {
    const slow = fakeRepo([textFile('train.jsonl', BIRDS), fakeFile('songs.bin', 4_000_000)]);
    slow.faults.set('songs.bin', { paceMs: 200 });
    lane.hub.repos.set('birds/owls', slow);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
      await goToPage(page, 'Datasets');
      await page.getByRole('link', { name: 'New dataset' }).click();
      await download(page);
      await pauseAndGoOn(page, () => slow.faults.clear());
      await lookInside(page);
      await takeFolder(page, lane);
      await turnPages(page);
      await beRidOf(page);
    });
  },
  async views({ service }, workspaceId) {
    const { body } = await service.call<DescribedDataset[]>('GET', '/api/datasets');
    const owls = body.find(({ repoId }) => repoId === 'birds/owls');
    const base = `/w/${workspaceId}/datasets`;
    return [
      { name: 'datasets', path: base, ready: 'main ul a' },
      { name: 'dataset', path: `${base}/${owls?.id}`, ready: 'text=barn owl' },
      { name: 'dataset-new', path: `${base}/new`, ready: 'main form' },
    ];
  },
  async plant({ service, hub }, workspaceId, texts) {
    const rows = texts.map((text) => JSON.stringify({ [text.slice(0, 60)]: text, plain: text }));
    const description = texts.join('\n').replaceAll('\0', '');
    hub.repos.set('birds/hostile', fakeRepo([textFile('train.jsonl', rows.join('\n'))], { description }));
    const fields = { repoId: 'birds/hostile', name: texts[1], allowPatterns: ['*', texts[0]] };
    const { body, status } = await service.call<DescribedDataset>('POST', '/api/datasets', fields);
    assert.equal(status, 201);
    const base = `/w/${workspaceId}/datasets`;
    return [
      { name: 'datasets', path: base, ready: 'main ul a' },
      { name: 'dataset-new', path: `${base}/new?repo=birds/hostile`, ready: 'main dl' },
      { name: 'dataset', path: `${base}/${body.id}`, ready: 'main [role=group] > table td:visible' },
    ];
  },
};

/** The hub's description is shown first. An unknown name is reported with its message. */
async function download(page: Page): Promise<void> {
  await page.getByLabel('Repository').fill('birds/nobody');
  await page.getByRole('button', { name: 'Fetch details' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Repository').fill('https://hub.example/datasets/birds/owls');
  await page.getByRole('button', { name: 'Fetch details' }).click();
  await seen(page, 'a fake');
  await page.getByLabel('Revision').selectOption('v1.0');
  await page.getByLabel('Exclude files').fill('*.md');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('heading', { name: 'owls' }).waitFor();
}

/** Only actions that its state allows are offered. */
async function pauseAndGoOn(page: Page, unchain: () => void): Promise<void> {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Refresh' }).count(), 0);
  unchain();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
}

async function lookInside(page: Page): Promise<void> {
  await page.getByRole('cell', { name: 'barn owl' }).waitFor();
  await seen(page, 'Rows 1–2 of 2');
  await page.getByText('Files: 1, rows: 2').click();
  await page.getByRole('cell', { name: 'train.jsonl' }).waitFor();
  await page.getByRole('button', { name: 'Link here' }).click();
  await page.getByRole('main').getByRole('listitem').filter({ hasText: 'library' }).waitFor();
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('button', { name: 'Link here' }).click();
  await page.getByRole('button', { name: 'Unlink' }).waitFor();
}

async function takeFolder(page: Page, { service }: Lane): Promise<void> {
  const folder = join(service.root, 'measured');
  await mkdir(folder, { recursive: true });
  const rows = Array.from({ length: 250 }, (_, each) => `kestrel ${each},180\n`);
  await writeFile(join(folder, 'weights.csv'), `name,grams\n${rows.join('')}`);
  await page.getByRole('main').getByRole('link', { name: 'Datasets' }).click();
  await page.getByRole('link', { name: 'New dataset' }).click();
  await page.getByText('Folder', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill(folder);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'measured' }).waitFor();
  await page.getByRole('cell', { name: 'kestrel 99', exact: true }).waitFor();
}

/** The URL contains the state of the page: Back and a reload restore it. */
async function turnPages(page: Page): Promise<void> {
  await seen(page, 'Rows 1–100 of 250');
  const [before, after] = ['Previous rows', 'Next rows'].map((name) => page.getByRole('button', { name }));
  assert.equal(await before?.isDisabled(), true);
  await after?.click();
  await seen(page, 'Rows 101–200 of 250');
  await page.getByRole('cell', { name: 'kestrel 100', exact: true }).waitFor();
  await after?.click();
  await seen(page, 'Rows 201–250 of 250');
  assert.equal(await after?.isDisabled(), true);
  await page.reload();
  await page.getByRole('cell', { name: 'kestrel 249', exact: true }).waitFor();
  await page.goBack();
  await seen(page, 'Rows 101–200 of 250');
  await before?.click();
  await page.getByRole('cell', { name: 'kestrel 0', exact: true }).waitFor();
}

/** Nothing is deleted from an imported folder, and no question is asked about its files. */
async function beRidOf(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete' }).click();
  await seen(page, /The folder stays as it is/);
  assert.equal(await page.getByRole('dialog').getByRole('checkbox').count(), 0);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/datasets$/);
  await page.getByRole('link', { name: 'owls', exact: true }).waitFor();
  await page.getByRole('link', { name: 'measured' }).waitFor({ state: 'detached' });
}
