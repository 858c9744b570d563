import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Answer, Service } from '../../support/service.ts';
import { inBrowser, type Lane } from './lane.ts';
import { checkFirstLoad, type View, viewsOf } from './views.ts';

/**
 * Releases with this file choose error messages by their codes. Earlier releases show the service's own
 * sentences.
 */
const WORDED = existsSync(resolve(import.meta.dirname, '../../../lib/error-messages/zh-CN.json'));

/** A name may have this many words. A sentence has more. */
const MOST_WORDS = 3;

const CHINESE = { language: 'zh-CN' } as const;

/**
 * Opens every view in Chinese, then errors of every kind, and checks that no sentence of the console or the
 * service is English.
 */
export async function readInChinese(lane: Lane, workspaceId: string, scenes: View[]): Promise<void> {
  const views = [...(await viewsOf(lane, workspaceId)), ...scenes];
  await inBrowser(lane, (page) => checkFirstLoad(page, lane.service.url), CHINESE);
  await Promise.all([
    inBrowser(lane, (page) => readViews(page, lane.service.url, views), CHINESE),
    inBrowser(lane, (page) => readErrors(page, lane.service, workspaceId), CHINESE),
  ]);
}

async function readViews(page: Page, url: string, views: View[]): Promise<void> {
  const found: string[] = [];
  for (const { name, path, ready, act } of views) {
    await page.goto(url + path);
    await page.locator(ready).first().waitFor({ state: 'attached' });
    await act?.(page);
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
    found.push(...(await englishIn(page)).map((text) => `${name}: ${text}`));
  }
  assert.deepEqual(found, [], 'English in a Chinese view');
}

/**
 * Returns text that is shown or read aloud in English and isn't content of a person, a model, a file, or a
 * program.
 */
async function englishIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const content = '[data-user-content], code, pre, kbd, textarea, iframe, .pdf-text';
    const shown = [...document.body.querySelectorAll('*')].filter(
      (element) => element.closest(content) === null && element.checkVisibility(),
    );
    const textsOf = ({ childNodes }: Element) =>
      [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map((node) => node.textContent);
    const saidOf = (element: Element) =>
      ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name));
    return shown.flatMap((element) => [...textsOf(element), ...saidOf(element)]);
  });
  return [...new Set(texts)].filter((text) => text !== null && isEnglish(text)).map(String);
}

/** Names in quotation marks, paths, and identifiers don't count as words. */
function isEnglish(text: string): boolean {
  const said = text.replace(/“[^”]*”/g, '|').replace(/\S*[/_\\@.:]\w\S*/g, '|');
  const row = new RegExp(String.raw`(?:\b[A-Za-z][A-Za-z'’-]*[\s,;:]+){${MOST_WORDS},}[A-Za-z]`);
  return row.test(said);
}

type Call = [method: string, path: string, body?: unknown];

/** Requests that the service rejects, each for another reason. */
function refusedCalls(id: string): Call[] {
  const none = '01a00000-0000-7000-8000-000000000000';
  const query = `workspaceId=${id}`;
  return [
    ['GET', '/api/nothing'],
    ['GET', `/api/workspaces/${none}`],
    ['POST', '/api/workspaces', {}],
    ['POST', '/api/workspaces', { path: '/etc' }],
    ['POST', '/api/workspaces', { path: 'library/inside' }],
    ['PUT', `/api/workspaces/${id}/permissions`, { rules: [{ tool: 'owl', pattern: '*', action: 'ask' }] }],
    ['PUT', `/api/workspaces/${id}/members`, [{ role: 'admin' }]],
    ['GET', `/api/files/read?${query}&path=nowhere.md`],
    ['GET', `/api/files/read?${query}&path=${encodeURIComponent('../../outside.md')}`],
    ['POST', '/api/files/rename', { workspaceId: id, oldPath: 'nowhere.md', newPath: 'somewhere.md' }],
    ['POST', '/api/files/mkdir', { workspaceId: id, path: 'owls.md' }],
    ['POST', '/api/chat', { workspaceId: id }],
    ['GET', '/api/conversations/none'],
    ['GET', `/api/workspaces/${id}/search`],
    ['GET', `/api/agent/runs/${none}`],
    ['POST', `/api/agent/runs/${none}/approvals/${none}`, { approved: true }],
    ['POST', '/api/research', { workspaceId: id }],
    ['GET', `/api/research/${none}`],
    ['POST', '/api/generate', { workspaceId: id, type: 'poem' }],
    ['GET', `/api/notes/${none}`],
    ['POST', '/api/notes', { workspaceId: id, title: '', content: '' }],
    ['POST', '/api/datasets', {}],
    ['POST', '/api/datasets/import-local', { localPath: '/nowhere' }],
    ['GET', `/api/datasets/${none}`],
    ['POST', '/api/git/clone', { url: 'https://nowhere.invalid/a/b.git', rootPath: 'b' }],
    ['POST', '/api/git/pull', { workspaceId: id }],
    ['POST', `/api/workspaces/${id}/mcp-servers`, { name: 'issues', url: 'http://127.0.0.1/mcp' }],
    ['POST', '/api/skills', { name: 'Owls' }],
    ['POST', '/api/skills/import', { content: 'no skill', workspaceId: id }],
    ['GET', `/api/skills/${none}`],
    ['POST', '/api/scheduled-tasks', { name: 'a', taskType: 'daily_report', schedule: '61 * * * *' }],
    ['GET', `/api/scheduled-tasks/${none}`],
    ['POST', '/api/tokens', { name: 'a', role: 'king' }],
    ['DELETE', `/api/tokens/${none}`],
    ['PUT', '/api/settings', { reportTimezone: 'Nowhere/Here' }],
    ['PUT', '/api/budgets', [{ scope: 'workspace', id: none, monthlyUsd: 1 }]],
    ['GET', '/api/usage?from=tomorrow'],
    ['GET', '/api/audit?cursor=none'],
  ];
}

/** Shows each response where a form of the console shows the service's message. */
async function readErrors(page: Page, service: Service, workspaceId: string): Promise<void> {
  let answer: Answer | undefined;
  await page.route('**/api/datasets/import-local', async (route) => {
    const { status = 500, headers = {}, bytes } = answer ?? {};
    const code = headers['x-error-code'];
    await route.fulfill({
      ...{ status, contentType: 'application/json', body: bytes?.toString() ?? '' },
      ...(typeof code === 'string' && { headers: { 'x-error-code': code } }),
    });
  });
  await page.goto(`${service.url}/w/${workspaceId}/datasets/new`);
  await page.getByText('文件夹', { exact: true }).click();
  await page.getByRole('textbox', { name: '文件夹' }).fill('/owls');
  const found: string[] = [];
  const calls = refusedCalls(workspaceId);
  for (const [method, path, body] of calls) {
    answer = await service.call(method, path, body);
    const { status, headers } = answer;
    assert.ok(status >= 400, `${method} ${path} was answered with ${status}`);
    if (WORDED) assert.ok(headers['x-error-code'], `${method} ${path} has no code`);
    const asked = page.waitForResponse('**/api/datasets/import-local');
    await page.getByRole('button', { name: '导入' }).click();
    await asked;
    await page.getByRole('alert').waitFor();
    found.push(...(await englishIn(page)).map((text) => `${method} ${path}: ${text}`));
  }
  if (WORDED) assert.deepEqual(found, [], 'errors in English');
  else process.stdout.write(`${calls.length} errors, ${found.length} in the service's own English\n`);
}
