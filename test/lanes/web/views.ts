import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { builtPage } from '../../../infra/web/built-page.ts';
import { inBrowser, type Lane } from './lane.ts';
import { PAGES } from './pages/all-pages.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MAX_FIRST_LOAD = 200_000;

export interface View {
  name: string;
  path: string;
  /** Shown when the view is complete. */
  ready: string;
  /** First actions of a person. */
  act?: (page: Page) => Promise<void>;
}

/** Every view with content. */
export async function viewsOf(lane: Lane, workspaceId: string): Promise<View[]> {
  const pages = await Promise.all(PAGES.map((page) => page.views(lane, workspaceId)));
  return [...(await firstViews(lane, workspaceId)), ...pages.flat()];
}

async function firstViews({ service }: Lane, workspaceId: string): Promise<View[]> {
  const base = `/w/${workspaceId}`;
  const [chats, runs] = await Promise.all([
    service.call<{ id: string; kind: string }[]>('GET', `/api/conversations?workspaceId=${workspaceId}`),
    service.call<{ id: string; request: string }[]>(
      'GET',
      `/api/agent/runs?workspaceId=${workspaceId}&kind=agent`,
    ),
  ]);
  const chat = chats.body.find(({ kind }) => kind === 'chat')?.id;
  const { body } = await service.call<{ messages: { id: string; role: string }[] }>(
    'GET',
    `/api/conversations/${chat}`,
  );
  const run = runs.body.find(({ request }) => request.startsWith('Write a note'))?.id;
  const answer = body.messages.find(({ role }) => role === 'assistant')?.id;
  return [
    { name: 'workspaces', path: '/', ready: 'text=library' },
    { name: 'chat-empty', path: `${base}/chat`, ready: 'text=/What do you want to know|你想了解什么/' },
    { name: 'chat', path: `${base}/chat/${chat}`, ready: 'article a[href*=source]' },
    { name: 'source', path: `${base}/chat/${chat}?source=${answer}.1`, ready: 'mark' },
    { name: 'files', path: `${base}/files?path=owls.md`, ready: 'text=/barn owl/' },
    { name: 'index', path: base, ready: 'main section h2' },
    { name: 'runs', path: `${base}/agent`, ready: 'text=/Write a note/' },
    { name: 'run', path: `${base}/agent/${run}`, ready: 'text=/second note is written/' },
    { name: 'settings', path: '/settings', ready: 'dl' },
  ];
}

export async function lookAtViews(lane: Lane, workspaceId: string): Promise<void> {
  const views = await viewsOf(lane, workspaceId);
  await Promise.all([
    lookAtAll(lane, views, 'light'),
    lookAtAll(lane, views, 'dark'),
    inBrowser(lane, (page) => checkFrames(page, lane.service.url, views)),
  ]);
  await inBrowser(lane, (page) => checkFirstLoad(page, lane.service.url));
}

type Opened = Pick<Lane, 'browser' | 'service'>;

/**
 * Checks the scenes on a person's way: the palette, a dialog, a conflict, an approval. They run one after the
 * other, because they change data, except for those that are `still`.
 */
export async function lookAtScenes(lane: Opened, scenes: View[], still: View[] = []): Promise<void> {
  await Promise.all([lookAtAll(lane, still, 'light'), lookAtAll(lane, still, 'dark')]);
  for (const theme of ['light', 'dark'] as const) await lookAtAll(lane, scenes, theme);
}

function lookAtAll(lane: Opened, views: View[], theme: 'light' | 'dark'): Promise<void> {
  return inBrowser(
    lane,
    async (page) => {
      for (const view of views) await lookAt(page, lane.service.url, view);
    },
    { theme },
  );
}

async function lookAt(page: Page, url: string, { name, path, ready, act }: View): Promise<void> {
  await page.goto(url + path);
  await page.locator(ready).first().waitFor();
  // The side list may already show the same text.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await act?.(page);
  await checkByAxe(page, name);
}

/** Fails if axe finds anything on the current page. */
export async function checkByAxe(page: Page, name: string): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    // During the transition to the other theme, a color can have any contrast.
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(changing.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
  assert.deepEqual(found, [], `axe on ${name}`);
}

interface Violation {
  id: string;
  nodes: { html: string }[];
}

async function checkFrames(page: Page, url: string, views: View[]): Promise<void> {
  for (const view of views) await checkFrame(page, url, view);
}

/** Desktop, tablet, and phone at half their height, as at a zoom of 200 %, where all content is long. */
const SIZES = [
  { width: 1440, height: 450 },
  { width: 1024, height: 384 },
  { width: 360, height: 370 },
];

/** At each size, no element is wider than the page, and the document ends with its last element. */
export async function checkFrame(page: Page, url: string, { name, path, ready }: View): Promise<void> {
  await page.goto(url + path);
  await page.locator(ready).first().waitFor({ state: 'attached' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const { wider, longer } = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const end = document.querySelector('main')?.getBoundingClientRect().bottom ?? 0;
      const height = Math.max(innerHeight, Math.ceil(end + scrollY));
      return { wider: scrollWidth - innerWidth, longer: scrollHeight - height };
    });
    assert.ok(wider <= 0, `${name} is ${wider} px wider than ${size.width} px`);
    assert.ok(longer <= 1, `${name} scrolls ${longer} px out of its frame at ${size.width} px`);
  }
}

/** The first page differs with and without a workspace, so both are measured. */
export async function checkFirstLoad(page: Page, url: string): Promise<void> {
  const bytes = await firstLoadBytes(page, url);
  process.stdout.write(`first load of “${await page.title()}”: ${bytes} bytes of script, gzipped\n`);
  assert.ok(bytes > 0 && bytes < MAX_FIRST_LOAD, `the first load is ${bytes} bytes of script`);
}

/** Returns the gzipped size of the scripts that the first page loads without interaction. */
export async function firstLoadBytes(page: Page, url: string): Promise<number> {
  // On a slow host, the pages that are loaded in advance would otherwise come before the network is idle.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto(url);
  // On a slow host, the network is also idle before the first script starts.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const folder = builtPage(resolve(import.meta.dirname, '../../..'));
  const scripts = [...new Set(names)].filter((name) => name.endsWith('.js'));
  return scripts.reduce((sum, name) => sum + gzipSize(join(folder, name)), 0);
}

function gzipSize(file: string): number {
  return (statSync(`${file}.gz`, { throwIfNoEntry: false }) ?? statSync(file)).size;
}
