import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type ChatRequest, offeredPassages } from '../../../support/fakes/fake-openai.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import type { Service } from '../../../support/service.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

const HEARS = 'The barn owl finds a mouse by its ears alone.';
const QUIET = 'A comb along the edge of the wing makes the flight of the owl silent.';
const NIGHT = 'The tawny owl hunts at night in old forests.';
/** A page on one line that exceeds any window. */
const PAGE = `${'<p>Barn owls nest in barns.</p>'.repeat(3000)}<p>The eagle owl weighs 4 kg.</p>`;
const QUESTION = 'How does an owl find a mouse?';

/**
 * Checks that an answer is cited by 1, 2, 3, saved in one click, copied with its sources, and that one can
 * step through its sources.
 */
async function visit(lane: Lane): Promise<void> {
  const { service, provider } = lane;
  const workspaceId = await makeFilled(service);
  provider.answer = (request) => [
    `## Flight\n\nA comb makes the flight silent [${numberOf(request, 'comb')}`,
    `]. The tawny owl hunts at night [${numberOf(request, 'tawny')}]. The barn owl finds a mouse by its ears [`,
    `${numberOf(request, 'ears')}].`,
  ];
  await inBrowser(lane, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/w/${workspaceId}/chat`);
    await page.getByRole('textbox', { name: /^Ask about/ }).fill(QUESTION);
    await page.keyboard.press('Enter');
    const answer = page.getByRole('article', { name: 'Answer' });
    await readSources(page, answer);
    await stepThrough(page, answer);
    await copy(page, answer);
    await quote(page, answer);
    await keep(page, answer);
    await openLongLine(lane, page, workspaceId);
  });
}

async function makeFilled(service: Service): Promise<string> {
  const { id, root } = await makeWorkspace(service, 'answers');
  await writeFile(join(root, 'flight.pdf'), makePdf([HEARS, QUIET]));
  await writeFile(join(root, 'page.html'), PAGE);
  await writeFile(join(root, 'tawny.md'), `# Tawny owls\n\n${NIGHT}\n`);
  await syncWorkspace(service, id);
  return id;
}

function numberOf(request: ChatRequest, word: string): number | undefined {
  return offeredPassages(request).find(({ text }) => text.includes(word))?.number;
}

/**
 * Numbers follow the first use, whatever the numbers in the prompt; one card per file; headings without a
 * gap.
 */
async function readSources(page: Page, answer: Locator): Promise<void> {
  const chips = answer.locator('.prose [data-source]');
  await chips.nth(2).waitFor();
  assert.deepEqual(await chips.allTextContents(), ['1', '2', '3']);
  const cards = answer.locator(':scope > div > ol > li');
  await cards.nth(1).waitFor();
  assert.match((await cards.nth(0).textContent()) ?? '', /^flight\.pdf1Page 2.*3Page 1/);
  assert.match((await cards.nth(1).textContent()) ?? '', /^Tawny owlstawny\.md2/);
  const outline = await page
    .locator('main :is(h1,h2,h3,h4,h5,h6)')
    // The heading of the frame is for pages without one.
    .evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.tagName));
  assert.deepEqual(outline, ['H1', 'H2', 'H3', 'H3']);
}

async function stepThrough(page: Page, answer: Locator): Promise<void> {
  await answer.getByRole('link', { name: /^Source 1:/ }).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await seen(page, '1 of 3');
  await panel.getByText('A comb makes the flight silent').waitFor();
  assert.equal(await answer.locator('.prose [aria-current]').textContent(), '1');
  const width = (await panel.boundingBox())?.width ?? 0;
  await panel.getByRole('separator', { name: 'Width of the source' }).press('ArrowLeft');
  await page.waitForFunction((before) => {
    return (
      (document.querySelector('section[aria-label=Source]')?.getBoundingClientRect().width ?? 0) > before
    );
  }, width);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  assert.match((await focused(page)) ?? '', /^Source 1:/);
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Next source' }).press('Enter');
  await seen(page, '2 of 3');
  await panel.locator('mark', { hasText: 'hunts at night' }).waitFor();
  await panel.getByRole('button', { name: 'Previous source' }).press('Enter');
  await seen(page, '1 of 3');
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
}

async function copy(page: Page, answer: Locator): Promise<void> {
  await answer.getByRole('button', { name: 'Copy', exact: true }).click();
  await answer.getByText('Copied').waitFor({ state: 'attached' });
  const { text, html } = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text();
    return { text: await read('text/plain'), html: await read('text/html') };
  });
  assert.match(
    text ?? '',
    /silent \[1\]\. [\s\S]*## Sources\n\n- \[1\] `flight\.pdf`, Page 2 .*\n {2}> A comb/,
  );
  assert.match(
    html ?? '',
    /silent <span>\[1\]\.<\/span>[\s\S]*<strong>Sources<\/strong>[\s\S]*\[3\] flight\.pdf, Page 1/,
  );
  assert.doesNotMatch(html ?? '', /class=|data-source|<button/);
}

/** Selected text is inserted into the question, with its location. */
async function quote(page: Page, answer: Locator): Promise<void> {
  await answer.getByRole('link', { name: /^Source 2:/ }).click();
  const mark = page.getByRole('region', { name: 'Source', exact: true }).locator('mark').first();
  await mark.waitFor();
  await mark.evaluate((element) => getSelection()?.selectAllChildren(element));
  await page.getByRole('button', { name: 'Quote in chat' }).click();
  const box = page.getByRole('textbox', { name: /^Ask about/ });
  assert.equal(await box.inputValue(), `> ${NIGHT}\n> (tawny.md, line 3)\n\n`);
  await box.fill('');
  await page.getByRole('button', { name: 'Close source' }).click();
}

async function keep(page: Page, answer: Locator): Promise<void> {
  await answer.getByRole('button', { name: 'Keep' }).click();
  await answer.getByRole('link', { name: 'Open note' }).click();
  await page.getByRole('heading', { name: QUESTION, level: 1 }).waitFor();
  await page
    .getByRole('link', { name: /^Source 2: tawny\.md/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.locator('mark', { hasText: 'hunts at night' }).waitFor();
  await seen(page, '2 of 3');
  await page.goBack();
}

async function openLongLine({ service, provider }: Lane, page: Page, workspaceId: string): Promise<void> {
  provider.answer = (request) => `The eagle owl weighs 4 kg [${numberOf(request, 'eagle')}].`;
  await page.goto(`${service.url}/w/${workspaceId}/chat`);
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('How heavy is the eagle owl?');
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: /^Source 1:/ })
    .first()
    .click();
  const mark = page.locator('mark', { hasText: 'The eagle owl weighs 4 kg.' });
  await mark.waitFor();
  await page.waitForFunction(() => {
    const { top = -1 } = document.querySelector('mark')?.getBoundingClientRect() ?? {};
    return top > 0 && top < innerHeight;
  });
}

export const answersPage: ConsolePage = { name: 'answers', isApart: true, visit, views: async () => [] };
