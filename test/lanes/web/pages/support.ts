import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Citation } from '../../../../lib/api-contract/citation.ts';
import { MARKS, type SupportMark } from '../../../../lib/api-contract/findings.ts';
import { inTurn } from '../../../support/fakes/fake-openai.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const QUOTE = 'We measured building retrofits in Osaka at 630 sites.';
const TEXT = `${[
  ['They measured retrofits in Osaka', 1],
  ['They measured 999 sites in 2031 with the Technical University of Munich', 2],
  ['It is about bridges', 3],
  ['They did not measure retrofits in Osaka', 4],
  ['They measured 630 sites', 5],
  ['They measured retrofits', 6],
]
  .map(([sentence, number]) => `${sentence} [${number}].`)
  .join(' ')} It opened in **1893**. It is old.`;
const UNCITED = 'It opened in **1893**.';

/** Facts of one sentence in two places. */
const PIECES = [
  { quote: QUOTE, startLine: 3, endLine: 3 },
  { quote: 'The bridge has 34 piers.', startLine: 7, endLine: 7 },
];

type Fields = Pick<Citation, 'support' | 'by' | 'findings' | 'checks'>;
const OK: Fields['checks'] = [{ kind: 'number', ok: true }];
/** The state of each sentence, and the label of its mark. */
const STATES: [words: string, mark: SupportMark, fields: Fields][] = [
  ['Supported', 'supported', { support: 'unjudged', checks: OK }],
  [
    'Not in the source: 999, 2031, Technical University of Muni…',
    'not_in_source',
    {
      ...{ support: 'partial', by: 'code' },
      findings: [
        { rule: 'number_missing', own: '999', found: '630' },
        { rule: 'date_missing', own: '2031', where: { path: 'bridge.md', startLine: 5, endLine: 5 } },
        { rule: 'name_missing', own: 'Technical University of Munich' },
      ],
    },
  ],
  ['Not in the source', 'not_in_source', { support: 'none', by: 'nli', findings: [] }],
  [
    'Contradicted',
    'contradicted',
    { support: 'contradicted', by: 'code', findings: [{ rule: 'negation', own: 'did not measure' }] },
  ],
  ['Facts found', 'facts_found', { support: 'unjudged', by: 'code', checks: OK }],
  ['Quote found', 'facts_found', { support: 'unjudged', by: 'code', checks: [] }],
];

/** Each state of a citation has its own shape and name, and passes axe, as does a number without a source. */
async function visit(lane: Lane): Promise<void> {
  const { id, root } = await makeWorkspace(lane.service, 'support');
  await writeFile(
    join(root, 'bridge.md'),
    `# Retrofits\n\n${QUOTE}\n\nIt ends in 2031.\n\nThe bridge has 34 piers.\n`,
  );
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

/** An agent run cites like a chat; each sentence of a citation has its own state, and opens separately. */
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
  const chips = answer.locator('.prose [data-source]');
  for (const [at, [words]] of STATES.entries())
    await answer.getByRole('link', { name: `Source ${at + 1}: bridge.md, ${words}`, exact: true }).waitFor();
  const drawn = await chips.locator('svg').evaluateAll((all) => all.map((each) => each.innerHTML));
  const shapes = new Map(drawn.map((shape, at) => [shape, STATES[at]?.[1]]));
  assert.deepEqual(
    [...shapes.values()].sort(),
    [...MARKS].sort(),
    'a shape for each mark, and a mark for each shape',
  );
  assert.deepEqual(
    drawn.map((shape) => shapes.get(shape)),
    STATES.map(([, mark]) => mark),
  );
  await answer.getByText('The source has “630” where the sentence has “999”.').waitFor();
  assert.equal(await answer.getByRole('img', { name: 'No source for this number' }).count(), 1);
  await answer.getByText('What the marks mean').click();
  await checkByAxe(page, `an answer with all states, ${name}`);
  await answer
    .getByRole('button', {
      name: /^1 of 6 sentences supported, 1 contradicts its source, 1 has a fact not in its source, 1 isn.t /,
    })
    .click();
  assert.equal(await page.locator(':focus').textContent(), '4');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.getByText('The source says otherwise: did not measure.').waitFor();
  await seen(page, QUOTE);
  await checkByAxe(page, `a source that says otherwise, ${name}`);
  await page.keyboard.press('Escape');
  await answer.getByRole('link', { name: 'Source 5: bridge.md, Facts found' }).first().click();
  await panel.getByRole('button', { name: '2 Line 7' }).click();
  await panel.locator('mark').getByText('The bridge has 34 piers.').waitFor();
  await checkByAxe(page, `a source with two pieces, ${name}`);
  await page.keyboard.press('Escape');
  await answer.getByRole('link', { name: '2031 is in bridge.md, line 5.' }).click();
  await seen(page, 'It ends in 2031.');
}

/** Returns the parts of an answer, with the judgment of citation 1 after the text. */
function stream(): string {
  const citations = STATES.map(([, , fields], at) => ({
    type: 'data-citation',
    id: String(at + 1),
    data: {
      ...{ index: at + 1, path: 'bridge.md', startLine: 3, endLine: 3, quote: QUOTE, fileHash: 'x' },
      ...{ verified: fields.support === 'unjudged', stale: false, ...fields },
      ...(at === 4 && { quotes: PIECES }),
    },
  }));
  const start = TEXT.indexOf(UNCITED);
  const parts = [
    { type: 'start', messageId: 'answer-1' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: TEXT },
    { type: 'text-end', id: 't' },
    ...citations,
    {
      type: 'data-citation-support',
      id: '1',
      data: { id: '1', support: 'full', reason: 'It says so.', by: 'model' },
    },
    {
      type: 'finish',
      messageMetadata: { uncited: [{ start, end: start + UNCITED.length, text: 'It opened in 1893.' }] },
    },
  ];
  return `${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;
}

export const supportPage: ConsolePage = { name: 'support', isApart: true, visit, views: async () => [] };
