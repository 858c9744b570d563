import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { countProcesses } from '../../../support/terminal.ts';
import { inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** Milliseconds within which the button ends what runs. */
const STOPS_IN_MS = 1_000;
const IMPOSSIBLE = { error: 'It has several processes.' };

/**
 * Opens a terminal, leaves, continues, stops, and closes it, and shows the page of a service without
 * terminals.
 */
export const terminalPage: ConsolePage = {
  name: 'live terminal',
  async visit(lane, workspaceId) {
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspaceId}/terminal`);
      await typeAndComplete(page);
      await leaveByKeyboard(page);
      await stopWithButton(page);
      await continueAfterReload(page);
      await floodAndStop(page);
      await closeAndOpen(page);
    });
    await seeWhyNot(lane, workspaceId);
  },
  async views({ service }, workspaceId) {
    const path = `/w/${workspaceId}/terminal`;
    // Each browser that opens the view opens a terminal, and one person can have at most four.
    for (const id of shown.splice(0)) await service.call('DELETE', `/api/terminal/sessions/${id}`);
    return [{ name: 'terminal', path, ready: '#terminal-keys', act: showColors }];
  },
};

/** The terminals of the views that were opened. */
const shown: string[] = [];
/** The start of the name under which the page keeps its terminal. */
const KEPT = 'terminal-session:';

const rows = (page: Page) => page.locator('.xterm-rows');

/** Waits until the screen shows a text. */
async function shows(page: Page, text: string | RegExp): Promise<void> {
  await rows(page).getByText(text).first().waitFor();
}

async function run(page: Page, command: string): Promise<void> {
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
}

async function typeAndComplete(page: Page): Promise<void> {
  await shows(page, '$');
  await run(page, 'mkdir -p owls-of-the-night && echo made-$((40 + 2))');
  await shows(page, 'made-42');
  await page.keyboard.insertText('cd owls-of');
  await page.keyboard.press('Tab');
  await shows(page, /cd owls-of-the-night/);
  await page.keyboard.press('Enter');
  await shows(page, /owls-of-the-night \$/);
}

/** Tab belongs to the shell, but Escape and Tab leave the terminal, in both directions. */
async function leaveByKeyboard(page: Page): Promise<void> {
  const input = page.locator('.xterm-helper-textarea');
  const isInside = () => input.evaluate((element) => element === document.activeElement);
  await page.keyboard.press('Tab');
  assert.equal(await isInside(), true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await isInside(), false);
}

async function stopWithButton(page: Page): Promise<void> {
  await run(page, `bash -c "trap '' INT; sleep 640 & sleep 640"`);
  while (countProcesses('sleep', '640') < 2) await page.waitForTimeout(20);
  const started = performance.now();
  await page.getByRole('button', { name: 'Stop' }).click();
  while (countProcesses('sleep', '640') > 0) await page.waitForTimeout(20);
  const took = performance.now() - started;
  assert.ok(took < STOPS_IN_MS, `the stop took ${took} ms`);
  console.log(`the stop button ended a sleep with children after ${Math.round(took)} ms`);
}

async function continueAfterReload(page: Page): Promise<void> {
  await run(page, 'kept=of-before; echo kept-$kept');
  await shows(page, 'kept-of-before');
  await page.reload();
  await shows(page, 'kept-of-before');
  await page.waitForTimeout(500); // the kept output is drawn without answers
  await run(page, 'echo again-$kept; stty size');
  await shows(page, 'again-of-before');
}

/** The page stays usable while more output arrives than it can draw. */
async function floodAndStop(page: Page): Promise<void> {
  await run(page, 'yes "an owl in a flood of owls"');
  await shows(page, 'a flood of owls');
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: 'Stop' }).click();
  await run(page, 'echo after-$((1))');
  await shows(page, 'after-1');
}

async function closeAndOpen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close terminal' }).click();
  await seen(page, 'The terminal is closed.');
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await shows(page, '$');
  await run(page, 'exit');
  await seen(page, 'The shell has ended.');
}

/** If the service can't hold a terminal, the page says why, and runs single commands. */
async function seeWhyNot({ service, browser }: Lane, workspaceId: string): Promise<void> {
  const watch = inBrowser({ service, browser }, async (page) => {
    await page.route('**/api/terminal/sessions', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'x-error-code': 'terminal_needs_one_host' },
        json: IMPOSSIBLE,
      }),
    );
    await page.goto(`${service.url}/w/${workspaceId}/terminal`);
    await seen(page, IMPOSSIBLE.error);
    await page.getByRole('textbox', { name: 'Command' }).fill('echo single-$((1))');
    await page.keyboard.press('Enter');
    await seen(page, 'single-1');
    throw new Error('seen');
  });
  // The browser itself reports the refused request as a fault, so the last step throws after everything else
  // was there.
  await watch.catch((error: Error) => assert.match(error.message, /^seen\n/));
}

async function showColors(page: Page): Promise<void> {
  await shows(page, '$');
  await run(
    page,
    `printf '\\033[3%dm%s\\033[0m ' 1 red 2 green 3 yellow 4 blue 5 magenta 6 cyan 7 white; echo`,
  );
  await shows(page, 'magenta');
  const kept = await page.evaluate(() => Object.entries(sessionStorage) as [string, string][]);
  shown.push(...kept.flatMap(([key, id]) => (key.startsWith(KEPT) ? [id] : [])));
}
