import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ASKING_RULES, bash, editTo, runTest, writeFailingTest } from '../../support/failing-test.ts';
import { type FakeAnswer, inTurn } from '../../support/fakes/fake-openai.ts';
import { runGit } from '../../support/fakes/git-server.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import type { Hand } from './hands.ts';
import { goToPage, type Lane, seen } from './lane.ts';

interface Day {
  lane: Lane;
  page: Page;
  hand: Hand;
  /** Called with the name of each moment that the page shows, in the order of the story. */
  moment(name: string): Promise<void>;
}

/**
 * Plays a day with a repository: a plan, the agent that carries it out, a failing test, corrections during
 * and after the run, a chat in between, and a commit.
 */
export async function tellStory(day: Day): Promise<void> {
  const workspace = await makeRepository(day.lane);
  const { root } = workspace;
  await day.page.goto(`${day.lane.service.url}/w/${workspace.id}/agent`);
  await plan(day);
  await carryOut(day);
  await correct(day);
  await stopCall(day);
  await steer(day, root);
  await editRequest(day);
  await changeToChat(day);
  await commit(day);
}

async function makeRepository(lane: Lane): Promise<TestWorkspace> {
  const workspace = await makeWorkspace(lane.service, `${randomUUID()}/sums`);
  await writeFailingTest(workspace.root);
  await writeFile(join(workspace.root, 'wait.sh'), 'until [ -e go ]; do sleep 0.1; done; rm go\n');
  await runGit(workspace.root, 'init', '-q', '-b', 'main');
  await runGit(workspace.root, 'config', 'user.name', 'Owl');
  await runGit(workspace.root, 'config', 'user.email', 'owl@example.org');
  await runGit(workspace.root, 'add', '.');
  await runGit(workspace.root, 'commit', '-q', '-m', 'Add numbers');
  const { status } = await lane.service.call('PUT', `/api/workspaces/${workspace.id}/permissions`, {
    rules: ASKING_RULES,
  });
  assert.equal(status, 200);
  return workspace;
}

function script({ lane }: Day, ...answers: FakeAnswer[]): void {
  lane.provider.answer = inTurn(...answers);
}

const writeNote = (path: string) => ({
  calls: [{ name: 'writeFile', input: { path, content: 'add.sh adds two numbers.\n' } }],
});

