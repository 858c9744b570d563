import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { FakeAnswer } from '../../../support/fakes/fake-openai.ts';
import { runGit } from '../../../support/fakes/git-server.ts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace.ts';
import { goToPage, inBrowser, type Lane, seen } from '../lane.ts';
import type { ConsolePage } from './all-pages.ts';

/**
 * A day with a repository: a plan, the agent that carries it out, a failing test, corrections while it works and after
 * it ended, and a commit.
 */
export const storyPage: ConsolePage = {
  name: 'story',
  async visit(lane) {
    const workspace = await makeRepository(lane);
    await inBrowser(lane, async (page) => {
      await page.goto(`${lane.service.url}/w/${workspace.id}/agent`);
      await plan(lane, page);
      await carryOut(lane, page);
      await correct(lane, page);
      await stopCall(lane, page);
      await steer(lane, page);
      await editRequest(lane, page);
      await changeToChat(lane, page);
      await commit(page);
    });
  },
  views: async () => [],
};

const TEST = 'set -e\ntest "$(sh add.sh 2 3)" = 5\n';

async function makeRepository(lane: Lane): Promise<TestWorkspace> {
  const workspace = await makeWorkspace(lane.service, 'story');
  await mkdir(workspace.root, { recursive: true });
  await writeFile(join(workspace.root, 'add.sh'), 'echo $(($1 - $2))\n');
  await writeFile(join(workspace.root, 'test.sh'), TEST);
  await runGit(workspace.root, 'init', '-q', '-b', 'main');
  await runGit(workspace.root, 'config', 'user.name', 'Owl');
  await runGit(workspace.root, 'config', 'user.email', 'owl@example.org');
  await runGit(workspace.root, 'add', '.');
  await runGit(workspace.root, 'commit', '-q', '-m', 'Add numbers');
  const rules = ['bash', 'editFile', 'writeFile'].map((tool) => ({ tool, pattern: '**', action: 'allow' }));
  const { status } = await lane.service.call('PUT', `/api/workspaces/${workspace.id}/permissions`, { rules });
  assert.equal(status, 200);
  return workspace;
}

/** Answers with each of these in turn, then with the last. */
function script({ provider }: Lane, ...answers: FakeAnswer[]): void {
  let at = 0;
  provider.answer = () => answers[Math.min(at++, answers.length - 1)] ?? '';
}

const runTest = { name: 'bash', input: { command: 'sh test.sh' } };

async function say(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', {
    name: /What should the agent do|Follow up|Send a message to the run/,
  });
  await box.fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('Enter');
}

async function ended(page: Page, status = 'Done'): Promise<void> {
  await page.getByRole('textbox', { name: 'Follow up, or correct' }).waitFor();
  await page.getByText(status, { exact: true }).first().waitFor();
}

async function plan(lane: Lane, page: Page): Promise<void> {
  script(
    lane,
    { calls: [{ name: 'readFile', input: { path: 'add.sh' } }] },
    '1. Add instead of subtracting.',
  );
  await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('plan');
  await say(page, 'Make the test pass.');
  await seen(page, 'Add instead of subtracting.');
  await ended(page);
}

/** The plan becomes the agent's task by one click. Its command that fails is red. */
async function carryOut(lane: Lane, page: Page): Promise<void> {
  script(lane, { calls: [runTest] }, 'The test still fails.');
  await page.getByRole('button', { name: 'Run this plan' }).click();
  await seen(page, 'The test still fails.');
  await ended(page);
  const failed = page.locator('summary', { hasText: 'Run command' });
  assert.match((await failed.getByText('Exit code 1').getAttribute('class')) ?? '', /text-danger/);
  await seen(page, '1 failed call');
  const asked = JSON.stringify(lane.provider.lastChat?.messages);
  for (const earlier of ['Make the test pass.', '1. Add instead', 'Carry out this plan.'])
    assert.ok(asked.includes(earlier), earlier);
}

