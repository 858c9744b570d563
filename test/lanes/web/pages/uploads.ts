import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const FILES = Array.from({ length: 61 }, (_, at) => ({
  name: `a-rather-long-name-of-a-paper-about-owls-number-${at}.md`,
  mimeType: 'text/markdown',
  buffer: Buffer.from(`# Owls ${at}\n`),
}));
const UPLOADS = '**/api/files/upload';
const NUMBER = /number-(\d+)\.md/;

/**
 * Of 61 files, the disk rejects no. 20, a proxy rejects no. 7, and the service rejects the last one. None is
 * reported as added.
 */
async function visit({ browser, service }: Lane): Promise<void> {
  for (const [theme, width] of [['light', 1440] as const, ['dark', 390] as const]) {
    const { id } = await makeWorkspace(service);
    const look = { theme, width, height: 844 };
    await inBrowser(
      { browser, service },
      async (page) => {
        await page.goto(`${service.url}/w/${id}/files`);
        await failSome(page);
        await retryOne(page);
        await checkByAxe(page, `failed uploads, ${theme} ${width}`);
        await retryAll(page);
        await overCut(page);
        await fillDisk(page);
      },
      look,
    );
  }
  await sendFromOtherOrigin({ browser, service });
}

/** A large file arrives at another origin than the service's own URL, such as that of a forwarded port. */
async function sendFromOtherOrigin({ browser, service }: Pick<Lane, 'browser' | 'service'>): Promise<void> {
  const { id } = await makeWorkspace(service);
  const url = service.url.replace('127.0.0.1', 'localhost');
  await inBrowser({ browser, service: { ...service, url } }, async (page) => {
    await page.goto(`${url}/w/${id}/files`);
    const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(9_000_000, 'a,b\n') };
    await page.locator('input[type=file]').setInputFiles([large]);
    await seen(page, '1 of 1 added');
  });
}

async function failSome(page: Page): Promise<void> {
  await page.route(UPLOADS, answerBadly);
  await page.locator('input[type=file]').setInputFiles(FILES);
  await seen(page, '33 of 61 added · 28 failed');
  const list = page.getByRole('region', { name: 'Uploads' });
  const counts = [/^The disk is full/, /^A proxy between you/, /^The path/].map((reason) =>
    list.getByRole('region', { name: reason }).getByRole('listitem').count(),
  );
  assert.deepEqual(await Promise.all(counts), [20, 7, 1]);
  await seen(page, '33 can be asked about');
}

async function answerBadly(route: Route): Promise<void> {
  const number = Number(NUMBER.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1]);
  const refuse = (status: number, code: string, error: string) =>
    route.fulfill({ status, headers: { 'x-error-code': code }, json: { error } });
  if (number < 20) return refuse(507, 'disk_full', 'The disk is full. Free up space and try again.');
  if (number < 27) return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' });
  if (number === 60) return refuse(400, 'invalid_path', 'The path is not valid.');
  return route.continue();
}

/** The name is readable next to a button that can be clicked. */
async function retryOne(page: Page): Promise<void> {
  const row = page.getByRole('listitem').filter({ hasText: 'number-0.md' });
  const name = await row.locator('[title]').first().boundingBox();
  const button = await row.getByRole('button', { name: /^Retry/ }).boundingBox();
  assert.ok((name?.width ?? 0) >= 200, `the name has ${name?.width} px`);
  assert.ok((button?.width ?? 0) >= 32 && (button?.height ?? 0) >= 32);
  await page.unroute(UPLOADS);
  await row.getByRole('button', { name: /^Retry/ }).click();
  await seen(page, '34 of 61 added · 27 failed');
}

async function retryAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Retry all' }).click();
  await seen(page, '61 of 61 added');
  assert.equal(await page.getByText(/\d failed/).count(), 0);
}

/** A lost connection is shown immediately, and the file arrives when it is back. */
async function overCut(page: Page): Promise<void> {
  await page.route(UPLOADS, (route) => route.abort('connectionreset'));
  const last = { name: 'last.md', mimeType: 'text/markdown', buffer: Buffer.from('# Last\n') };
  await page.locator('input[type=file]').setInputFiles([last]);
  await seen(page, "Can't reach the service. Trying again…");
  await page.unroute(UPLOADS);
  await seen(page, '62 of 62 added');
}

/** A part of a large file shows why it failed, like a small file. */
async function fillDisk(page: Page): Promise<void> {
  const error = 'The disk is full. Free some space, then try again.';
  const refusal = { status: 507, headers: { 'x-error-code': 'disk_full' }, json: { error } };
  await page.route('**/*', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(refusal) : route.fallback(),
  );
  const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(12 * 1024 * 1024, 'a,b\n') };
  await page.locator('input[type=file]').setInputFiles([large]);
  await seen(page, '62 of 63 added · 1 failed');
  await page.getByRole('region', { name: 'Uploads' }).getByText(error).waitFor();
}

export const uploadsPage: ConsolePage = {
  name: 'uploads that fail',
  isApart: true,
  visit,
  views: async () => [],
};
