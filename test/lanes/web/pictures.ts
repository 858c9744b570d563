import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page, Route } from 'playwright-core';
import type { Look } from '../../support/browser.ts';
import { inBrowser, type Lane } from './lane.ts';
import { type View, viewsOf } from './views.ts';

const FOLDER = resolve(import.meta.dirname, '../../../web/pictures');
const LOOKS: (Look & { size: string })[] = [
  ...(['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'zh-CN'] as const).map((language) => ({
      theme,
      language,
      size: 'wide',
      width: 1440,
      height: 900,
    })),
  ),
  { theme: 'light', language: 'en', size: 'phone', width: 360, height: 740 },
  { theme: 'dark', language: 'zh-CN', size: 'phone', width: 360, height: 740 },
];

/** Every view in both themes and languages, and on a phone. */
export async function takePictures(lane: Lane, workspaceId: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const views = await viewsOf(lane, workspaceId);
  for (const look of LOOKS) await inBrowser(lane, (page) => takeAll(page, lane, views, look), look);
}

async function takeAll(page: Page, lane: Lane, views: View[], look: (typeof LOOKS)[number]): Promise<void> {
  await page.route('**/api/**', (route) => withoutFolder(route, lane.service.dataDir));
  for (const { name, path, ready } of views) {
    await page.goto(lane.service.url + path, { waitUntil: 'networkidle' });
    await page.locator(ready).first().waitFor({ state: 'attached' });
    await page.evaluate(() => document.fonts.ready);
    const file = `${name}-${look.theme}-${look.language}-${look.size}.png`;
    await page.screenshot({ path: join(FOLDER, file) });
  }
}

/** The lane's data lies in a folder with a name of chance: pictures that differ by it would be other files each time. */
async function withoutFolder(route: Route, folder: string): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text()).replaceAll(folder, '/srv/research');
  await route.fulfill({ response, body });
}