async function say({ page, hand }: Day, text: string): Promise<void> {
  const box = page.getByRole('textbox', {
    name: /What should the agent do|Follow up|Send a message to the run|^Ask about/,
  });
  await hand.write(box, text);
  await page.getByRole('button', { name: 'Send', exact: true }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('Enter');
}

async function ended({ page }: Day): Promise<void> {
  await page.getByRole('textbox', { name: 'Follow up, or correct' }).waitFor();
  await page.getByText('Done', { exact: true }).first().waitFor();
}

/** Returns the last text that the model got. */
function asked({ lane }: Day): string {
  return JSON.stringify(lane.provider.lastChat?.messages);
}

async function plan(day: Day): Promise<void> {
  const { page, hand } = day;
  script(
    day,
    { calls: [{ name: 'readFile', input: { path: 'add.sh' } }] },
    '1. Add instead of subtracting.\n2. Run the test.',
  );
  await hand.choose(page.getByRole('combobox', { name: 'Mode', exact: true }), 'plan');
  await say(day, 'Make the test pass.');
  await seen(page, 'Add instead of subtracting.');
  await ended(day);
  await page.getByRole('button', { name: 'Run this plan' }).waitFor();
  await day.moment('plan');
}

/** One click makes the plan the agent's task. Its failing command is red. */
async function carryOut(day: Day): Promise<void> {
  const { page, hand } = day;
  script(day, runTest, 'The test still fails.');
  await hand.press(page.getByRole('button', { name: 'Run this plan' }));
  await seen(page, 'The test still fails.');
  await ended(day);
  const failed = page.locator('summary', { hasText: 'Run command' });
  assert.match((await failed.getByText('Exit code 1').getAttribute('class')) ?? '', /text-danger/);
  await seen(page, '1 failed call');
  await page.getByRole('img', { name: 'Failed, or a call failed' }).waitFor();
  for (const earlier of ['Make the test pass.', '1. Add instead', 'Carry out this plan.'])
    assert.ok(asked(day).includes(earlier), earlier);
  await hand.press(failed);
  await day.moment('red');
}

/** Denies a first edit with a reason, and allows the second one; the test then passes. */
async function correct(day: Day): Promise<void> {
  const { page, hand } = day;
  script(day, editTo('*'), editTo('+'), runTest, 'The test passes.');
  await say(day, 'Correct the sign.');
  const card = page.locator('article[aria-current=true]');
  await card.getByText('+ $1 * $2').waitFor();
  await card.getByRole('button', { name: 'Allow', exact: true }).and(page.locator(':enabled')).waitFor();
  await day.moment('approval');
  await hand.answer('n');
  await hand.write(page.getByRole('textbox', { name: /^Reason for denial/ }), 'Use a plus sign.');
  await day.moment('denial');
  await hand.press(card.getByRole('button', { name: 'Deny', exact: true }));
  await card.getByText('+ $1 + $2').waitFor();
  assert.match(asked(day), /Use a plus sign\./);
  await hand.answer('y');
  await seen(page, 'The test passes.');
  await ended(day);
  assert.equal(await page.locator('summary', { hasText: 'Run command' }).count(), 2);
  await seen(page, 'changed 1 file');
  await page.getByRole('img', { name: 'Failed, or a call failed' }).waitFor({ state: 'detached' });
  await day.moment('green');
}

/** One call is stopped with its processes, and the run continues. */
async function stopCall(day: Day): Promise<void> {
  const { page, hand } = day;
  script(day, bash('echo "Waiting for nothing."; sleep 600 & sleep 600'), 'It took too long.');
  await say(day, 'Wait for it.');
  await page.getByRole('button', { name: 'Stop this call' }).waitFor();
  await page.getByRole('group', { name: 'Output' }).getByText('Waiting for nothing.').waitFor();
  await day.moment('running');
  await hand.press(page.getByRole('button', { name: 'Stop this call' }));
  await seen(page, 'It took too long.');
  await ended(day);
  await page.locator('summary', { hasText: 'sleep 600' }).getByText('Stopped').waitFor();
  assert.match(asked(day), /A person stopped this call/);
  await day.moment('stopped');
}

/** A message during the run waits visibly, is withdrawn or delivered, and stays in the answer. */
async function steer(day: Day, root: string): Promise<void> {
  const { page, hand } = day;
  script(day, writeNote('a.md'), writeNote('a.md'), bash('sh wait.sh'), 'I wrote no comment.');
  await say(day, 'Add a comment.');
  await hand.answer('r'); // the second write needs no answer
  await page.getByRole('textbox', { name: 'Send a message to the run' }).waitFor();
  await page.getByText('sh wait.sh').first().waitFor();
  await say(day, 'Or a second one.');
  const queue = page.getByRole('region', { name: 'Waiting messages' });
  await queue.getByText('Or a second one.').waitFor();
  await hand.press(queue.getByRole('button', { name: 'Withdraw' }));
  await queue.waitFor({ state: 'detached' });
  await say(day, 'Leave comments out.');
  await queue.getByText('Leave comments out.').waitFor();
  await day.moment('queued');
  await writeFile(join(root, 'go'), '');
  const delivered = page.getByRole('article', { name: 'Your message' }).getByText('Leave comments out.');
  await delivered.waitFor();
  await seen(page, 'I wrote no comment.');
  await ended(day);
  await page.reload();
  await delivered.waitFor();
  assert.match(asked(day), /Leave comments out/);
  assert.doesNotMatch(asked(day), /second one/);
}

async function editRequest(day: Day): Promise<void> {
  const { page, hand } = day;
  script(day, 'Nothing more to do.');
  const last = page.getByRole('article', { name: 'Your question' }).last();
  await hand.press(last.getByRole('button', { name: 'Edit question' }));
  await hand.write(page.getByRole('textbox', { name: 'Edit question' }), 'Is anything left?');
  await hand.press(page.getByRole('button', { name: 'Ask again' }));
  await seen(page, 'Nothing more to do.');
  await ended(day);
  await last.getByText('2 / 2').waitFor();
  assert.equal(await page.getByText('I wrote no comment.').count(), 0);
  await hand.press(last.getByRole('button', { name: 'Previous version' }));
  await seen(page, 'I wrote no comment.');
  await hand.press(last.getByRole('button', { name: 'Next version' }));
  await seen(page, 'Nothing more to do.');
  await day.moment('versions');
}

async function changeToChat(day: Day): Promise<void> {
  const { page, hand } = day;
  script(day, 'It adds two numbers.');
  await hand.press(page.getByRole('link', { name: 'Continue as a chat' }));
  await say(day, 'What does add.sh do?');
  await seen(page, 'It adds two numbers.');
  assert.match(asked(day), /Nothing more to do/);
  script(day, writeNote('b.md'), writeNote('b.md'), 'Back at work.');
  await hand.press(page.getByRole('button', { name: 'Continue with the agent' }));
  await page.getByRole('textbox', { name: 'Follow up, or correct' }).waitFor();
  await seen(page, 'It adds two numbers.'); // a request before the page shows it would be refused
  await say(day, 'Write that down.');
  await hand.answer('a');
  await seen(page, 'Back at work.');
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}$/);
  await seen(page, 'It adds two numbers.');
  await ended(day);
  await page.getByText('1 waiting').waitFor({ state: 'detached' });
  await day.moment('back');
}

async function commit({ page, hand, moment }: Day): Promise<void> {
  await goToPage(page, 'Git', hand.press);
  await hand.press(page.getByRole('button', { name: 'add.sh', exact: true }));
  await page.getByRole('group', { name: 'Changes of add.sh' }).getByText('$1 + $2').waitFor();
  await moment('diff');
  await hand.press(page.getByRole('button', { name: 'Stage add.sh' }));
  await hand.write(page.getByRole('textbox', { name: 'Commit message' }), 'Add, do not subtract');
  await hand.press(page.getByRole('button', { name: 'Commit 1 file' }));
  await seen(page, /^Committed as/);
  await moment('committed');
}
