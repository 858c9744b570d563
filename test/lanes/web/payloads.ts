import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DEEP_TEXTS, HOSTILE_TEXTS } from './hostile-texts.ts';
import { type HostileView, hostileViews } from './hostile-views.ts';
import { inBrowser, type Lane } from './lane.ts';
import { type ConsolePage, PAGES } from './pages/all-pages.ts';

/** The texts that pass through a model. */
const SENT = [
  ...HOSTILE_TEXTS.filter((_, at) => at % 25 === 0),
  ...DEEP_TEXTS.filter((_, at) => at % 4 === 0),
];

const NAMES = [
  '<img src=x onerror=pwned=1>.md',
  'javascript:alert(1).txt',
  '"onmouseover="pwned=1.csv',
  '{{count}}.md',
];

/**
 * Sends the texts through the answer of a model, a title, names and contents of files, the arguments and
 * results of tools.
 */
export async function throwPayloads(lane: Lane, workspaceId: string): Promise<void> {
  const { service, provider } = lane;
  const url = `${service.url}/w/${workspaceId}`;
  for (const name of NAMES) {
    const content = name.endsWith('.csv')
      ? `a,b\n"${HOSTILE_TEXTS[1]?.replaceAll('"', '""')}",2\n`
      : HOSTILE_TEXTS.join('\n\n');
    await service.call('POST', '/api/files/write', { workspaceId, path: name, content });
  }
  const throwIntoPages = inBrowser(lane, async (page) => {
    for (const [number, payload] of SENT.entries()) {
      // Precedes the texts, because an answer that repeats itself is stopped.
      provider.answer = () => `answer ${number}\n\n${payload}`;
      await askApi(lane, workspaceId, 'payloads', payload.slice(0, 300));
    }
    await page.goto(`${url}/chat/payloads`);
    await page
      .getByText(`answer ${SENT.length - 1}`, { exact: false })
      .last()
      .waitFor();
    await checkInert(page);
    for (const name of NAMES) {
      await page.goto(`${url}/files?path=${encodeURIComponent(name)}`);
      await page.getByRole('heading', { name }).waitFor();
      await page.locator('[aria-label="File contents"]').waitFor();
      await checkInert(page);
    }
    for (const each of PAGES) await throwIntoPage(lane, page, each, workspaceId);
  });
  const lookAtAnswers = inBrowser(lane, async (page) => {
    for (const view of hostileViews(workspaceId)) await lookAtHostile(page, service.url, view);
  });
  await Promise.all([throwIntoPages, lookAtAnswers]);
}

/** The service itself would filter some of it, but a page must not rely on that. */
async function lookAtHostile(page: Page, url: string, view: HostileView): Promise<void> {
  const { path, answers, ready, approvals = 0 } = view;
  for (const [pattern, answer] of answers)
    await page.route(pattern, (route) =>
      typeof answer === 'string'
        ? route.fulfill({ contentType: 'text/event-stream', body: answer })
        : route.fulfill({ json: answer }),
    );
  await page.goto(url + path);
  await page.locator(ready).first().waitFor({ state: 'attached' });
  await checkInert(page, approvals);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

async function throwIntoPage(lane: Lane, page: Page, each: ConsolePage, workspaceId: string): Promise<void> {
  for (const { path, ready } of (await each.plant?.(lane, workspaceId, HOSTILE_TEXTS)) ?? []) {
    await page.goto(lane.service.url + path);
    await page.locator(ready).first().waitFor();
    await checkInert(page);
  }
}

async function askApi({ service }: Lane, workspaceId: string, id: string, text: string): Promise<void> {
  const messages = [
    { id: `q-${text}`.slice(0, 100).toWellFormed(), role: 'user', parts: [{ type: 'text', text }] },
  ];
  const { status, bytes } = await service.call('POST', '/api/chat', { id, workspaceId, messages });
  assert.equal(status, 200, bytes.toString());
}

/**
 * Checks that nothing ran, that no text became an active element, and that every external link shows its
 * target.
 */
async function checkInert(page: Page, approvals = 0): Promise<void> {
  const found = await page.evaluate(() => {
    const main = document.querySelector('main');
    const all = (selector: string) => [...(main?.querySelectorAll(selector) ?? [])];
    const links = all('a[href]') as HTMLAnchorElement[];
    const away = links.filter(({ origin }) => origin !== location.origin);
    return {
      pwned: 'pwned' in window,
      elements: all('img, script, iframe, object, embed, link, style, base, meta, form[action], svg use')
        .length,
      approvals: all('[aria-label^="Approval"]').length,
      odd: links.filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
      unsaid: away.filter(
        ({ textContent, host, rel }) => !textContent?.includes(host) || !rel.includes('noopener'),
      ).length,
    };
  });
  assert.deepEqual(found, { pwned: false, elements: 0, approvals, odd: 0, unsaid: 0 });
}