async function correct(lane: Lane, page: Page): Promise<void> {
  const edit = { path: 'add.sh', edits: [{ oldText: '$1 - $2', newText: '$1 + $2' }] };
  script(lane, { calls: [{ name: 'editFile', input: edit }] }, { calls: [runTest] }, 'The test passes.');
  await say(page, 'Use a plus sign.');
  await seen(page, 'The test passes.');
  await ended(page);
  const runs = page.locator('summary', { hasText: 'Run command' });
  assert.equal(await runs.count(), 2);
  await seen(page, 'changed 1 file');
}

/** A message during the run waits visibly, is withdrawn or delivered, and the answer keeps it. */
async function steer(lane: Lane, page: Page): Promise<void> {
  script(lane, { calls: [{ name: 'bash', input: { command: 'sleep 2' } }] }, 'I wrote no comment.');
  await say(page, 'Add a comment.');
  await page.getByRole('textbox', { name: 'Send a message to the run' }).waitFor();
  await say(page, 'Or a second one.');
  const queue = page.getByRole('region', { name: 'Messages that wait' });
  await queue.getByText('Or a second one.').waitFor();
  await queue.getByRole('button', { name: 'Withdraw' }).click();
  await queue.waitFor({ state: 'detached' });
  await say(page, 'Leave comments out.');
  await queue.getByText('Leave comments out.').waitFor();
  await page.getByRole('article', { name: 'Your message' }).getByText('Leave comments out.').waitFor();
  await seen(page, 'I wrote no comment.');
  await ended(page);
  await page.reload();
  await page.getByRole('article', { name: 'Your message' }).getByText('Leave comments out.').waitFor();
  assert.match(JSON.stringify(lane.provider.lastChat?.messages), /Leave comments out/);
  assert.doesNotMatch(JSON.stringify(lane.provider.lastChat?.messages), /second one/);
}

/** One call is stopped with its processes, and the run continues. */
async function stopCall(lane: Lane, page: Page): Promise<void> {
  script(
    lane,
    { calls: [{ name: 'bash', input: { command: 'sleep 600 & sleep 600' } }] },
    'It took too long.',
  );
  await say(page, 'Wait for it.');
  await page.getByRole('button', { name: 'Stop this call' }).click();
  await seen(page, 'It took too long.');
  await ended(page);
  assert.match(JSON.stringify(lane.provider.lastChat?.messages), /A person stopped this call/);
}

async function editRequest(lane: Lane, page: Page): Promise<void> {
  script(lane, 'Nothing more to do.');
  const last = page.getByRole('article', { name: 'Your question' }).last();
  await last.hover();
  await last.getByRole('button', { name: 'Edit question' }).click();
  await page.getByRole('textbox', { name: 'Edit question' }).fill('Is anything left?');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await seen(page, 'Nothing more to do.');
  await ended(page);
  await last.getByText('2 / 2').waitFor();
  assert.equal(await page.getByText('I wrote no comment.').count(), 0);
  await last.getByRole('button', { name: 'Previous version' }).click();
  await seen(page, 'I wrote no comment.');
  await last.getByRole('button', { name: 'Next version' }).click();
  await seen(page, 'Nothing more to do.');
}

async function changeToChat(lane: Lane, page: Page): Promise<void> {
  script(lane, 'It adds two numbers.');
  await page.getByRole('link', { name: 'Continue as a chat' }).click();
  await page.getByRole('textbox', { name: /^Ask about/ }).fill('What does add.sh do?');
  await page.keyboard.press('Enter');
  await seen(page, 'It adds two numbers.');
  assert.match(JSON.stringify(lane.provider.lastChat?.messages), /Nothing more to do/);
  script(lane, 'Back at work.');
  await page.getByRole('button', { name: 'Continue with the agent' }).click();
  await say(page, 'Go on.');
  await seen(page, 'Back at work.');
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}$/);
  await seen(page, 'It adds two numbers.');
}

async function commit(page: Page): Promise<void> {
  await goToPage(page, 'Git');
  await page.getByRole('button', { name: 'Stage all' }).click();
  await page.getByRole('textbox', { name: 'Commit message' }).fill('Add, do not subtract');
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await seen(page, /^Committed as/);
}
