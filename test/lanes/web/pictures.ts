import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page, Route } from 'playwright-core';
import type { Look } from '../../support/browser.ts';
import { startService } from '../../support/service.ts';
import { mouseHand } from './hands.ts';
import { inBrowser, type Lane } from './lane.ts';
import { plantShowcase } from './showcase.ts';
import { tellStory } from './story.ts';
import { type View, viewsOf } from './views.ts';

const FOLDER = resolve(import.meta.dirname, '../../../web/pictures');
/**
 * WebP quality of the browser. The pictures have a third of the size of PNG, with no visible loss in the
 * letters.
 */
const QUALITY = 75;
/** Maximum bytes of all pictures together. */
const MAX_BYTES = 4_000_000;

const PATIENCE_MS = 2_000;

const WIDE = { size: 'wide', width: 1440, height: 900 };
const PHONE = { size: 'phone', width: 360, height: 740 };

interface Shown extends Look {
  size: string;
}

/** The variant with every view. */
const FIRST: Shown = { theme: 'light', language: 'en', ...WIDE };
/** Variants with the views in `CHOSEN`. */
const OTHERS: Shown[] = [
  { theme: 'dark', language: 'en', ...WIDE },
  { theme: 'light', language: 'zh-CN', ...WIDE },
  { theme: 'light', language: 'en', ...PHONE },
  { theme: 'dark', language: 'zh-CN', ...PHONE },
];
const CHOSEN = [
  'workspaces',
  'chat',
  'checked',
  'source-pdf',
  'approval',
  'report',
  'files',
  'search',
  'palette',
  'settings',
];

/** The picture of a service with sign-in, which has no other view before. */
const SIGN_IN: View = { name: 'sign-in', path: '/', ready: 'input[type=password]' };

/**
 * Takes pictures of every view, of eleven views in both themes and languages and on a phone, and of the
 * moments of the story of a day. With `only`, retakes the pictures whose names contain it.
 */
export async function takePictures(lane: Lane, workspaceId: string, only?: string): Promise<void> {
  if (only === undefined) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  if ('story'.includes(only ?? '')) await pictureStory(lane);
  if (only !== 'story') await pictureViews(lane, workspaceId, only ?? '');
  const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
  process.stdout.write(`${bytes} bytes of pictures\n`);
  assert.ok(bytes < MAX_BYTES, `the pictures are ${bytes} bytes: ${MAX_BYTES} at most`);
}

async function pictureViews(lane: Lane, workspaceId: string, only: string): Promise<void> {
  const scenes = await plantShowcase(lane);
  const shown = new Set(scenes.map(({ name }) => name));
  const all = [...scenes, ...(await viewsOf(lane, workspaceId)).filter(({ name }) => !shown.has(name))];
  const views = all.filter(({ name }) => name.includes(only));
  const guarded = {
    browser: lane.browser,
    service: await startService({ CONSOLE: 'on', AUTH_MODE: 'token' }),
  };
  for (const look of [FIRST, ...OTHERS]) {
    const wanted = look === FIRST ? views : views.filter(({ name }) => CHOSEN.includes(name));
    await takeAll(lane, wanted, look);
    if (SIGN_IN.name.includes(only)) await takeAll(guarded, [SIGN_IN], look);
  }
  await guarded.service.stop();
}

/** Takes pictures of the story of a day, in the light theme. */
function pictureStory(lane: Lane): Promise<void> {
  let at = 0;
  return inPictures(lane, FIRST, async (page) => {
    const moment = (name: string) => take(page, `story-${String(++at).padStart(2, '0')}-${name}`, FIRST);
    await tellStory({ lane, page, hand: mouseHand(page), moment });
  });
}

type Pictured = Pick<Lane, 'browser' | 'service'>;

function takeAll(lane: Pictured, views: View[], look: Shown): Promise<void> {
  return inPictures(lane, look, async (page) => {
    for (const { name, path, ready, act } of views) {
      await page.goto(lane.service.url + path);
      await page.locator(ready).first().waitFor({ state: 'attached' });
      await act?.(page);
      await take(page, name, look);
    }
  });
}

/** Opens a page in which the paths of the lane's own folder have another name, the same each time. */
function inPictures(lane: Pictured, look: Shown, work: (page: Page) => Promise<void>): Promise<void> {
  const { dataDir } = lane.service;
  const open = async (page: Page) => {
    await page.route(isAnswer, (route) => withoutFolder(route, dataDir).catch(() => {})); // the page was left
    await work(page);
  };
  return inBrowser(lane, open, look);
}

/** Resolves when no request is pending; open streams don't count. */
async function take(page: Page, name: string, { theme, language, size }: Shown): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS }).catch(() => {});
  await page.evaluate(() => document.fonts.ready);
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await browser.detach();
  writeFileSync(join(FOLDER, `${name}-${theme}-${language}-${size}.webp`), Buffer.from(data, 'base64'));
}

/** A stream may stay open, so it is passed to the page as it arrives. */
const isAnswer = ({ pathname }: URL) => pathname.startsWith('/api/') && !pathname.endsWith('/stream');

/** The lane's data is in a folder with a random name, which would change the pictures each time. */
async function withoutFolder(route: Route, folder: string): Promise<void> {
  if (route.request().method() !== 'GET') return route.continue(); // the answer may be a stream
  const response = await route.fetch();
  if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response });
  const body = (await response.text()).replaceAll(folder, '/srv/research');
  await route.fulfill({ response, body });
}
