import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Support } from '../../../../lib/api-contract/citation.ts';
import { inTurn } from '../../../support/fakes/fake-openai.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const QUOTE = 'The bridge has 34 piers.';
const TEXT =
  'It has piers [1]. It is in Paris [2]. It is blue [3]. It fell [4]. It is long [5]. It opened in **1893**. It is old.';
const UNCITED = 'It opened in **1893**.';
const SUPPORTS: Support[] = ['unjudged', 'partial', 'none', 'contradicted', 'unjudged'];

/** Each state of a citation differs by its shape, is named, and passes axe; so does a number without a source. */
async function visit(lane: Lane): Promise<void> {
  const { id, root } = await makeWorkspace(lane.service, 'support');
  await writeFile(join(root, 'bridge.md'), `# Bridge\n\n${QUOTE}\n`);
  await syncWorkspace(lane.service, id);
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)
    await inBrowser(lane, (page) => look(page, `${lane.service.url}/w/${id}/chat`, `${theme} ${width}`), {
      ...{ theme, width, height: 900 },
    });
  await inBrowser(lane, (page) => lookAtRun(lane, page, id));
}

/** A run of the agent cites as a chat does; each sentence of a citation has its own state, and opens as itself. */
async function lookAtRun({ service, provider }: Lane, page: Page, workspaceId: string): Promise<void> {
  const read = { calls: [{ name: 'readFile', input: { path: 'bridge.md' } }] };
  provider.answer = inTurn(read, 'The bridge has **34** piers [1].\n\nThe bridge has 36 piers [1].');
  const messages = [{ role: 'user', content: 'How many piers?' }];
  const body = { workspaceId, cwd: '', mode: 'ask', messages };
  const { headers } = await service.call('POST', '/api/agent', body);
  await page.goto(`${service.url}/w/${workspaceId}/agent/${headers['x-run-id']}`);
  const chips = page.locator('.prose').getByRole('link', { name: /^Source 1: bridge\.md/ });
  await chips.nth(1).waitFor();
  const shapes = await page
    .locator('.prose [data-support]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-support')));
  assert.equal(shapes[0], 'unjudged');
  assert.match(String(shapes[1]), /^(partial|contradicted)$/);
  await chips.nth(1).click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  const open = panel.locator('[aria-current]');
  await open.getByText('The bridge has 36 piers.').waitFor();
  assert.match(page.url(), /nth=/);
  await panel.getByText('The bridge has 34 piers.').first().click();
  await open.getByText('The bridge has 34 piers.').waitFor();
  await checkByAxe(page, 'a run with its source open');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
}

async function look(page: Page, url: string, name: string): Promise<void> {
  await page.route('**/api/chat', (route) =>
    route.fulfill({
      headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' },
      body: stream(),
    }),
  );
  await page.goto(url);
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('How is the bridge?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Answer' });
  await page.getByRole('status').getByText('A model has judged its sources').waitFor({ state: 'attached' });
  const shapes = await answer
    .locator('.prose [data-support]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-support')));
  assert.deepEqual(shapes, ['full', ...SUPPORTS.slice(1)]);
  const drawn = await answer
    .locator('.prose [data-support]')
    .evaluateAll((all) => all.map((each) => each.innerHTML));
  assert.equal(new Set(drawn).size, 5);
  await answer.getByRole('link', { name: 'Source 1: bridge.md, Supported' }).waitFor();
  await answer.getByText('Name missing: Paris').waitFor();
  assert.equal(await answer.getByRole('img', { name: 'No source for this number' }).count(), 1);
  await answer.getByText('What the marks mean').click();
  await checkByAxe(page, `an answer with five states, ${name}`);
  await answer.getByRole('link', { name: /^Source 4:/ }).click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.getByText('The quote says otherwise about “rose”.').waitFor();
  await seen(page, QUOTE);
  await checkByAxe(page, `a source that says otherwise, ${name}`);
}

/** The parts of an answer, the judgment of citation 1 after the text. */
function stream(): string {
  const reasons = [
    undefined,
    'Not in the quotes: Paris',
    'It is about piers.',
    'The quotes say otherwise: rose',
    undefined,
  ];
  const citations = SUPPORTS.map((support, at) => ({
    type: 'data-citation',
    id: String(at + 1),
    data: {
      ...{ index: at + 1, path: 'bridge.md', startLine: 3, endLine: 3, quote: QUOTE, fileHash: 'x' },
      ...{ verified: support === 'unjudged', stale: false, support, reason: reasons[at] },
      checks:
        support === 'partial'
          ? [{ kind: 'name', ok: false, detail: 'Paris' }]
          : [{ kind: 'number', ok: true }],
    },
  }));
  const start = TEXT.indexOf(UNCITED);
  const parts = [
    { type: 'start', messageId: 'answer-1' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: TEXT },
    { type: 'text-end', id: 't' },
    ...citations,
    { type: 'data-citation-support', id: '1', data: { id: '1', support: 'full', reason: 'It says so.' } },
    {
      type: 'finish',
      messageMetadata: { uncited: [{ start, end: start + UNCITED.length, text: 'It opened in 1893.' }] },
    },
  ];
  return `${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;
}

export const supportPage: ConsolePage = { name: 'support', isApart: true, visit, views: async () => [] };
