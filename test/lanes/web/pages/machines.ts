import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openDatabase } from '../../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../../lib/adapters/sqlite/records.ts';
import { operations } from '../../../../lib/cluster/schema.ts';
import { newId } from '../../../../lib/identifiers.ts';
import { fakeObject } from '../../../support/fakes/fake-kubernetes.ts';
import { runGit } from '../../../support/fakes/git-server.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/** Places where commands run and files come from: Git, terminal, cluster. */
export const machines: ConsolePage = {
  name: 'git, terminal, cluster',
  async visit(lane, workspaceId) {
    fillCluster(lane, ['train-owls-0', 'train-owls-1']);
    await noteOperations(lane, workspaceId, OPERATIONS);
    await inBrowser(lane, async (page) => {
      await cloneAndPull(page, lane);
      await changeAndCommit(page, lane);
      await page.goto(`${lane.service.url}/w/${workspaceId}/terminal`);
      await page.getByRole('button', { name: 'Run single commands' }).click();
      await runCommands(page);
      await seeCluster(page, lane);
    });
  },
  async views(lane, workspaceId) {
    const clone = await cloneOf(lane);
    return [
      { name: 'git', path: `/w/${clone}/git`, ready: 'text=field.md' },
      { name: 'git-none', path: `/w/${workspaceId}/git`, ready: 'h2' },
      { name: 'cluster', path: `/w/${workspaceId}/cluster`, ready: 'text=gpu-node' },
    ];
  },
  async plant(lane, workspaceId, texts) {
    fillCluster(
      lane,
      texts.map((text) => text.slice(0, 250)),
    );
    const clone = await cloneOf(lane);
    const { body } = await lane.service.call<{ rootPath: string }>('GET', `/api/workspaces/${clone}`);
    const names = texts.map((text) => text.replaceAll(/[/\0\n]/g, '_').slice(0, 60));
    for (const name of names) await writeFile(join(body.rootPath, `${name}.md`), name);
    await runGit(body.rootPath, 'checkout', '-q', '-B', '<img/src=x/onerror=pwned=1>');
    await noteOperations(lane, workspaceId, texts);
    await printHostile(lane, workspaceId, texts);
    return [
      { name: 'git', path: `/w/${clone}/git`, ready: 'text=onerror' },
      {
        name: 'cluster',
        path: `/w/${workspaceId}/cluster`,
        ready: 'section:last-of-type td:has-text("onerror")',
      },
    ];
  },
};

function fillCluster({ cluster }: Lane, names: string[]): void {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const allocatable = { cpu: '64', memory: '257Gi', 'nvidia.com/gpu': '8' };
  const container = { name: 'main', resources: { limits: { 'nvidia.com/gpu': '2' } } };
  const at = { metadata: { namespace: 'research' } };
  cluster.objects = [
    fakeObject('v1', 'Node', 'gpu-node', { metadata: { labels: {} }, status: { allocatable, conditions } }),
    fakeObject('v1', 'Node', 'small-node', {
      metadata: { labels: {} },
      status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [] },
    }),
    ...names.map((name) =>
      fakeObject('v1', 'Pod', name, {
        ...at,
        spec: { nodeName: 'gpu-node', containers: [container] },
        status: { phase: 'Running' },
      }),
    ),
    ...names.map((name) => fakeObject('batch/v1', 'Job', name, { ...at, status: { active: 1 } })),
  ];
}

/** More operations than fit on a page. */
const OPERATIONS = Array.from({ length: 30 }, (_, number) => `looked at ${number} pods`);

/** Adds operations as agent runs leave them. */
async function noteOperations({ service }: Lane, workspaceId: string, summaries: string[]): Promise<void> {
  const records = sqliteRecords(openDatabase(service.dataDir));
  const what = { tool: 'cluster', verb: 'get', resource: 'pods', namespace: 'research' };
  for (const summary of summaries)
    await operations.put(records, {
      ...{ id: newId(), workspaceId, callerId: 'local', runId: newId(), ...what, summary },
      ...{ status: 'success', approvedBy: 'local', createdAt: new Date().toISOString() },
    });
}

const FOLDER = 'field-notes';

async function cloneOf({ service }: Lane): Promise<string> {
  const { body } = await service.call<{ id: string; name: string }[]>('GET', '/api/workspaces');
  return body.find(({ name }) => name === FOLDER)?.id ?? '';
}

/**
 * A clone is created from the workspaces page, and becomes a workspace; changes are shown, and a pull
 * downloads new ones.
 */
