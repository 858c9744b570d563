import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readEntries } from '../../../support/docx-comments.ts';
import { researchAnswer } from '../../../support/research-model.ts';
import { packZip } from '../../../support/samples/zip.ts';
import { syncWorkspace } from '../../../support/sync.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import { tabTo } from '../main-job.ts';
import { checkByAxe, type View } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const NAME = 'night.docx';
const WRONG = 'The barn owl finds a mouse by its ears alone: 3 ears stand higher than the other.';
const CORRECTED = 'The barn owl finds a mouse by its ears alone: one ear stands higher than the other.';
/** No model was called for this sentence, because the answers to the other sentences are stored. */
const UNASKED = WRONG.replace('3 ears', '4 ears');
/** A sentence that is in no file of an earlier page. */
const SAME = 'Tawny owls take off within 3 metres.';
const DRAFT = [
  SAME,
  WRONG,
  'Penguins file their taxes in April. Do owls dream?',
  'Owls hunt at night, and their feathers make no sound, because of combed leading edges.',
];
const JUDGE = 'Let an AI model judge the claims';
const COMPARED = /Searching the files and comparing quotes|The files support \d of (?:4 claims|them)/;

/** Drops a draft, reads it with its verdicts, corrects one sentence, and saves it with comments. */
async function visit(lane: Lane, workspaceId: string): Promise<void> {
  const judge = researchAnswer();
  lane.provider.answer = (request) =>
    String(request.messages[0]?.content).startsWith('You correct one sentence')
      ? JSON.stringify({ sentence: CORRECTED })
      : judge(request);
  const rootPath = await rootOf(lane, workspaceId);
  await writeFile(join(rootPath, 'flight.md'), `# Flight\n\n${SAME} They land without a sound.\n`);
  // Code supports nothing with a file that changed since it was indexed.
  await syncWorkspace(lane.service, workspaceId);
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${workspaceId}/chat`);
    await goToPage(page, 'Check a draft');
    // Otherwise the chat's form gets the file.
    await page.getByRole('textbox', { name: 'Text of the draft' }).waitFor();
    await drop(page, 'owls.pdf', Buffer.from('%PDF'));
    await page.getByRole('alert').getByText("owls.pdf isn't a DOCX").waitFor();
    await drop(page, NAME, docxOf(DRAFT));
    await page.getByRole('button', { name: `Remove ${NAME}` }).waitFor();
    assert.ok(await page.getByRole('checkbox', { name: JUDGE }).isChecked());
    await page.getByRole('checkbox', { name: JUDGE }).uncheck();
    await page.getByRole('button', { name: 'Check draft' }).click();
    await page.waitForURL(/\/drafts\/[0-9a-f-]{36}$/);
    await seen(page, COMPARED);
    await page.getByText('Done', { exact: true }).waitFor();
    await readVerdicts(page);
    await correct(page);
    await saveWithComments(page);
    await openDeletedSource(lane, page, workspaceId);
  });
  await checkFile(lane, workspaceId);
  await refuseKey(lane, workspaceId);
}

async function rootOf({ service }: Lane, workspaceId: string): Promise<string> {
  const { body } = await service.call<{ rootPath: string }>('GET', `/api/workspaces/${workspaceId}`);
  return body.rootPath;
}

async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.locator('form').evaluate(
    (form, [file, base64]) => {
      const dataTransfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      dataTransfer.items.add(new File([content], file));
      form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, bytes.toString('base64')] as const,
  );
}

/**
 * Each state has its own shape and label. A filter shows the sentences of one state, or those with possible
 * errors.
 */
async function readVerdicts(page: Page): Promise<void> {
  const draft = page.getByRole('article', { name: 'Draft' });
  const rows = draft.getByRole('button');
  assert.equal(await rows.count(), 4);
  await rows.filter({ hasText: SAME }).getByText('Supported', { exact: true }).waitFor();
  await rows
    .filter({ hasText: WRONG })
    .getByText(/^Not in the source/)
    .waitFor();
  await rows
    .filter({ hasText: 'Penguins' })
    .getByText(/^Not in the source/)
    .waitFor();
  await rows.filter({ hasText: 'combed leading edges' }).getByText('Facts found').waitFor();
  await draft.getByRole('listitem').filter({ hasText: 'Do owls dream?' }).getByText('No claim').waitFor();
  const shapes = await draft
    .locator('[data-support]')
    .evaluateAll((all) => all.map((each) => each.innerHTML));
  assert.ok(new Set(shapes).size >= 3); // one shape per state
  await page.getByRole('button', { name: 'Possible errors 2' }).click();
  await rows
    .filter({ hasText: WRONG })
    .getByText(/Not in the source: 3/)
    .waitFor();
  await rows.nth(2).waitFor({ state: 'detached' });
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the possible errors are ${over} px wider than a phone`);
  await page.setViewportSize({ width, height });
  await page.getByRole('button', { name: 'Not in the source 2' }).click();
  await page.waitForURL(/show=none/);
  await rows.nth(2).waitFor({ state: 'detached' });
}

