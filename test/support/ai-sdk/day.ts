import assert from 'node:assert/strict';
import { ASKING_RULES, bash, editTo, runTest, writeFailingTest } from '../failing-test.ts';
import { type FakeAnswer, inTurn } from '../fakes/fake-openai.ts';
import { eventually } from '../sync.ts';
import { openPage, readKept, reloadPage, type SdkPage, type SdkWorld, textOf, toolParts } from './page.ts';

interface Day {
  world: SdkWorld;
  page: SdkPage;
}

/** A page that a person keeps open for a day: a plan, a failing test, corrections, a message to the run, a stop. */
export async function liveDay(world: SdkWorld): Promise<void> {
  await makeRepository(world);
  const day = { world, page: openPage(world, { saysVersion: true }) };
  await plan(day);
  await carryOut(day);
  await correct(day);
  await steer(day);
  await stop(day);
  await comeBack(day);
}

async function makeRepository({ service, headers, workspaceId }: SdkWorld): Promise<void> {
  const path = `/api/workspaces/${workspaceId}`;
  const { body } = await service.call<{ rootPath: string }>('GET', path, undefined, headers);
  await writeFailingTest(body.rootPath);
  const { status } = await service.call('PUT', `${path}/permissions`, { rules: ASKING_RULES }, headers);
  assert.equal(status, 200);
}

/** Sends a request to the conversation. Resolves when its run ends or waits. */
async function ask({ world, page }: Day, text: string, mode: string, ...answers: FakeAnswer[]) {
  world.provider.answer = inTurn(...answers);
  await page.chat.sendMessage({ text }, { body: { mode } });
  assert.deepEqual(page.failures, []);
}

function said({ page }: Day): string {
  return textOf(page.chat.lastMessage);
}

/** The text that the model was sent last. */
function heard({ world }: Day): string {
  return JSON.stringify(world.provider.lastChat?.messages);
}

function runIdOf({ page }: Day): string {
  return (page.chat.lastMessage?.metadata as { runId?: string } | undefined)?.runId ?? '';
}

/** The results of the commands of the latest answer. */
function commands({ page }: Day): { exitCode: number; state: string }[] {
  const bashes = toolParts(page.chat.messages.slice(-1)).filter(({ type }) => type === 'tool-bash');
  return bashes.map(({ output }) => output as { exitCode: number; state: string });
}

async function post({ world }: Day, path: string, body?: unknown): Promise<void> {
  const { status, bytes } = await world.service.call('POST', `/api/agent/runs/${path}`, body, world.headers);
  assert.ok(status < 300, bytes.toString());
}

async function plan(day: Day): Promise<void> {
  await ask(day, 'Make the test pass.', 'plan', '1. Add instead of subtracting.');
  assert.equal(said(day), '1. Add instead of subtracting.');
}

/** The agent continues in the same conversation, and its test fails visibly. */
async function carryOut(day: Day): Promise<void> {
  await ask(day, 'Carry out this plan.', 'agent', runTest, 'The test still fails.');
  assert.match(heard(day), /Add instead of subtracting/);
  assert.partialDeepStrictEqual(commands(day), [{ exitCode: 1, state: 'failed' }]);
  const { service, headers } = day.world;
  const path = `/api/agent/runs/${runIdOf(day)}`;
  const { body } = await service.call<{ failedCalls: number }>('GET', path, undefined, headers);
  assert.equal(body.failedCalls, 1);
}

/** A first edit is denied with a reason, the second is approved, and the test passes. */
async function correct(day: Day): Promise<void> {
  const script = [editTo('*'), editTo('+'), runTest, 'The test passes.'];
  await ask(day, 'Correct the sign.', 'agent', ...script);
  await answer(day, { approved: false, reason: 'Use a plus sign.' });
  await eventually(
    async () => (await openApproval(day))?.input ?? '',
    (input) => input.includes('+'),
  );
  assert.match(heard(day), /Use a plus sign/);
  await answer(day, { approved: true });
  await until(() => said(day).endsWith('The test passes.'));
  assert.partialDeepStrictEqual(commands(day), [{ exitCode: 0, state: 'done' }]);
}

async function openApproval({ world, page }: Day): Promise<{ id: string; input: string } | undefined> {
  const { run } = await readKept(world, page.id);
  const [open] = run?.approvals ?? [];
  return open && { id: open.id, input: JSON.stringify(open.input) };
}

/** As the guide says: version 5 answers over the API, then resumes the stream. */
async function answer(day: Day, given: { approved: boolean; reason?: string }): Promise<void> {
  const { world, page } = day;
  const { id = '' } = (await openApproval(day)) ?? {};
  if (world.version > 5) await page.chat.addToolApprovalResponse({ id, ...given });
  else {
    await post(day, `${runIdOf(day)}/approvals/${id}`, given);
    await page.chat.resumeStream();
  }
  assert.deepEqual(page.failures, []);
}

/** Sends a request whose command takes long; resolves once the command runs. */
async function askForLong(
  day: Day,
  text: string,
  ...answers: FakeAnswer[]
): Promise<{ ended: Promise<void> }> {
  const ended = ask(day, text, 'agent', ...answers);
  await until(() =>
    toolParts(day.page.chat.messages.slice(-1)).some(({ state }) => state === 'input-available'),
  );
  return { ended };
}

async function steer(day: Day): Promise<void> {
  const { ended } = await askForLong(day, 'Add a comment.', bash('sleep 2'), 'I wrote no comment.');
  await post(day, `${runIdOf(day)}/messages`, { text: 'Leave comments out.' });
  await ended;
  assert.equal(said(day), 'I wrote no comment.');
  assert.match(heard(day), /Leave comments out/);
  assert.match(JSON.stringify(day.page.chat.lastMessage?.parts), /data-user-message.*Leave comments out/);
}

async function stop(day: Day): Promise<void> {
  const { ended } = await askForLong(day, 'Wait for it.', bash('sleep 600'));
  await post(day, `${runIdOf(day)}/stop`);
  await ended;
}

/** After a reload, the whole day is visible, and the next request continues it. */
async function comeBack(day: Day): Promise<void> {
  const page = await reloadPage(day.world, day.page, { saysVersion: true });
  assert.equal(page.chat.messages.length, 10);
  const later = { ...day, page };
  await ask(later, 'Test again.', 'agent', runTest, 'It still passes.');
  assert.equal(said(later), 'It still passes.');
  for (const earlier of ['Make the test pass.', 'Use a plus sign.', 'Leave comments out.', 'Wait for it.'])
    assert.ok(heard(later).includes(earlier), earlier);
  const { messages } = await readKept(day.world, page.id);
  // Version 5 has no approvals, and refuses them in stored messages.
  if (day.world.version > 5) await day.world.sdk.validateUIMessages({ messages });
}

async function until(holds: () => boolean): Promise<void> {
  await eventually(async () => holds(), Boolean);
}
