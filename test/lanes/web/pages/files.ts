import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { UploadParts } from '../../../../lib/files/schema.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import type { Service } from '../../../support/service.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { View } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const DOCUMENTS = resolve(import.meta.dirname, '../../../golden/documents');
const PARQUET = resolve(import.meta.dirname, '../../../support/parquet/rows-snappy.parquet');
const PAGES = 40;
const QUOTE = 'their feathers make no sound on page 33';
const HTML = `<h1>Owls</h1><p>They <b>hunt</b>.</p><script>window.pwned=1;parent.pwned=1</script>`;

/** Files that stall or crash a tab if they are opened like any other file: for 25 to 90 s, or permanently. */
const STALLING = {
  'stall.c': 'a'.repeat(99_000),
  'stall.json': '['.repeat(90_000),
  'stall.html': '<table><tr><td>'.repeat(1_000),
  'stall.ipynb': JSON.stringify({
    nbformat: 4,
    cells: Array.from({ length: 2_000 }, () => ({ cell_type: 'markdown', source: '*a* '.repeat(500) })),
  }),
};
const MAX_STALL_MS = 5_000;

/** Opens files of each kind, searches in them, changes them, and is notified of others' changes. */
async function visit(lane: Lane, workspaceId: string): Promise<void> {
  const folder = await plantFiles(lane, workspaceId);
  const open = (page: Page) => (search: Record<string, string>) => openFile(page, lane, workspaceId, search);
  await Promise.all([
    inBrowser(lane, async (page) => {
      await lookAtPdf(page, open(page));
      await lookAtOthers(page, open(page));
      await findWords(page);
      await change(page, open(page), folder);
      await manage(page, open(page));
      await add(page, open(page), folder);
    }),
    // Mostly waits.
    inBrowser(lane, async (page) => {
      await lookAtStalling(page, open(page), folder);
      await goOnAfterReload(page, lane, workspaceId, folder);
    }),
  ]);
}

type Open = (search: Record<string, string>) => Promise<void>;

async function openFile(page: Page, { service }: Lane, workspaceId: string, search: Record<string, string>) {
  await page.goto(`${service.url}/w/${workspaceId}/files?${new URLSearchParams(search)}`);
}

async function plantFiles({ service }: Lane, workspaceId: string): Promise<string> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  const folder = body.rootPath;
  const lines = (page: number) => [
    `Page ${page} of the book`,
    'Owls hunt at night: their feath-',
    `ers make no sound on page ${page}.`,
  ];
  const pages = Array.from({ length: PAGES }, (_, index) => lines(index + 1).join(') Tj 0 -20 Td ('));
  await writeFile(join(folder, 'book.pdf'), makePdf(pages));
  await writeFile(join(folder, 'short.pdf'), makePdf(pages.slice(0, 3)));
  for (const name of ['apes.xlsx', 'apes.docx', 'apes.ipynb'])
    await copyFile(join(DOCUMENTS, name), join(folder, name));
  await copyFile(PARQUET, join(folder, 'rows.parquet'));
  await writeFile(join(folder, 'page.html'), HTML);
  await writeFile(
    join(folder, 'hunt.ts'),
    "export const when = 'night'; // dark\r\nexport const who = 'owls';\r\n",
  );
  await syncWorkspace(service, workspaceId);
  return folder;
}

async function lookAtPdf(page: Page, open: Open): Promise<void> {
  await open({ path: 'book.pdf', page: '33', quote: QUOTE });
  await page.locator('[data-quote-mark]').nth(1).waitFor();
  await page.getByRole('group', { name: 'Page 33' }).waitFor();
  await page.waitForFunction(
    () => document.querySelector('input[type=number]')?.getAttribute('value') === '33',
  );
  for (const number of ['1', '2', '3', '2']) {
    await open({ path: 'short.pdf', page: number, quote: `make no sound on page ${number}` });
    await staysInSight(page);
  }
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await staysInSight(page);
  await open({ path: 'book.pdf', page: '2', quote: 'these words are not there' });
  await seen(page, "The quote wasn't found on page 2");
  assert.equal(await page.locator('[data-quote-mark]').count(), 0);
}

/**
 * The quote is in the middle of the pane; on a page shown from its top, it may be above the middle, and at
 * the end of a file below it. No late layout change moves it.
 */
async function staysInSight(page: Page): Promise<void> {
  await page.locator('[data-quote-mark]').first().waitFor();
  const isThere = () => {
    const mark = document.querySelector('[data-quote-mark]');
    const pane = mark?.closest('[aria-label="File contents"]');
    if (!mark || !pane) return false;
    const { top, height } = mark.getBoundingClientRect();
    const box = pane.getBoundingClientRect();
    const away = top + height / 2 - (box.top + box.height / 2);
    const pageTop = (mark.closest('.pdf-page')?.getBoundingClientRect().top ?? 0) - box.top;
    const isFromTop = away < 0 && pageTop >= 0 && pageTop < 20;
    const isAtEnd = away > 0 && pane.scrollTop > pane.scrollHeight - box.height - 1;
    const watched = window as { inSight?: number };
    const isInSight = Math.abs(away) < 20 || (Math.abs(away) < box.height / 2 && (isFromTop || isAtEnd));
    watched.inSight = isInSight ? (watched.inSight ?? 0) + 1 : 0;
    return watched.inSight >= 8;
  };
  await page.waitForFunction(isThere, undefined, { polling: 100 });
}

