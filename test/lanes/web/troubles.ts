import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { databaseFile, openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { recordHeard, shownTroubles } from './heard.ts';
import { inBrowser, type Lane, seen } from './lane.ts';

const COMPLETE = 'The answer is complete.';
const ASK = { name: /^Ask about/ };

interface Row {
  trouble: string;
  shown: string[];
  heard: string[];
}

/**
 * Checks that each problem is reported once, visibly and to screen readers, and that only complete answers
 * are called "complete". Uses a separate service and model, because they fail. Prints the table.
 */
export async function tellTroubles({ browser }: Pick<Lane, 'browser'>): Promise<void> {
  const provider = await startFakeOpenai({ paceMs: 2 });
  const own = { browser, provider };
  const [ofAnswers, ofToken] = await Promise.all([troublesOfAnswers(own), loseToken(own)]);
  await provider.stop();
  const rows = [...ofAnswers, ofToken];
  const lines = rows.map(
    ({ trouble, shown, heard }) => `| ${trouble} | ${shown.join(' + ') || '–'} | ${heard.join(' → ')} |`,
  );
  process.stdout.write(`| Trouble | Shown | Heard |\n| --- | --- | --- |\n${lines.join('\n')}\n`);
}

async function troublesOfAnswers({ browser, provider }: Pick<Lane, 'browser' | 'provider'>) {
  const env = { CONSOLE: 'on', AUTH_MODE: 'disabled', DATA_DIR: join(await tempFolder(), 'data') };
  const start = (port = '0') => startService({ ...env, PROVIDER_A_BASE_URL: provider.url, PORT: port });
  let service = await start();
  const { port } = new URL(service.url);
  const { body } = await service.call<{ id: string }>('POST', '/api/workspaces', { path: 'library' });
  const rows: Row[] = [];
  await inBrowser({ browser, service }, async (page) => {
    const heard = await recordHeard(page);
    const road: Road = { page, provider, heard, chat: `${service.url}/w/${body.id}/chat`, rows };
    await openPages(page, road.chat);
    await answerWhole(road);
    await answerSlowly(road);
    await refuseKey(road);
    await stopByHand(road);
    await goOffline(road);
    const resume = await beginAnswer(road, 'Killed?');
    await service.kill();
    await seen(page, /^The connection broke after 2 sentences\./);
    await note(road, 'Service killed during an answer', { shown: /The connection broke after 2 sentences/ });
    await visitUnopened(page, async () => {
      lapseTurns(service);
      service = await start(port);
    });
    resume();
    heard.length = 0;
    await openCutLater(road);
  });
  await service.stop();
  return rows;
}

interface Road {
  page: Page;
  provider: Lane['provider'];
  /** Each row empties this. */
  heard: string[];
  chat: string;
  rows: Row[];
}

/** No page is prefetched, because an unopened page must be requested while the service is down. */
async function openPages(page: Page, chat: string): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto(chat);
  await page.getByRole('textbox', ASK).waitFor();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', ASK).fill(text);
  await page.getByRole('textbox', ASK).press('Enter');
}

interface Expected {
  /** The only message about it; undefined if there is no problem. */
  shown?: RegExp;
  isComplete?: boolean;
}

/** Adds a row with the visible message, and the announcements since the last row. */
async function note(
  { page, heard, rows }: Road,
  trouble: string,
  { shown, isComplete = false }: Expected,
): Promise<void> {
  const found = await shownTroubles(page);
  const told = heard.splice(0);
  rows.push({ trouble, shown: found, heard: told });
  assert.equal(found.length, shown === undefined ? 0 : 1, `${trouble}: shown ${JSON.stringify(found)}`);
  if (shown !== undefined) assert.match(found[0] ?? '', shown);
  assert.equal(told.includes(COMPLETE), isComplete, `${trouble}: heard ${JSON.stringify(told)}`);
  assert.ok(
    told.filter((text) => text !== 'Answering…').length <= 1,
    `${trouble}: heard ${JSON.stringify(told)}`,
  );
}

async function answerWhole(road: Road): Promise<void> {
  road.provider.answer = () => 'Here it is.';
  await ask(road.page, 'Is it there?');
  await seen(road.page, 'Here it is.');
  await road.page.getByText(COMPLETE).waitFor({ state: 'attached' });
  await note(road, 'None: the answer is whole', { isComplete: true });
}

async function answerSlowly(road: Road): Promise<void> {
  const resume = await beginAnswer(road, 'Slowly?');
  await note(road, 'A slow answer, in progress', {});
  resume();
  await seen(road.page, 'And the third.');
  await road.page.getByText(COMPLETE).waitFor({ state: 'attached' });
  road.heard.length = 0;
}

async function refuseKey(road: Road): Promise<void> {
  const { page, provider } = road;
  await page.goto(road.chat);
  road.heard.length = 0;
  provider.failure = 'unauthorized';
  await ask(page, 'With which key?');
  await page.getByRole('alert').first().waitFor();
  await note(road, 'Wrong key', { shown: /key/ });
  provider.failure = undefined;
  provider.answer = () => 'With the right one.';
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await seen(page, 'With the right one.');
  await page.getByText(COMPLETE).waitFor({ state: 'attached' });
}

