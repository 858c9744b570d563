import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type FakeTool, fakeMcp } from '../../../support/fakes/fake-mcp-server.ts';
import { spread } from '../hostile-texts.ts';
import { goToPage, inBrowser, type Lane, seen, TOOL_HOST } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** A public URL that is never contacted: adding a server calls nothing. */
const SERVER = 'https://93.184.216.34/mcp';

/**
 * Changes the settings of a workspace: tool rules, members, MCP servers. It's a separate workspace, because
 * others work in the first one.
 */
export const rules: ConsolePage = {
  name: 'permissions, members, tool servers',
  async visit(lane) {
    const id = await makeGuarded(lane);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${id}`);
      await orderRules(page);
      await allowHosts(page);
      await nameMembers(page);
      await comeSecond(lane, page, id);
      await addServer(page);
      await lookAtTools(page, lane, id);
    });
  },
  async views(lane) {
    const base = `/w/${await makeGuarded(lane)}`;
    return [
      { name: 'permissions', path: `${base}/permissions`, ready: 'ol[aria-label] li' },
      { name: 'members', path: `${base}/members`, ready: 'ul[aria-label] li' },
      { name: 'tool-servers', path: `${base}/mcp`, ready: 'text=mcp__issues__' },
      { name: 'tools', path: `${base}/mcp?server=tickets`, ready: 'text=mcp__tickets__find' },
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
    const subjects = spread(short, 200).filter((text) => text === text.trim() && !/\s<[^<>]*>$/.test(text));
    await put(
      'members',
      subjects.map((subject) => ({ subject, role: 'viewer' })),
    );
    const views = await rules.views(lane, id);
    far.tools = spread(texts, 40).map((description, at) => ({
      name: `t${at}`,
      description,
      inputSchema: OBJECT,
    }));
    await nameTools(lane, id, 'hostile');
    const hostile = { name: 'tools', path: `/w/${id}/mcp?server=hostile`, ready: 'text=mcp__hostile__t39' };
    return [...views.filter(({ path }) => !path.includes('/mcp')), hostile];
  },
};

/** Names can't contain control characters. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/** Returns the same workspace each time, because a folder is one workspace. */
async function makeGuarded({ service }: Lane): Promise<string> {
  const { body } = await service.call<{ id: string }>('POST', '/api/workspaces', {
    path: `${service.root}/guarded`,
  });
  return body.id;
}

async function addRule(page: Page, tool: string, pattern: string, action: string): Promise<void> {
  await page.getByLabel('Tool', { exact: true }).fill(tool);
  await page.getByLabel('Pattern').fill(pattern);
  await page.getByLabel('Action').selectOption(action);
  await page.getByRole('button', { name: 'Add rule' }).click();
}

/**
 * The last matching rule wins, so their order can be changed. An unknown tool is rejected, and the typed text
 * stays.
 */
async function orderRules(page: Page): Promise<void> {
  await goToPage(page, 'Permissions');
  await seen(page, 'No exceptions');
  await addRule(page, 'bash', 'git push*', 'deny');
  const list = page.getByRole('list', { name: 'Exceptions' });
  await list.getByText('git push*').waitFor();
  await addRule(page, 'bash', 'git *', 'ask');
  await list.getByText('git *', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Move up: bash git *' }).click();
  await page.waitForFunction(() =>
    /^Ask/.test(document.querySelector('ol[aria-label] li')?.textContent ?? ''),
  );
  await addRule(page, 'owl', 'x', 'ask');
  await seen(page, /tool must be one of readFile/);
  await page.reload();
  await seen(page, 'git push*');
  assert.equal(await page.getByLabel('Tool', { exact: true }).inputValue(), 'owl');
  const first = await page.locator('ol[aria-label] li').first().textContent();
  assert.match(first ?? '', /^Askbashgit \*/);
  await page.getByRole('button', { name: 'Remove bash git push*' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await list.getByText('git push*').waitFor({ state: 'detached' });
}

/** Commands reach only listed hosts, and only exact names can be added. */
async function allowHosts(page: Page): Promise<void> {
  const field = page.getByLabel('Host', { exact: true });
  const add = page.getByRole('button', { name: 'Add host' });
  await seen(page, 'Every command can send these hosts files of this workspace');
  await field.fill('https://registry.npmjs.org/');
  await seen(page, /Enter a host name, such as/);
  assert.ok(await add.isDisabled());
  await field.fill('Registry.npmjs.org');
  await add.click();
  const list = page.getByRole('list', { name: 'Network of commands' });
  await list.getByText('registry.npmjs.org').waitFor();
  await field.fill('registry.npmjs.org');
  await seen(page, 'This host is in the list.');
  await field.fill('');
  await page.getByRole('button', { name: 'Remove registry.npmjs.org' }).click();
  await seen(page, "Commands can't reach any host.");
}

async function nameMembers(page: Page): Promise<void> {
  await goToPage(page, 'Members');
  await seen(page, 'Anyone who can sign in');
  const add = async (kind: string, name: string, role: string) => {
    await page.getByLabel('Type').selectOption(kind);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await page.reload();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('listitem').getByText(name, { exact: true }).waitFor();
    // The form is emptied after the list contains the name.
    const field = await page.getByLabel('Name', { exact: true }).elementHandle();
    await page.waitForFunction((input) => (input as HTMLInputElement).value === '', field);
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
  await page.getByRole('dialog').waitFor({ state: 'detached' }); // it closes once the list is reloaded
}

/**
 * Changes a list after another tab did. The page reports this, shows the current list, and lets the change be
 * repeated.
 */
async function comeSecond({ service }: Lane, page: Page, id: string): Promise<void> {
  const path = `/api/workspaces/${id}/members`;
  const others = [
    { subject: 'ann@example.org', role: 'admin' },
    { subject: 'ben@example.org', role: 'member' },
  ];
  assert.equal((await service.call('PUT', path, others)).status, 200);
  await page.getByLabel('Role of ann@example.org').selectOption('viewer');
  await seen(page, 'Someone else changed this');
  await page.getByLabel('Role of ben@example.org').waitFor();
  assert.equal(await page.getByLabel('Role of ann@example.org').inputValue(), 'admin');
  assert.deepEqual((await service.call('GET', path)).body, others);
  await page.getByLabel('Role of ben@example.org').selectOption('viewer');
  await page.waitForFunction(() => !document.body.textContent?.includes('Someone else changed'));
  const { body } = await service.call<typeof others>('GET', path);
  assert.deepEqual(body, [others[0], { subject: 'ben@example.org', role: 'viewer' }]);
}

/** The value of a header is stored and never shown again. */
async function addServer(page: Page): Promise<void> {
  await goToPage(page, 'MCP servers');
  await seen(page, 'No servers yet');
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('issues');
  await dialog.getByLabel('URL').fill('http://127.0.0.1/mcp');
  await dialog.getByRole('button', { name: 'Add header' }).click();
  await dialog.getByLabel('Value').fill('Bearer owl-secret');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/must be an HTTPS URL/).waitFor();
  await dialog.getByLabel('URL').fill(SERVER);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await seen(page, 'Headers: authorization');
  const kept = await page.evaluate(() => JSON.stringify([sessionStorage, document.body.innerHTML]));
  assert.ok(!kept.includes('owl-secret'));
}

const OBJECT = { type: 'object' };
const FIND: FakeTool = { name: 'find', description: 'Finds <b>tickets</b> by words.', inputSchema: OBJECT };
const { state: far, listener } = fakeMcp();

/** Uses the API, because adding a server in the form is another step. */
async function nameTools({ service, far: host }: Lane, id: string, name: string): Promise<void> {
  host.listeners.set(TOOL_HOST, listener);
  const body = { name, url: `https://${TOOL_HOST}/mcp`, headers: {} };
  const { status, bytes } = await service.call('POST', `/api/workspaces/${id}/mcp-servers`, body);
  assert.ok(status === 201 || status === 409, bytes.toString());
}

/**
 * Shows the reason for an unreachable server, and its tools once the server is back. Reports a server without
 * tools.
 */
async function lookAtTools(page: Page, lane: Lane, id: string): Promise<void> {
  far.tools = [FIND];
  far.misbehave = (_request, response) => Boolean(response.writeHead(503).end());
  await nameTools(lane, id, 'tickets');
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: 'mcp__tickets__' });
  await row.getByText('Tools of tickets').click();
  await row.getByText(/The tools of tickets have been unavailable/).waitFor();
  far.misbehave = undefined;
  await row.getByRole('button', { name: 'Try again' }).click();
  const tool = row.getByRole('listitem').filter({ hasText: 'mcp__tickets__find' });
  await tool.getByText('Finds <b>tickets</b> by words.').waitFor();
  await tool.getByText('Ask', { exact: true }).waitFor();
  assert.match(page.url(), /server=tickets/);
  await row.getByText('Tools of tickets').click();
  await tool.waitFor({ state: 'detached' });
  far.tools = [];
  await nameTools(lane, id, 'none');
  await page.goto(`${page.url().split('?')[0]}?server=none`);
  await seen(page, 'This server offers no tools.');
  far.tools = [FIND];
}