async function lookAtOthers(page: Page, open: Open): Promise<void> {
  await open({ path: 'apes.xlsx', lines: '4-4' });
  await page.getByRole('rowheader', { name: '40' }).locator('mark').waitFor();
  await open({ path: 'apes.xlsx', lines: '4-4', quote: '12345678.5' });
  await page.getByRole('columnheader', { name: 'B', exact: true }).waitFor();
  assert.deepEqual(await page.getByRole('cell').locator('mark').allTextContents(), ['12345678.5']);
  await open({ path: 'apes.docx', lines: '23-24', quote: '12 m' });
  await page.getByRole('cell', { name: /^12 m/ }).locator('mark').waitFor();
  await page.getByRole('heading', { name: 'Methods' }).waitFor();
  await open({ path: 'apes.ipynb' });
  await seen(page, 'climbs high');
  await open({ path: 'rows.parquet' });
  await page.getByRole('rowheader', { name: '1', exact: true }).waitFor();
  await open({ path: 'hunt.ts' });
  await page.locator('.code-keyword').first().waitFor();
  await open({ path: 'page.html' });
  await page.frameLocator('iframe').getByRole('heading', { name: 'Owls' }).waitFor();
  assert.equal(await page.evaluate(() => 'pwned' in window), false);
}

/** Checks that the page responds while the file is open, and for a while after. */
async function lookAtStalling(page: Page, open: Open, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(STALLING)) {
    await writeFile(join(folder, name), content);
    await open({ path: name });
    await page.locator('[aria-label="File contents"]').waitFor();
    for (let look = 0; look < 4; look++) {
      const asked = performance.now();
      await page.evaluate(() => document.title);
      const stalledMs = performance.now() - asked;
      assert.ok(stalledMs < MAX_STALL_MS, `${name} holds the page up for ${Math.round(stalledMs)} ms`);
      await setTimeout(500);
    }
    await rm(join(folder, name));
  }
}

async function findWords(page: Page): Promise<void> {
  await goToPage(page, 'Search');
  await page.getByRole('searchbox', { name: 'Keywords or a question' }).fill('feathers sound page 33');
  await page.keyboard.press('Enter');
  const first = page.getByRole('link', { name: /book\.pdf\s*Page 33/ });
  await first.locator('mark').first().waitFor();
  await first.click();
  await page.locator('[data-quote-mark]').first().waitFor();
  assert.match(page.url(), /page=33/);
  await page.goBack();
  await seen(page, 'best match first');
}

/** Typed text survives a reload, line endings are kept, and no change is lost. */
async function change(page: Page, open: Open, folder: string): Promise<void> {
  await open({ path: 'hunt.ts' });
  const field = page.getByRole('textbox', { name: 'Text of hunt.ts' });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await field.fill("export const who = 'barn owls';\n");
  await page.reload();
  await field.waitFor();
  assert.equal(await field.inputValue(), "export const who = 'barn owls';\n");
  await writeFile(join(folder, 'hunt.ts'), "export const who = 'eagles';\r\n");
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await seen(page, 'Someone changed the file while you were editing');
  await page.getByRole('region', { name: 'Current version' }).getByText('eagles').waitFor();
  assert.match(await readFile(join(folder, 'hunt.ts'), 'utf8'), /eagles/);
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await seen(page, 'barn owls');
  assert.equal(await readFile(join(folder, 'hunt.ts'), 'utf8'), "export const who = 'barn owls';\r\n");
}

/** A file is created, moved, and deleted. */
async function manage(page: Page, open: Open): Promise<void> {
  await open({});
  const choose = async (item: string | RegExp) => {
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const answer = async (path: string, button: string) => {
    await page.getByLabel('Path').fill(path);
    await page.getByRole('dialog').getByRole('button', { name: button }).click();
  };
  await page.getByRole('treeitem', { name: /book\.pdf/ }).waitFor();
  await choose('New file');
  await answer('drafts/new.md', 'Create');
  await page.getByRole('textbox', { name: 'Text of drafts/new.md' }).fill('# New\n');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'New', exact: true }).waitFor();
  await page.getByRole('treeitem', { name: /new\.md/ }).click();
  await choose(/^Rename or move/);
  await answer('drafts/old.md', 'Move');
  await page.getByRole('treeitem', { name: /old\.md/ }).click();
  assert.match(page.url(), /old\.md/);
  await choose(/^Delete/);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('treeitem', { name: /old\.md/ }).waitFor({ state: 'detached' });
}

