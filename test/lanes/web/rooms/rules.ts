import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { spread } from '../hostile-texts.ts';
import { goToRoom, inBrowser, type Lane, seen } from '../lane.ts';
import type { Room } from './all-rooms.ts';

/** A public address that nobody is asked at: to add a server calls nothing. */
const SERVER = 'https://93.184.216.34/mcp';

/** What holds in a workspace: rules of tools, members, servers of tools. In one of its own, for others work in the first. */
export const rules: Room = {
  name: 'permissions, members, tool servers',
  async visit(lane) {
    const id = await makeGuarded(lane);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${id}`);
      await orderRules(page);
      await nameMembers(page);
      await addServer(page);
    });
  },
  async views(lane) {
    const room = `/w/${await makeGuarded(lane)}`;
    return [
      { name: 'permissions', path: `${room}/permissions`, ready: 'ol[aria-label] li' },
      { name: 'members', path: `${room}/members`, ready: 'ul[aria-label] li' },
      { name: 'tool-servers', path: `${room}/mcp`, ready: 'text=mcp__issues__' },
    ];
  },
  async plant(lane, _workspaceId, texts) {
    const { service } = lane;
    const id = await makeGuarded(lane);
    const short = [...new Set(texts.map((text) => plain(text).slice(0, 250)))];
    const put = async (what: string, body: unknown) => {
      const { status, bytes } = await service.call('PUT', `/api/workspaces/${id}/${what}`, body);
      assert.equal(status, 200, bytes.toString());
    };
    const patterns = short.filter((text) => text.split('*').length < 10);
    await put('permissions', {
      rules: spread(patterns, 100).map((pattern) => ({ tool: 'bash', pattern, action: 'deny' })),
    });
    await put(
      'members',
      spread(short, 200).map((subject) => ({ subject, role: 'viewer' })),
    );
    const views = await rules.views(lane, id);
    return views.filter(({ name }) => name !== 'tool-servers');
  },
};

/** Names take no control characters. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/** The same one each time: a folder is one workspace. */
async function makeGuarded({ service }: Lane): Promise<string> {
  const { body } = await service.call<{ id: string }>('POST', '/api/workspaces', {
    path: `${service.root}/guarded`,
  });
  return body.id;
}

async function addRule(page: Page, tool: string, pattern: string, action: string): Promise<void> {
  await page.getByLabel('Tool', { exact: true }).fill(tool);
  await page.getByLabel('Pattern').fill(pattern);
  await page.getByLabel('Then').selectOption(action);
  await page.getByRole('button', { name: 'Add the rule' }).click();
}

/** The last that fits wins: so their order is what one changes. A tool that there is not is refused, and nothing typed is lost. */
async function orderRules(page: Page): Promise<void> {
  await goToRoom(page, 'Permissions');
  await seen(page, 'No rules yet');
  await addRule(page, 'bash', 'git push*', 'deny');
  const list = page.getByRole('list', { name: 'Rules' });
  await list.getByText('git push*').waitFor();
  await addRule(page, 'bash', 'git *', 'ask');
  await list.getByText('git *', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Earlier: bash git *' }).click();
  await page.waitForFunction(() =>
    /^ask/.test(document.querySelector('ol[aria-label] li')?.textContent ?? ''),
  );
  await addRule(page, 'owl', 'x', 'ask');
  await seen(page, /there is no owl/);
  await page.reload();
  await seen(page, 'git push*');
  assert.equal(await page.getByLabel('Tool', { exact: true }).inputValue(), 'owl');
  const first = await page.locator('ol[aria-label] li').first().textContent();
  assert.match(first ?? '', /^askbashgit \*/);
  await page.getByRole('button', { name: 'Remove bash git push*' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await list.getByText('git push*').waitFor({ state: 'detached' });
}

async function nameMembers(page: Page): Promise<void> {
  await goToRoom(page, 'Members');
  await seen(page, 'Open to everybody');
  const add = async (kind: string, name: string, role: string) => {
    await page.getByLabel('Who').selectOption(kind);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await page.reload();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('listitem').getByText(name, { exact: true }).waitFor();
  };
  await add('subject', 'ann@example.org', 'viewer');
  await add('group', 'owls', 'member');
  await page.getByLabel('Role of ann@example.org').selectOption('admin');
  await page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await page.reload();
  await page.getByLabel('Role of ann@example.org').waitFor();
  assert.equal(await page.getByLabel('Role of ann@example.org').inputValue(), 'admin');
  await page.getByRole('button', { name: 'Remove owls' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByLabel('Role of owls').waitFor({ state: 'detached' });
}

/** The value of a header goes there and is seen no more. */
async function addServer(page: Page): Promise<void> {
  await goToRoom(page, 'Tool servers');
  await seen(page, 'No servers yet');
  await page.getByRole('button', { name: 'New server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('issues');
  await dialog.getByLabel('Address').fill('http://127.0.0.1/mcp');
  await dialog.getByRole('button', { name: 'Add a header' }).click();
  await dialog.getByLabel('Value').fill('Bearer owl-secret');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/must be an https address/).waitFor();
  await dialog.getByLabel('Address').fill(SERVER);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await seen(page, 'Headers: authorization');
  const kept = await page.evaluate(() => JSON.stringify([sessionStorage, document.body.innerHTML]));
  assert.ok(!kept.includes('owl-secret'));
}
