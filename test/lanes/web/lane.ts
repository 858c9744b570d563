import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Look, openPage, type Watched } from '../../support/browser.ts';
import type { FakeHub } from '../../support/fakes/fake-hub.ts';
import type { FakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import type { FakeOpenai } from '../../support/fakes/fake-openai.ts';
import type { FakePapers } from '../../support/fakes/fake-papers.ts';
import type { FakeZotero } from '../../support/fakes/fake-zotero.ts';
import type { GitServer } from '../../support/fakes/git-server.ts';
import type { PaperHost } from '../../support/fakes/paper-host.ts';
import type { Service } from '../../support/service.ts';

const FAILED = join(tmpdir(), 'console-failed.png');

export interface Lane {
  browser: Browser;
  service: Service;
  provider: FakeOpenai;
  cluster: FakeKubernetes;
  git: GitServer;
  /** Both hubs. */
  hub: FakeHub;
  /** All sources except Hugging Face. */
  papers: FakePapers;
  zotero: FakeZotero;
  /** External services: papers, and an MCP server. */
  far: PaperHost;
}

export const PAPER_HOST = 'papers.example.org';
export const TOOL_HOST = 'tickets.example.com';

/** Opens a browser for one person for the duration of `work`, in which no error may occur. */
export async function inBrowser<Result>(
  { browser, service }: Pick<Lane, 'browser' | 'service'>,
  work: (page: Page, watched: Watched) => Promise<Result>,
  look: Look = {},
): Promise<Result> {
  const watched = await openPage(browser, service.url, look);
  try {
    const result = await work(watched.page, watched);
    assert.deepEqual(watched.faults, []);
    return result;
  } catch (error) {
    await watched.page.screenshot({ path: FAILED }).catch(() => {});
    const where = `${watched.page.url()}\n${FAILED}\n${watched.faults.join('\n')}`;
    throw new Error(`${(error as Error).message}\nat ${where}`, { cause: error });
  } finally {
    await watched.context.close();
  }
}

/** Waits until the element exists. Playwright's own timeout is 30 s. */
export async function seen(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Navigates with the side list, as a person does. A page in a group is listed when the group is open. */
export async function goToPage(
  page: Page,
  name: string,
  press: (target: Locator) => Promise<void> = (target) => target.click(),
): Promise<void> {
  const begins = new RegExp(`^\\s*${name}\\b`);
  const nav = page.getByRole('navigation', { name: 'Workspace navigation' });
  await nav.waitFor();
  const link = nav.getByRole('link', { name: begins });
  const group = page.locator('details', { has: page.locator('a', { hasText: begins }) }).locator('summary');
  if (!(await link.isVisible())) await press(group.first());
  await press(link);
}