async function stopByHand(road: Road): Promise<void> {
  const { page } = road;
  await page.goto(road.chat);
  road.heard.length = 0;
  const resume = await beginAnswer(road, 'Long?');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The answer was stopped.').nth(1).waitFor({ state: 'attached' });
  const heard = road.heard.splice(0);
  assert.deepEqual(heard, ['Answering…', 'The answer was stopped.']);
  road.rows.push({ trouble: 'Stopped by the person', shown: ['The answer was stopped.'], heard });
  resume();
}

/** The question is sent as soon as the connection is back, and text typed since then stays. */
async function goOffline(road: Road): Promise<void> {
  const { page, provider } = road;
  await page.goto(road.chat);
  await page.getByRole('textbox', ASK).waitFor();
  road.heard.length = 0;
  provider.answer = () => 'Here it is again.';
  await page.context().setOffline(true);
  await ask(page, 'Is anybody there?');
  await seen(page, /your question is sent when the connection is back/);
  await note(road, 'Offline', {
    shown: /^Can't reach the service\. Stay on this page, and your question is sent/,
  });
  await page.getByRole('textbox', ASK).fill('not sent yet');
  await page.context().setOffline(false);
  await seen(page, 'Here it is again.');
  await page.getByText(COMPLETE).waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('textbox', ASK).inputValue(), 'not sent yet');
  const asked = page.getByText('Is anybody there?', { exact: true });
  await asked.nth(1).waitFor(); // its title, in the list
  assert.equal(await asked.count(), 2, 'once, and its title');
  await page.getByText('Trying again…').waitFor({ state: 'detached' });
  await note(road, 'Online again', { isComplete: true });
}

/** Asks, waits for two sentences of the answer, and returns a function that releases the others. */
async function beginAnswer({ page, provider }: Road, question: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.answer = () => ['This is the first. ', 'This is the second. ', 'And the third.'];
  provider.beforePiece = async (number) => (number === 2 ? promise : undefined);
  await ask(page, question);
  await page.getByText('This is the second.').last().waitFor();
  return () => {
    resolve();
    provider.beforePiece = undefined;
  };
}

/** Simulates a service that was down for longer than an answer's lease, which is half a minute. */
function lapseTurns({ dataDir }: Service): void {
  const database = new DatabaseSync(databaseFile(dataDir));
  database.exec(
    `UPDATE records SET value = json_set(value, '$.turnUntil', '2020-01-01T00:00:00.000Z')
     WHERE json_extract(value, '$.turnUntil') IS NOT NULL`,
  );
  database.close();
}

/** Opens a new page while the service is down. The tab stays, and shows the page once the service is back. */
async function visitUnopened(page: Page, startAgain: () => Promise<void>): Promise<void> {
  const conversation = page.url();
  await page.getByRole('link', { name: 'Research', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor();
  await seen(page, "Can't reach the service. Trying again…");
  await page.getByRole('navigation', { name: 'Workspace navigation' }).waitFor();
  await startAgain();
  await page.getByRole('heading', { name: 'Research', level: 1 }).waitFor();
  await page.goto(conversation);
}

/** The first time, the stream of the answer ends with the error; later, the stored answer contains it. */
async function openCutLater(road: Road): Promise<void> {
  const { page } = road;
  const cut = page.getByText(/stopped before it was complete/);
  await cut.waitFor();
  await road.page.getByText('Trying again…').waitFor({ state: 'detached' });
  await note(road, 'The service is back after the kill', { shown: /stopped before it was complete/ });
  await page.reload();
  await cut.waitFor();
  await note(road, 'A cut answer, opened later', { shown: /stopped before it was complete/ });
}

/** A token is revoked while a user types: they see why, sign in, and continue where they were. */
async function loseToken({ browser, provider }: Pick<Lane, 'browser' | 'provider'>): Promise<Row> {
  const service = await startService({
    ...{ CONSOLE: 'on', AUTH_MODE: 'token', PROVIDER_A_BASE_URL: provider.url },
  });
  const ports = { records: sqliteRecords(openDatabase(service.dataDir)), clock: systemClock };
  const make = (name: string) => createToken(ports, ADMIN, { name, role: 'admin', workspaceIds: null });
  const [old, fresh] = [await make('old'), await make('fresh')];
  const headers = { authorization: `Bearer ${fresh.secret}` };
  const { body } = await service.call<{ id: string }>(
    'POST',
    '/api/workspaces',
    { path: 'library' },
    headers,
  );
  const row = await inBrowser({ browser, service }, async (page) => {
    const heard = await recordHeard(page);
    await page.goto(`${service.url}/w/${body.id}/chat`);
    await signIn(page, old.secret);
    await page.getByRole('textbox', ASK).fill('half a question');
    heard.length = 0;
    await revokeToken(ports, ADMIN, old.id);
    await page.getByLabel('API token').waitFor();
    const shown = await shownTroubles(page);
    assert.match(heard.join(' '), /expired or was revoked/);
    const told = heard.splice(0);
    await signIn(page, fresh.secret);
    assert.equal(await page.getByRole('textbox', ASK).inputValue(), 'half a question');
    return { trouble: 'Token revoked', shown, heard: told };
  });
  await service.stop();
  return row;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', ASK).waitFor();
}