/** An existing file is replaced only after a confirmation. A large file is sent to a presigned URL. */
async function add(page: Page, open: Open, folder: string): Promise<void> {
  await open({});
  await page.getByRole('treeitem', { name: /book\.pdf/ }).waitFor();
  const before = await readFile(join(folder, 'hunt.ts'), 'utf8');
  const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(4_500_000, 'owls ') };
  const again = { name: 'hunt.ts', mimeType: 'text/plain', buffer: Buffer.from('replaced') };
  await page.locator('input[type=file]').setInputFiles([large, again]);
  await page.getByRole('dialog', { name: 'Replace 1 existing file?' }).waitFor();
  await page.getByRole('button', { name: 'Skip' }).click();
  await seen(page, '1 of 1 added');
  await page.getByRole('treeitem', { name: /large\.txt/ }).click();
  await seen(page, 'owls owls');
  assert.equal(await readFile(join(folder, 'hunt.ts'), 'utf8'), before);
}

/**
 * A reload interrupts a large upload; the same file chosen again sends the missing parts, over a connection
 * that is lost once.
 */
async function goOnAfterReload(page: Page, lane: Lane, workspaceId: string, folder: string): Promise<void> {
  const bytes = randomBytes(20_000_000);
  const file = join(await tempFolder(), 'long.bin');
  await writeFile(file, bytes);
  page.on('dialog', (dialog) => dialog.accept());
  const { promise: cut, resolve: isCut } = Promise.withResolvers<string>();
  await page.route('**/objects/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/0')) return route.continue();
    isCut(pathname.split('/').at(-2)?.replace('.parts', '') ?? '');
  });
  await openFile(page, lane, workspaceId, {});
  await page.locator('input[type=file]').setInputFiles(file);
  await firstHasCome(lane.service, await cut);
  await page.reload();
  await seen(page, '1 upload was interrupted');
  const sent = await loseOnce(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles(file);
  await seen(page, '1 of 1 added');
  assert.deepEqual(sent, ['1', '1', '2']);
  assert.ok(bytes.equals(await readFile(join(folder, 'long.bin'))));
  await page.reload();
  await page.getByRole('treeitem', { name: /long\.bin/ }).waitFor();
  assert.equal(await page.getByText('was interrupted').count(), 0);
}

async function firstHasCome(service: Service, uploadId: string): Promise<void> {
  const missing = async () => {
    const path = `/api/files/uploads/${uploadId}/parts`;
    const { body } = await service.call<UploadParts>('POST', path);
    return body.missing.length;
  };
  while ((await missing()) > 2) await setTimeout(100);
}

/** Returns the parts that are sent from now on; the first of them fails. */
async function loseOnce(page: Page): Promise<(string | undefined)[]> {
  const sent: (string | undefined)[] = [];
  await page.unroute('**/objects/**');
  await page.route('**/objects/**', (route) => {
    sent.push(new URL(route.request().url()).pathname.split('/').at(-1));
    return sent.length === 1 ? route.abort('connectionreset') : route.continue();
  });
  return sent;
}

async function views(_lane: Lane, workspaceId: string): Promise<View[]> {
  const files = `/w/${workspaceId}/files`;
  return [
    {
      name: 'pdf',
      path: `${files}?path=book.pdf&page=33&quote=${encodeURIComponent(QUOTE)}`,
      ready: '[data-quote-mark]',
    },
    {
      name: 'sheet',
      path: `${files}?path=apes.xlsx&lines=${encodeURIComponent('"4"')}`,
      ready: '[role=rowheader]',
    },
    { name: 'notebook', path: `${files}?path=apes.ipynb`, ready: 'text=/climbs high/' },
    { name: 'code', path: `${files}?path=hunt.ts`, ready: '.code-keyword' },
    { name: 'edit', path: `${files}?path=hunt.ts&edit=true`, ready: 'textarea' },
    { name: 'search', path: `/w/${workspaceId}/search?q=owls%20hunt`, ready: 'mark' },
  ];
}

/** Finds text in the cells of a notebook and a table, in code, and in the search text and its results. */
async function plant(lane: Lane, workspaceId: string, texts: string[]): Promise<View[]> {
  const { service } = lane;
  const cells = texts.flatMap((source) => [
    { cell_type: 'markdown', source },
    { cell_type: 'code', source, outputs: [{ output_type: 'stream', text: source }] },
  ]);
  const write = async (path: string, content: string) => {
    const { status } = await service.call('POST', '/api/files/write', { workspaceId, path, content });
    assert.equal(status, 200);
  };
  await write('hostile.ipynb', JSON.stringify({ nbformat: 4, cells }));
  await write('hostile.js', texts.join('\n'));
  await syncWorkspace(service, workspaceId);
  const files = `/w/${workspaceId}/files`;
  const q = encodeURIComponent(texts.slice(0, 6).join(' '));
  return [
    {
      name: 'hostile notebook',
      path: `${files}?path=hostile.ipynb`,
      ready: '[aria-label="File contents"]',
    },
    { name: 'hostile code', path: `${files}?path=hostile.js`, ready: '[aria-label="File contents"]' },
    { name: 'hostile edit', path: `${files}?path=hostile.js&edit=true`, ready: 'textarea' },
    { name: 'hostile search', path: `/w/${workspaceId}/search?q=${q}`, ready: 'main input' },
  ];
}

export const filesPage: ConsolePage = {
  name: 'files of each kind, search, and changing them',
  visit,
  views,
  plant,
};
