import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Figures, Task } from '../../bench/console-figures.ts';
import { openPage, startBrowser } from '../../support/browser.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { startService } from '../../support/service.ts';
import { createWorkspace, syncWorkspace } from '../../support/sync.ts';
import { cleanUp } from '../../support/temp-folder.ts';
import { inBrowser, type Lane } from './lane.ts';

import { firstLoadBytes } from './views.ts';

/** The lane without the parts that no figure needs. */
type Ports = Pick<Lane, 'browser' | 'service' | 'provider'>;

const ENTRIES = 50_000;
const TOKENS = 20_000;
/** Two tokens in each, so that a timer of whole milliseconds achieves 300 per second. */
const PIECE_TOKENS = 2;
const PACE_MS = 5.6;
const PDF_PAGES = 500;
const PDF_PAGE = 321;
const WHEELS = 150;
const RUNS = 3;

async function measure(): Promise<Figures> {
  const provider = await startFakeOpenai();
  const service = await startService({ CONSOLE: 'on', PROVIDER_A_BASE_URL: provider.url });
  const lane = { browser: await startBrowser(), service, provider };
  try {
    const firstContentMs = await middle(() => firstContent(lane, 1));
    const slowedContentMs = await middle(() => firstContent(lane, 4));
    const bytes = await inBrowser(lane, (page) => firstLoadBytes(page, service.url));
    const many = await makeFolder(lane, 'many', (folder) => fill(folder));
    const scrollTask = await inBrowser(lane, (page) => scroll(lane, page, `${service.url}/w/${many}/files`));
    const library = await makeFolder(lane, 'library', writeBook);
    await syncWorkspace(service, library);
    const pdfMs = await middle(() => openPdf(lane, library));
    const stream = await streamAnswer(lane, library);
    return {
      firstContentMs,
      slowedContentMs,
      firstLoadBytes: bytes,
      entries: ENTRIES,
      scrollTask,
      tokens: TOKENS,
      ...stream,
      pdfPages: PDF_PAGES,
      pdfMs,
    };
  } finally {
    await lane.browser.close();
    await Promise.all([service.stop(), provider.stop()]);
    await cleanUp();
  }
}

async function middle(run: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < RUNS; index++) times.push(await run());
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

/** Measures the time until the heading of the first view is painted, without caches of an earlier visit. */
async function firstContent({ browser, service }: Ports, slower: number): Promise<number> {
  const { context, page } = await openPage(browser, service.url);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.addInitScript(() => {
    new MutationObserver((_, watching) => {
      if (document.querySelector('h1') === null) return;
      watching.disconnect();
      requestAnimationFrame(() => performance.mark('content'));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(service.url);
  await page.waitForFunction(() => performance.getEntriesByName('content').length > 0);
  const ms = await page.evaluate(() => performance.getEntriesByName('content')[0]?.startTime ?? 0);
  await context.close();
  return ms;
}

async function makeFolder(
  { service }: Ports,
  name: string,
  write: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(service.root, name);
  await mkdir(folder, { recursive: true });
  await write(folder);
  return createWorkspace(service, name);
}

async function fill(folder: string): Promise<void> {
  const names = Array.from({ length: ENTRIES }, (_, index) => `entry-${String(index).padStart(5, '0')}.txt`);
  for (let at = 0; at < names.length; at += 500)
    await Promise.all(names.slice(at, at + 500).map((name) => writeFile(join(folder, name), 'x')));
}

async function writeBook(folder: string): Promise<void> {
  const line = (page: number, row: number) =>
    `Line ${row} of page ${page}: owls hunt at night without a sound.`;
  const pages = Array.from({ length: PDF_PAGES }, (_, index) =>
    Array.from({ length: 40 }, (__, row) => line(index + 1, row + 1)).join(') Tj 0 -15 Td ('),
  );
  await writeFile(join(folder, 'book.pdf'), makePdf(pages));
}

/** Measures the longest task while a whole tree scrolls by. */
async function scroll({ browser }: Ports, page: Page, address: string): Promise<Task> {
  await page.goto(address);
  const row = page.getByRole('treeitem', { name: /entry-00003/ });
  await row.hover();
  return longestTask(browser, page, async () => {
    for (let wheel = 0; wheel < WHEELS; wheel++) await page.mouse.wheel(0, 12_000);
    await page.getByRole('treeitem', { name: new RegExp(`entry-${ENTRIES - 1}`) }).waitFor();
  });
}

/**
 * Measures the time from the click in the side list's search to the highlighted quote on its page, in a tab
 * that hasn't opened a PDF yet.
 */
async function openPdf({ browser, service }: Ports, workspaceId: string): Promise<number> {
  const { context, page } = await openPage(browser, service.url);
  await page.goto(`${service.url}/w/${workspaceId}/search?q=line+7+of+page+${PDF_PAGE}`);
  const link = page.getByRole('link', { name: new RegExp(`Page ${PDF_PAGE}`) }).first();
  await link.waitFor();
  const started = performance.now();
  await link.click();
  await page.locator('[data-quote-mark]').first().waitFor();
  const ms = performance.now() - started;
  await context.close();
  return ms;
}

async function streamAnswer(lane: Ports, workspaceId: string) {
  const { provider, service } = lane;
  const words = Array.from({ length: TOKENS }, (_, at) =>
    at % 120 === 119 ? `*end*.\n\n- item ${at} ` : `word${at % 97} `,
  );
  const pieces = Array.from({ length: TOKENS / PIECE_TOKENS }, (_, at) =>
    words.slice(at * PIECE_TOKENS, (at + 1) * PIECE_TOKENS).join(''),
  );
  provider.answer = () => [...pieces, 'the very end'];
  provider.paceMs = PACE_MS;
  return inBrowser(lane, async (page) => {
    await page.goto(`${service.url}/w/${workspaceId}/chat`);
    const box = page.getByRole('textbox', { name: /^Ask about/ });
    await box.fill('Tell me everything.');
    let seconds = 0;
    const streamTask = await longestTask(lane.browser, page, async () => {
      const started = performance.now();
      await box.press('Enter');
      await answered(page);
      seconds = (performance.now() - started) / 1000;
    });
    await page.getByText('the very end').waitFor();
    return { tokensPerSecond: TOKENS / seconds, streamTask };
  });
}

/** Polled rarely and by one selector, because a text search would load the page's own thread. */
async function answered(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').waitFor();
  const isDone = () => document.querySelector('[aria-busy="true"]') === null;
  await page.waitForFunction(isDone, undefined, { polling: 500, timeout: 240_000 });
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Returns the longest task of the page's own thread during `work`, as Chromium traces it. */
async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<Task> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && mains.has(`${pid} ${tid}`),
  );
  const longest = (field: 'dur' | 'tdur') =>
    tasks.reduce((most, event) => Math.max(most, (event[field] ?? 0) / 1000), 0);
  return { ms: longest('dur'), processorMs: longest('tdur') };
}

process.stdout.write(JSON.stringify(await measure()));
