import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inBrowser, type Lane } from './lane.ts';
import { viewsOf } from './views.ts';

const FOLDER = resolve(import.meta.dirname, '../../../web/pictures');
const WIDTHS = { wide: 1440, phone: 360 };

/** Every view in both themes and languages, wide and on a phone. */
export async function takePictures(lane: Lane, workspaceId: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const views = await viewsOf(lane, workspaceId);
  for (const theme of ['light', 'dark'] as const)
    for (const language of ['en', 'zh-CN'] as const)
      for (const [size, width] of Object.entries(WIDTHS)) {
        const look = { theme, language, width, height: size === 'wide' ? 900 : 740 };
        await inBrowser(
          lane,
          async (page) => {
            for (const { name, path, ready } of views) {
              await page.goto(lane.service.url + path, { waitUntil: 'networkidle' });
              await page.locator(ready).first().waitFor({ state: 'attached' });
              await page.evaluate(() => document.fonts.ready);
              await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${language}-${size}.png`) });
            }
          },
          look,
        );
      }
}
