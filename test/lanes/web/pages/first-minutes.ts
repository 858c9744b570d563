import assert from 'node:assert/strict';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Look } from '../../../support/browser.ts';
import { offeredPassages } from '../../../support/fakes/fake-openai.ts';
import { isOfResearch, researchAnswer } from '../../../support/research-model.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { type Service, startService } from '../../../support/service.ts';
import { eventually } from '../../../support/sync.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { focusedName, tabUntil } from '../hands.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import { tokenOf } from '../token-of.ts';
import { checkByAxe } from '../views.ts';
import type { ConsolePage } from './all-pages.ts';

const DOCUMENTS = resolve(import.meta.dirname, '../../../golden/documents');

/**
 * Takes each of four people from nothing to a quote in its source, each on an empty service. Counts and
 * prints each person's actions.
 */
export const firstMinutes: ConsolePage = {
  name: 'the first minutes',
  isApart: true,
  async visit(lane: Lane) {
    const model = { CONSOLE: 'on', PROVIDER_A_BASE_URL: lane.provider.url };
    const [open, closed] = await Promise.all([
      startService(model),
      startService({ ...model, AUTH_MODE: 'token' }),
    ]);
    const writeReport = researchAnswer();
    lane.provider.answer = (request) => {
      if (isOfResearch(String(request.messages[0]?.content))) return writeReport(request);
      const passages = offeredPassages(request);
      const found = passages.find(({ text }) => /marmots|土拨鼠/i.test(text)) ?? passages[0];
      const said = /土拨鼠/.test(found?.text ?? '') ? '鹰来的时候，土拨鼠会吹哨' : 'Marmots whistle';
      return `${said} [${found?.number ?? 1}].`;
    };
    const counts = await Promise.all([
      atOpen({ ...lane, service: open }),
      atClosed({ ...lane, service: closed }),
    ]);
    process.stdout.write(`${table(counts.flat())}\n`);
    await Promise.all([open.stop(), closed.stop()]);
  },
  views: async () => [],
};

/** One after the other, because each starts on the first page. */
async function atOpen(lane: Lane): Promise<Count[]> {
  const keyboard = await walk(lane, 'example by keyboard, dark, 200 %', byKeyboard, {
    ...{ width: 640, height: 450, scale: 2, theme: 'dark' },
  });
  const { body } = await lane.service.call<{ id: string }[]>('GET', '/api/workspaces');
  for (const { id } of body) await lane.service.call('DELETE', `/api/workspaces/${id}`);
  const forty = await walk(lane, '… keep the answer, make a report, save it for Word', dropForty);
  const chinese = await walk(lane, 'the same in Chinese with a folder', inChinese, { language: 'zh-CN' });
  return [...forty, ...keyboard, ...chinese];
}

async function atClosed(lane: Lane): Promise<Count[]> {
  const look = { width: 390, height: 844 };
  const lead = await walk(lane, 'team lead with a token, 390 px', leadOnPhone, look);
  await inBrowser(lane, (page) => askToBeAdded(page, lane.service));
  return lead;
}

/** The actions of a person. A text field counts once. */
interface Count {
  road: string;
  clicks: number;
  keys: number;
  fields: number;
  drops: number;
}

/** A page whose actions are counted. */
interface Hand {
  page: Page;
  service: Service;
  click(name: string | RegExp, role?: 'button' | 'link' | 'treeitem' | 'menuitem'): Promise<void>;
  press(key: string): Promise<void>;
  /** Presses Tab until the element has the focus. */
  tabTo(name: string | RegExp): Promise<void>;
  fill(label: string | RegExp, text: string): Promise<void>;
  drop(paths: string[]): Promise<void>;
  /** Counts the actions so far as a separate path. */
  reach(road: string): void;
}

async function walk(
  lane: Lane,
  road: string,
  work: (hand: Hand) => Promise<void>,
  look: Look = {},
): Promise<Count[]> {
  const reached: Count[] = [];
  const count: Count = { road, clicks: 0, keys: 0, fields: 0, drops: 0 };
  await inBrowser(
    lane,
    async (page) => {
      await page.goto(lane.service.url);
      const reach = (there: string) => void reached.push({ ...count, road: there });
      await work({ ...handOf(page, lane.service, count), reach });
    },
    look,
  );
  return [...reached, count];
}

/** Matches the quoted words, in a text and in a PDF. */
const MARK = 'mark, [data-quote-mark]';

