import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { makePdf } from '../../../support/samples/pdf.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane } from '../lane.ts';
import { checkFrame, type View } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const DOCUMENTS = resolve(import.meta.dirname, '../../../golden/documents');
const LONG = Array.from(
  { length: 40 },
  (_, at) => `## Part ${at}\n\n\`\`\`ts\nconst owls = ${at};\n\`\`\`\n`,
).join('\n');
const MAIL = `From: ann@example.org\r\nSubject: Owls\r\n\r\n${'Owls hunt at night.\r\n'.repeat(5)}`;

/** Long texts stay in the frame of their page, and selected text is readable. */
async function visit(lane: Lane): Promise<void> {
  const { service, provider } = lane;
  const workspace = await makeWorkspace(service, 'long');
  await plantFiles(lane, workspace);
  provider.answer = () => LONG;
  const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Tell me all of it.' }] }];
  await service.call('POST', '/api/chat', { workspaceId: workspace.id, id: 'long-chat', messages });
  const note = { workspaceId: workspace.id, title: 'Long', content: LONG };
  const { body } = await service.call<{ id: string }>('POST', '/api/notes', note);
  const base = `/w/${workspace.id}`;
  await inBrowser(lane, async (page) => {
    for (const view of [
      { name: 'a long chat', path: `${base}/chat/long-chat`, ready: 'text=Part 39' },
      { name: 'a long note', path: `${base}/notes/${body.id}`, ready: 'text=Part 39' },
      { name: 'a long file', path: `${base}/files?path=long.md`, ready: 'text=Part 39' },
    ])
      await checkFrame(page, service.url, view);
  });
  for (const theme of ['light', 'dark'] as const)
    await inBrowser(lane, (page) => selectIn(page, service.url + base), { theme });
}

async function plantFiles({ service }: Lane, { id, root }: TestWorkspace): Promise<void> {
  await writeFile(join(root, 'long.md'), LONG);
  await writeFile(join(root, 'owls.ts'), "export const who = 'owls'; // silent\n");
  await writeFile(join(root, 'owls.eml'), MAIL);
  await writeFile(join(root, 'owls.pdf'), makePdf(['Owls hunt at night']));
  await copyFile(join(DOCUMENTS, 'apes.docx'), join(root, 'apes.docx'));
  await syncWorkspace(service, id);
}

const SELECTABLE: View[] = [
  { name: 'a PDF', path: 'owls.pdf', ready: '.pdf-text span' },
  { name: 'a document', path: 'apes.docx', ready: 'role=heading[name="Methods"]' },
  { name: 'a mail', path: 'owls.eml', ready: 'text=/hunt at night/' },
  { name: 'code', path: 'owls.ts', ready: '.code-string' },
];

/** Selecting a text keeps the color of its letters. */
async function selectIn(page: Page, base: string): Promise<void> {
  for (const { name, path, ready } of SELECTABLE) {
    await page.goto(`${base}/files?path=${path}`);
    const text = page.locator(ready).first();
    await text.waitFor();
    await page.waitForLoadState('networkidle');
    const before = await inkIn(page, text);
    await text.evaluate((element) => getSelection()?.selectAllChildren(element));
    const after = await inkIn(page, text);
    assert.ok(before > 0 && after > before / 2, `${name}: ${before} pixels of ink, ${after} when selected`);
  }
}

/**
 * Counts the pixels of a rendered element with a contrast (WCAG) of at least 3 to its most frequent color.
 */
async function inkIn(page: Page, text: Locator): Promise<number> {
  const picture = await text.screenshot();
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const { data = [] } = context?.getImageData(0, 0, image.width, image.height) ?? {};
    const counts = new Map<number, number>();
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = [...data.slice(at, at + 3)].map((each) => (each / 255) ** 2.2);
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
      counts.set(light, (counts.get(light) ?? 0) + 1);
    }
    const [[ground = 0] = []] = [...counts].sort(([, one], [, other]) => other - one);
    const isInk = ([light]: [number, number]) => Math.max(light / ground, ground / light) >= 3;
    return [...counts].filter(isInk).reduce((sum, [, count]) => sum + count, 0);
  }, picture.toString('base64'));
}

export const framesPage: ConsolePage = {
  name: 'long and selected texts',
  isApart: true,
  visit,
  views: async () => [],
};