/** Uses the keyboard for the reason, the source, the evidence, and a correction. */
async function correct(page: Page): Promise<void> {
  await tabTo(page, /^The barn owl finds/);
  await page.keyboard.press('Space');
  await page.waitForURL(/sentence=\d/);
  const details = page.getByRole('region', { name: /^Sentence \d$/ });
  await details.getByText(/Not in the source: 3/).waitFor();
  await details
    .getByRole('link', { name: /owls\.md/ })
    .first()
    .press('Enter');
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.locator('mark').first().waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await details.getByRole('button', { name: 'Suggest a correction' }).click();
  await details.getByText(CORRECTED).waitFor();
  await details.getByRole('button', { name: 'Find evidence' }).click();
  await details.getByText('In the files as they are now').waitFor();
  await details
    .getByText(/^Not in the source/)
    .first()
    .waitFor(); // judged by a model, which finds no such words
  await checkByAxe(page, 'an open sentence of a draft');
}

/** Saves the author's own file, with a comment per claim. */
async function saveWithComments(page: Page): Promise<void> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as' }).click();
  await page.getByRole('menuitem', { name: 'Word with comments' }).click();
  const download = await saved;
  assert.equal(download.suggestedFilename(), 'night-checked.docx');
  const entries = await readEntries(await readFile(await download.path()));
  const comments = entries.get('word/comments.xml')?.toString() ?? '';
  assert.equal(comments.match(/<w:comment /g)?.length, 4);
  assert.match(comments, /Not in the source/);
}

/** The panel reports that the file was deleted after the check; the page reports when the check ran. */
async function openDeletedSource(lane: Lane, page: Page, workspaceId: string): Promise<void> {
  await seen(page, /Checked on .+; the files may have changed since\.$/);
  await lane.service.call('DELETE', '/api/files/delete', { workspaceId, path: 'flight.md' });
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByRole('article', { name: 'Draft' }).getByRole('button').filter({ hasText: SAME }).click();
  await page
    .getByRole('link', { name: /flight\.md/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: 'Source', exact: true });
  await panel.getByText('This file was deleted after the check.').waitFor();
}

/** Starts a check from the menu of a file, and uses the features without a model. */
async function checkFile(lane: Lane, workspaceId: string): Promise<void> {
  await writeFile(join(await rootOf(lane, workspaceId), 'draft.md'), 'Owls hunt at night.\n');
  await inBrowser(
    lane,
    async (page) => {
      await page.route('**/api/health', async (route) => {
        const reply = await route.fetch();
        await route.fulfill({ response: reply, json: { ...(await reply.json()), aiAvailable: false } });
      });
      await page.goto(`${lane.service.url}/w/${workspaceId}/files?path=draft.md`);
      await page.getByRole('treeitem', { name: /draft\.md/ }).click();
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Check this draft' }).click();
      await page.waitForURL(/\/drafts\?path=draft\.md/);
      await page.setViewportSize({ width: 390, height: 800 });
      await seen(page, /^No model is connected\. Code compares/);
      assert.ok(await page.getByRole('checkbox', { name: JUDGE }).isDisabled());
      await checkByAxe(page, 'a chosen draft on a phone');
      await page.getByRole('button', { name: 'Check draft' }).click();
      await page.getByRole('heading', { level: 1, name: 'draft.md' }).waitFor();
      await page.getByText('Done', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Earlier checks' }).click();
      await page.getByRole('link', { name: 'draft.md' }).waitFor();
      await seen(page, /· \d of 1 supported ·/);
      await page.getByRole('button', { name: 'Delete “draft.md”' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('link', { name: 'draft.md' }).waitFor({ state: 'detached' });
    },
    { theme: 'dark', width: 1280, height: 800 },
  );
  await lane.service.call('DELETE', '/api/files/delete', { workspaceId, path: 'draft.md' });
}

/** The page explains why the judge failed, and where to change it. */
async function refuseKey(lane: Lane, workspaceId: string): Promise<void> {
  lane.provider.failure = 'unauthorized';
  await inBrowser(lane, async (page) => {
    await page.goto(`${lane.service.url}/w/${workspaceId}/drafts`);
    await page.getByRole('textbox', { name: 'Text of the draft' }).fill(UNASKED);
    await page.getByRole('button', { name: 'Check draft' }).click();
    const failed = page.getByText(/The model failed to judge 1 sentence\..*refused the key/);
    await failed.getByRole('link', { name: 'Open settings' }).waitFor();
    await checkByAxe(page, 'a draft whose judge failed');
  });
  lane.provider.failure = undefined;
}

function docxOf(paragraphs: string[]): Buffer {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packed = 'http://schemas.openxmlformats.org/package/2006';
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  return packZip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${packed}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="${packed}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
  });
}

async function views({ service }: Lane, workspaceId: string): Promise<View[]> {
  const { body } = await service.call<{ id: string; draft?: { name: string } }[]>(
    'GET',
    `/api/agent/runs?workspaceId=${workspaceId}&kind=verify`,
  );
  const run = body.find(({ draft }) => draft?.name === NAME)?.id;
  const base = `/w/${workspaceId}/drafts`;
  return [
    { name: 'drafts', path: base, ready: `text=${NAME}` },
    { name: 'draft', path: `${base}/${run}?sentence=2`, ready: 'section[id=sentence-2] a' },
  ];
}

export const draftsPage: ConsolePage = { name: 'a draft that is checked', visit, views };