function handOf(page: Page, service: Service, count: Count): Omit<Hand, 'reach'> {
  const press = async (key: string) => {
    await page.keyboard.press(key);
    count.keys += 1;
  };
  return {
    page,
    service,
    press,
    async click(name, role = 'button') {
      await page.getByRole(role, { name }).first().click();
      count.clicks += 1;
    },
    async tabTo(name) {
      const isThere = async () => {
        const focused = (await focusedName(page)).trim();
        return typeof name === 'string' ? focused === name : name.test(focused);
      };
      await press('Tab');
      count.keys += await tabUntil(page, isThere);
    },
    async fill(label, text) {
      await page.getByRole('textbox', { name: label }).or(page.getByLabel(label)).first().fill(text);
      count.fields += 1;
    },
    async drop(paths) {
      await dropFiles(page, paths);
      count.drops += 1;
    },
  };
}

/** Drops files as a file manager does: the browser itself creates the events, and reads the files. */
async function dropFiles(page: Page, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const data = { items: [], files, dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: width / 2, y: height - 20, data });
  // A person retries until the page says what happens to the files. A page that was just drawn misses the
  // first event, and accepts files only once it knows the person's role.
  const said = page.getByText(/Drop to create a workspace|松开即可创建工作区/).first();
  for (let times = 0; times < 100 && !(await said.isVisible()); times++) {
    await send('dragEnter');
    await send('dragOver');
    await page.waitForTimeout(100);
  }
  await said.waitFor();
  await send('drop');
  await session.detach();
}

/**
 * The example shows a quote in its source without a model, with the keyboard, in a window as narrow as at 200
 * %.
 */