async function cloneAndPull(page: Page, { service, git }: Lane): Promise<void> {
  await git.addRepository(FOLDER, { 'owls.md': '# Owls\n' });
  await page.goto(service.url);
  await page.getByRole('button', { name: 'Clone repository' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Repository URL').fill(`https://${git.host}/none.git`);
  await dialog.getByRole('button', { name: 'Clone' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Repository URL').fill(`https://${git.host}/${FOLDER}.git`);
  assert.equal(await dialog.getByRole('textbox', { name: 'Folder' }).inputValue(), FOLDER);
  await dialog.getByRole('button', { name: 'Clone' }).click();
  await page.getByRole('treeitem', { name: /owls\.md/ }).waitFor();
  await goToPage(page, 'Git');
  await seen(page, 'No changes since the last commit.');
  await git.commit(FOLDER, { 'owls.md': '# Owls\n\nThey hunt.\n' });
  await page.getByRole('button', { name: 'Pull' }).click();
  await seen(page, /^1 file changed/);
  await page.getByRole('button', { name: 'Pull' }).click();
  await seen(page, 'Already up to date.');
  await mkdir(join(service.root, FOLDER), { recursive: true });
  await writeFile(join(service.root, FOLDER, 'field.md'), 'new');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'field.md', exact: true }).waitFor();
}

/** Follows a change from the file to its diff, the index, a commit, and the log; discards other changes. */
async function changeAndCommit(page: Page, { service }: Lane): Promise<void> {
  const write = (path: string, text: string) => writeFile(join(service.root, FOLDER, path), text);
  await write('owls.md', '# Owls\n\nThey hunt at night.\n');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'owls.md', exact: true }).click();
  await page.getByRole('group', { name: 'Changes of owls.md' }).getByText('They hunt at night.').waitFor();
  await page.getByRole('button', { name: 'Stage owls.md' }).click();
  const form = page.locator('form');
  await form.getByLabel('Commit message').fill('Say when they hunt');
  await form.getByRole('button', { name: 'Commit 1 file' }).click();
  await seen(page, /^Committed as/);
  await page.getByRole('listitem').getByText('Say when they hunt').waitFor();
  await seen(page, '1 commit ahead');
  await page.getByRole('button', { name: 'New branch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('a..b');
  await dialog.getByRole('button', { name: 'Create branch' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Name').fill('night');
  await dialog.getByRole('button', { name: 'Create branch' }).click();
  await page.getByRole('heading', { name: 'Branch night' }).waitFor();
  await dialog.waitFor({ state: 'detached' }); // a select could be used below it
  await page.getByLabel('Switch to').selectOption('main');
  await page.getByRole('heading', { name: 'Branch main' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Push' }).count(), 0); // there is no token
  await write('lost.md', 'x');
  await write('owls.md', 'x');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'Discard lost.md' }).click();
  await dialog.getByText('Delete "lost.md"?').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Discard owls.md' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'owls.md', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual((await readdir(join(service.root, FOLDER))).sort(), ['.git', 'field.md', 'owls.md']);
}

/**
 * Works like a terminal: the folder is kept, a nonzero exit code is shown, and keys go through the command
 * history.
 */
async function runCommands(page: Page): Promise<void> {
  const line = page.getByRole('textbox', { name: 'Command' });
  const run = async (command: string) => {
    await line.fill(command);
    await line.press('Enter');
  };
  await line.waitFor();
  await run('mkdir -p deep && cd deep && pwd');
  await seen(page, '~/deep $');
  await run("printf '\\033[31mred owl\\033[0m\\n'; printf '10%%\\r100%%\\n'; echo oops >&2; exit 3");
  await page.getByText('Exit code 3').last().waitFor();
  const red = await page.getByText('red owl', { exact: true }).last().getAttribute('class');
  assert.match(red ?? '', /text-danger/);
  assert.equal(await page.locator('pre').getByText('10%', { exact: true }).count(), 0);
  await page.locator(':focus[aria-label=Command]').waitFor();
  await line.press('ArrowUp');
  await line.press('ArrowUp');
  assert.equal(await line.inputValue(), 'mkdir -p deep && cd deep && pwd');
  await line.press('ArrowDown');
  await line.press('ArrowDown');
  assert.equal(await line.inputValue(), '');
  await line.press('Control+l');
  await seen(page, 'No commands yet. Try “ls”.');
  await line.fill('not sent yet');
  await page.reload();
  await page.getByRole('button', { name: 'Run single commands' }).click();
  await line.waitFor();
  assert.equal(await line.inputValue(), 'not sent yet');
  await line.fill('');
}

/** Output is always text. No URL of a view leads to it, so it's checked here. */
async function printHostile({ service, browser }: Lane, workspaceId: string, texts: string[]): Promise<void> {
  const sequences = '\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[1;31mred';
  const content = `${texts.join('\n')}\n${sequences}`;
  await service.call('POST', '/api/files/write', { workspaceId, path: 'output.txt', content });
  await inBrowser({ service, browser }, async (page) => {
    await page.goto(`${service.url}/w/${workspaceId}/terminal`);
    await page.getByRole('button', { name: 'Run single commands' }).click();
    await page.getByRole('textbox', { name: 'Command' }).fill('cat output.txt');
    await page.keyboard.press('Enter');
    await page
      .locator('pre')
      .getByText('linkred')
      .or(page.locator('pre').getByText('red', { exact: true }))
      .first()
      .waitFor();
    const found = await page.evaluate(() => [
      document.querySelectorAll('pre :not(span)').length,
      document.querySelectorAll('main a, main img, main script').length,
      'pwned' in window,
    ]);
    assert.deepEqual(found, [0, 0, false]);
  });
}

async function seeCluster(page: Page, { cluster }: Lane): Promise<void> {
  await goToPage(page, 'Cluster');
  await seen(page, '4 of 8 GPUs in use');
  await page.getByRole('cell', { name: 'train-owls-0' }).first().waitFor();
  await seen(page, 'Not ready');
  cluster.forbids = ({ resource }) => resource === 'nodes';
  await page.getByRole('button', { name: 'Refresh' }).click();
  await seen(page, /cannot list resource|forbidden/i);
  cluster.forbids = () => false;
  await seen(page, /looked at 29 pods/);
  await seen(page, '1 to 25 of 30');
  await page.getByRole('button', { name: 'Earlier' }).click();
  await seen(page, /looked at 0 pods/);
  assert.match(page.url(), /from=25/);
  await page.goBack();
  await seen(page, /looked at 29 pods/);
}