async function byKeyboard({ page, tabTo, press }: Hand): Promise<void> {
  await page.getByRole('button', { name: 'Open the example' }).waitFor();
  await checkByAxe(page, 'the first page, dark');
  await tabTo('Open the example');
  await press('Enter');
  await seen(page, 'Written for this example: no model was asked.');
  await tabTo(/^Source 2: papers\/2021-street-trees\.pdf/);
  await press('Enter');
  await page.getByRole('region', { name: 'Source', exact: true }).locator(MARK).first().waitFor();
  await press('Escape');
  await page.getByRole('region', { name: 'Source', exact: true }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
}

const MIXED = 40;

/** A typical folder: notes, tables, Office documents, PDFs, images, and a damaged file. */
async function mixedFolder(): Promise<string[]> {
  const folder = await tempFolder();
  const documents = (await readdir(DOCUMENTS)).filter((name) => name.startsWith('apes.')).slice(0, 12);
  for (const name of documents) await cp(join(DOCUMENTS, name), join(folder, name));
  await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 nothing more');
  await writeFile(
    join(folder, 'marmots.pdf'),
    makePdf(['Nothing here.', 'Marmots whistle when an eagle comes.']),
  );
  await writeFile(join(folder, 'weights.csv'), 'name,grams\nmarmot,4200\n');
  const rest = MIXED - (await readdir(folder)).length;
  for (let at = 0; at < rest; at++)
    await writeFile(join(folder, `note-${at}.${at % 2 === 0 ? 'md' : 'txt'}`), `# Day ${at}\n\nIt rained.\n`);
  const names = await readdir(folder);
  assert.equal(names.length, MIXED);
  return names.map((name) => join(folder, name));
}

async function dropForty(hand: Hand): Promise<void> {
  const { page, service, drop, click, fill, press, reach } = hand;
  await page.getByRole('button', { name: 'Open the example' }).waitFor();
  await checkByAxe(page, 'the first page, light');
  const files = await mixedFolder();
  await drop(files);
  await page.waitForURL(/\/files$/);
  await seen(page, `${MIXED} of ${MIXED} added`);
  await untilFound(service, workspaceOf(page), 'whistle');
  await click('Chat', 'link');
  await page.getByRole('textbox', { name: /^Ask about/ }).waitFor();
  assert.equal(await page.getByText('There are no files in the index').count(), 0);
  await fill(/^Ask about/, 'What do marmots do when an eagle comes?');
  await press('Enter');
  await openQuote(hand, /^Source \d+: marmots\.pdf/);
  reach('drop 40 files, ask, open the source');
  await keepAndReport(hand);
  await dropAgain(hand, files);
}

/**
 * Drops the same files again, with one new file. They are recognized in the workspace that they created, and
 * only the new file is sent.
 */
async function dropAgain({ page, service }: Hand, files: string[]): Promise<void> {
  const before = workspaceOf(page);
  await page.goto(service.url);
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  const fresh = join(await tempFolder(), 'fresh.md');
  await writeFile(fresh, '# Fresh\n');
  await dropFiles(page, [...files, fresh]);
  await seen(page, `${MIXED} of ${MIXED + 1} files are there already, unchanged.`);
  await seen(page, '1 of 1 added');
  assert.equal(workspaceOf(page), before);
}

/** Keeps the answer as a note, and makes a report on the same question as a Word file. */
async function keepAndReport({ page, click }: Hand): Promise<void> {
  await click('Keep');
  await seen(page, 'Saved as a note');
  await click('Make a report');
  await seen(page, /^The report researches this question again\./);
  await click('Start');
  await page.getByText('Done', { exact: true }).first().waitFor();
  const saved = page.waitForEvent('download');
  await click('Save as');
  await click('Word', 'menuitem');
  assert.equal((await saved).suggestedFilename(), 'what-do-marmots-do-when-an-eagle-comes.docx');
}

/** The quote is highlighted in the document, which is the goal of a first visit. */
async function openQuote({ page, click }: Hand, source: RegExp): Promise<void> {
  await click(source, 'link');
  await page.locator(MARK).first().waitFor();
}

function workspaceOf(page: Page): string {
  return /\/w\/([^/]+)/.exec(page.url())?.[1] ?? '';
}

/**
 * The files are indexed soon after they arrive, one after the other, so the closest passage so far may be in
 * another file.
 */
async function untilFound(service: Service, id: string, word: string, headers = {}): Promise<void> {
  const path = `/api/workspaces/${id}/search?q=${encodeURIComponent(word)}`;
  await eventually(
    () => service.call<{ text: string }[]>('GET', path, undefined, headers),
    ({ body }) => body.some(({ text }) => text.includes(word)),
  );
}

async function inChinese(hand: Hand): Promise<void> {
  const { page, service, drop, click, fill, press } = hand;
  const folder = join(await tempFolder(), '观察');
  await mkdir(folder);
  await writeFile(join(folder, '土拨鼠.md'), '# 土拨鼠\n\n鹰来的时候，土拨鼠会吹哨。\n');
  await page.getByRole('heading', { name: '工作区' }).waitFor();
  await drop([folder]);
  await page.waitForURL(/\/files$/);
  await seen(page, '已添加 1 / 1');
  await seen(page, '观察'); // named after the folder
  await untilFound(service, workspaceOf(page), '吹哨');
  await click('对话', 'link');
  await fill(/^就此工作区/, '鹰来的时候，土拨鼠会做什么？');
  await press('Enter');
  await openQuote(hand, /^来源 \d+：土拨鼠\.md/);
}

async function leadOnPhone(hand: Hand): Promise<void> {
  const { page, service, click, fill, press } = hand;
  await page.getByText('Workspace Research').first().waitFor();
  await checkByAxe(page, 'sign-in');
  const secret = await tokenOf(service, 'admin');
  await fill('API token', secret);
  await click('Sign in');
  const picker = page.waitForEvent('filechooser');
  await click('Choose files');
  const file = { name: 'marmots.md', mimeType: 'text/markdown', buffer: Buffer.from('Marmots whistle.\n') };
  await (await picker).setFiles([file]);
  await seen(page, '1 of 1 added');
  await untilFound(service, workspaceOf(page), 'whistle', { authorization: `Bearer ${secret}` });
  await click('Open menu');
  await click('Chat', 'link');
  await fill(/^Ask about/, 'What do marmots do?');
  await press('Enter');
  await openQuote(hand, /^Source \d+: marmots\.md/);
}

/** A reader without a workspace learns whom to ask, and sees no button that would be denied. */
async function askToBeAdded(page: Page, service: Service): Promise<void> {
  const gone = ['019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11'];
  await page.goto(service.url);
  await page.getByLabel('API token').fill(await tokenOf(service, 'viewer', gone));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await seen(page, 'No workspace is open to you');
  await checkByAxe(page, 'the first page of a reader');
  assert.equal(await page.getByRole('button', { name: /Choose files|Open the example/ }).count(), 0);
}

/** The number of actions for the same goal in the review of the console before this page. */
const BEFORE: Record<string, string> = {
  'drop 40 files, ask, open the source': '4 clicks, 2 fields, 1 key, 1 drop',
  'example by keyboard, dark, 200 %': 'no example',
};

function table(counts: Count[]): string {
  return counts
    .map(({ road, clicks, keys, fields, drops }) => {
      const before = BEFORE[road] === undefined ? '' : `; before: ${BEFORE[road]}`;
      return `  ${road}: ${clicks} clicks, ${fields} fields, ${keys} keys, ${drops} drops${before}`;
    })
    .join('\n');
}
