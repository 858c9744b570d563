import assert from 'node:assert/strict';
import type { UIMessage } from 'ai';
import { inTurn } from '../fakes/fake-openai.ts';
import { eventually } from '../sync.ts';
import { liveDay } from './day.ts';
import {
  openPage,
  readKept,
  reloadPage,
  type SdkPage,
  type SdkWorld,
  type ToolPart,
  textOf,
  toolParts,
} from './page.ts';

/** The behavior of a page with the AI SDK from its opening to its last reload. */
export interface Story {
  name: string;
  /** The versions of the SDK that it applies to. */
  versions: number[];
  tell(world: SdkWorld): Promise<void>;
}

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/8cgmXwAAAABJRU5ErkJggg==';
const NOTE = { path: 'note.md', content: '# A note\n' };
const REASON = 'no thanks';
const WRITE = { text: 'I write it.', calls: [{ name: 'writeFile', input: NOTE }] };
const EVERY = [5, 6, 7];
/** The first versions with approvals. */
const APPROVING = [6, 7];

export const stories: Story[] = [
  { name: 'a chat, reloaded, and its answer made again', versions: EVERY, tell: chatAndRegenerate },
  { name: 'a chat with an attached picture', versions: EVERY, tell: chatWithPicture },
  { name: 'a chat that is left, joined and stopped', versions: EVERY, tell: joinAndStopChat },
  { name: 'a request that is refused', versions: EVERY, tell: readRefusal },
  { name: 'a run with tool calls, reloaded', versions: EVERY, tell: runTools },
  { name: 'a reload where nothing goes on', versions: EVERY, tell: resumeNothing },
  { name: 'a run that is joined in the middle', versions: EVERY, tell: joinRun },
  {
    name: 'a reload before an approval, which is denied',
    versions: APPROVING,
    tell: (to) => answer(to, false),
  },
  {
    name: 'a reload before an approval, which is given',
    versions: APPROVING,
    tell: (to) => answer(to, true),
  },
  { name: 'an approval in the page that asked', versions: APPROVING, tell: denyWithoutReload },
  { name: 'an approval beside an attached picture', versions: APPROVING, tell: approveWithPicture },
  { name: 'a run that is stopped while it waits', versions: APPROVING, tell: stopWaiting },
  {
    name: 'a run that goes on after an approval elsewhere',
    versions: EVERY,
    tell: (to) => joinAnswered(to, true),
  },
  {
    name: 'a run that goes on after a refusal elsewhere',
    versions: EVERY,
    tell: (to) => joinAnswered(to, false),
  },
  { name: 'an approval as a client that says its version has it', versions: EVERY, tell: saysItsVersion },
  { name: 'a day of one conversation', versions: EVERY, tell: liveDay },
];

/** Every message must be accepted by the SDK itself; the URL of an attachment becomes absolute first. */
async function expectValid({ sdk, service }: SdkWorld, messages: UIMessage[]): Promise<void> {
  // Unknown to the SDK, which drops it.
  const own = messages.map((message) => ({ ...message, parentId: undefined }));
  assert.deepEqual(asJson(await sdk.validateUIMessages({ messages })), asJson(own));
  const absolute = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'file' ? { ...part, url: new URL(part.url, service.url).href } : part,
    ),
  }));
  await sdk.convertToModelMessages(absolute);
}

/** Returns a value as it would be sent, without undefined fields. */
function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Reads the conversation again, and checks it with the SDK. */
async function expectKeptValid(world: SdkWorld, id: string): Promise<UIMessage[]> {
  const { messages } = await readKept(world, id);
  await expectValid(world, messages);
  return messages;
}

function shown(messages: UIMessage[]): unknown {
  return asJson(messages).map(({ id, role, parts }) => ({ id, role, parts: parts.map(withoutState) }));
}

function withoutState(part: UIMessage['parts'][number]): unknown {
  const { state: _, rawInput, ...rest } = part as ToolPart;
  // Before 7, of a call that can't be read.
  return rawInput === undefined ? rest : { ...rest, input: rawInput };
}

async function send({ chat, failures }: SdkPage, message: Parameters<SdkPage['chat']['sendMessage']>[0]) {
  await chat.sendMessage(message);
  assert.deepEqual(failures, []);
}

async function chatAndRegenerate(world: SdkWorld): Promise<void> {
  world.provider.answer = inTurn('By day.', 'By night.', 'At dusk.');
  const page = openPage(world, { api: '/api/chat' });
  await send(page, { text: 'When do owls hunt?' });
  await page.chat.regenerate();
  assert.match(textOf(page.chat.lastMessage), /By night/);
  const again = await reloadPage(world, page, { api: '/api/chat' });
  assert.deepEqual(shown(again.chat.messages), shown(page.chat.messages));
  await send(again, { text: 'And else?' });
  assert.equal((await expectKeptValid(world, page.id)).length, 4);
}

async function chatWithPicture(world: SdkWorld): Promise<void> {
  world.provider.answer = () => 'A dot.';
  const page = openPage(world, { api: '/api/chat' });
  await send(page, { text: 'What is it?', files: [{ type: 'file', mediaType: 'image/png', url: PNG }] });
  const again = await reloadPage(world, page, { api: '/api/chat' });
  await send(again, { text: 'Really?' });
  const [first] = await expectKeptValid(world, page.id);
  assert.match(JSON.stringify(first?.parts), /attachments/);
}

async function joinAndStopChat(world: SdkWorld): Promise<void> {
  const { service, headers, provider } = world;
  provider.paceMs = 20;
  provider.answer = () => Array.from({ length: 10_000 }, () => 'word ');
  const page = openPage(world, { api: '/api/chat' });
  void page.chat.sendMessage({ text: 'Tell me.' });
  await until(() => textOf(page.chat.lastMessage).includes('word'));
  await page.chat.stop(); // disconnects
  const { messages } = await readKept(world, page.id);
  const again = openPage(world, { api: '/api/chat', id: page.id, messages });
  const joined = again.chat.resumeStream();
  await until(() => textOf(again.chat.lastMessage).includes('word'));
  await service.call('POST', `/api/chat/${page.id}/stop`, undefined, headers);
  await joined;
  provider.paceMs = 0;
  assert.deepEqual(again.failures, []);
  assert.match(JSON.stringify(await expectKeptValid(world, page.id)), /answer-cut/);
}

async function readRefusal(world: SdkWorld): Promise<void> {
  const page = openPage({ ...world, workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' });
  await page.chat.sendMessage({ text: 'Write a note.' });
  assert.deepEqual(page.failures.map(readError), ['This workspace does not exist.']);
}

/** The recipe of docs/get-started/first-api-call.md: the message of an error is the body of the response. */
function readError(message: string): string {
  try {
    return (JSON.parse(message) as { error: string }).error;
  } catch {
    return message;
  }
}

async function runTools(world: SdkWorld): Promise<void> {
  const calls = [
    { name: 'listDirectory', input: {} },
    { name: 'readFile', input: { path: 'missing.md' } },
    { name: 'nothing', input: '{' },
  ];
  world.provider.answer = inTurn({ text: 'I look.', calls }, 'Nothing there.', 'As I said.');
  const page = openPage(world);
  await send(page, { text: 'What is there?' });
  await expectValid(world, page.chat.messages);
  const again = await reloadPage(world, page);
  assert.deepEqual(shown(again.chat.messages), shown(page.chat.messages));
  await send(again, { text: 'Say it again.' });
  await expectValid(world, again.chat.messages);
  assert.equal((await expectKeptValid(world, page.id)).length, 4);
}

async function resumeNothing(world: SdkWorld): Promise<void> {
  world.provider.answer = () => 'Done.';
  const page = openPage(world);
  await page.chat.resumeStream(); // as useChat does for every new conversation
  await send(page, { text: 'Look.' });
  const again = await reloadPage(world, page);
  const path = `/api/agent/${page.id}/stream`;
  assert.deepEqual([page.requests[0], ...again.requests], [`GET ${path} 204`, `GET ${path} 204`]);
  assert.deepEqual([...page.failures, ...again.failures], []);
  assert.equal((await readKept(world, page.id)).run, null);
}

async function joinRun(world: SdkWorld): Promise<void> {
  const words = Array.from({ length: 20 }, (_, at) => `word${at} `);
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  world.provider.beforePiece = async (number) => (number > 5 ? held : undefined);
  world.provider.answer = () => words;
  const page = openPage(world);
  void page.chat.sendMessage({ text: 'Tell me.' });
  await until(() => textOf(page.chat.lastMessage).includes('word3'));
  await page.chat.stop(); // disconnects
  const { messages, run } = await readKept(world, page.id);
  assert.deepEqual([messages.length, run?.status], [1, 'running']);
  const again = openPage(world, { id: page.id, messages });
  const joined = again.chat.resumeStream();
  // After the end of the run, it would be 204.
  await until(() => textOf(again.chat.lastMessage).includes('word3'));
  goOn();
  await joined;
  world.provider.beforePiece = undefined;
  assert.deepEqual(again.failures, []);
  assert.equal(textOf(again.chat.lastMessage), words.join(''));
  assert.deepEqual(shown(await expectKeptValid(world, page.id)), shown(again.chat.messages));
}

/** Opens a reloaded page whose run waits for a person. */
async function reloadWaiting(
  world: SdkWorld,
  then = 'So be it.',
): Promise<{ page: SdkPage; approvalId: string }> {
  world.provider.answer = inTurn(WRITE, then, 'As I said.');
  const first = openPage(world);
  await send(first, { text: 'Write a note.' });
  const page = await reloadPage(world, first);
  assert.deepEqual(page.failures, []);
  assert.equal(page.chat.status, 'ready');
  const [part] = toolParts(page.chat.messages);
  assert.equal(part?.state, 'approval-requested');
  await expectValid(world, page.chat.messages);
  await expectRunShown(world, page.id, part?.approval?.id ?? '');
  return { page, approvalId: part?.approval?.id ?? '' };
}

/** A conversation with a waiting run shows its approval, and is valid. */
async function expectRunShown(world: SdkWorld, id: string, approvalId: string): Promise<void> {
  const { messages, run } = await readKept(world, id);
  await expectValid(world, messages);
  assert.equal(run?.status, 'waiting');
  assert.deepEqual(
    run?.approvals?.map(({ id, toolName, input }) => ({ id, toolName, input })),
    [{ id: approvalId, toolName: 'writeFile', input: NOTE }],
  );
}

/** The reload that the issue is about, and the next message, which sends the history back. */
async function answer(world: SdkWorld, approved: boolean): Promise<void> {
  const { page, approvalId } = await reloadWaiting(world);
  await page.chat.addToolApprovalResponse({ id: approvalId, approved, reason: REASON });
  await until(() => page.chat.status === 'ready' && textOf(page.chat.lastMessage).endsWith('So be it.'));
  const approval = { id: approvalId, approved, reason: REASON };
  const state = approved ? 'output-available' : 'output-denied';
  await expectSame(world, page, { approval, state });
  const again = await reloadPage(world, page);
  await send(again, { text: 'Say it again.' });
  assert.deepEqual(lastCallOf(world), approved ? [undefined] : [REASON]);
  await expectSame(world, again, { approval, state });
}

/** The model's information about the denial, in the history that the client sent back. */
function lastCallOf({ provider }: SdkWorld): (string | undefined)[] {
  const told = (provider.lastChat?.messages ?? []).filter(({ role }) => role === 'tool');
  return told.map(({ content }) => new RegExp(REASON).exec(String(content))?.[0]);
}

/** The page and the stored conversation contain the same call, and both are valid. */
async function expectSame(world: SdkWorld, { id, chat }: SdkPage, wanted: Partial<ToolPart>): Promise<void> {
  await expectValid(world, chat.messages);
  const kept = await expectKeptValid(world, id);
  for (const messages of [chat.messages, kept]) {
    const [{ approval, state } = {} as ToolPart] = toolParts(asJson(messages));
    assert.deepEqual({ approval, state }, wanted);
  }
  assert.deepEqual(shown(kept), shown(chat.messages));
}

async function denyWithoutReload(world: SdkWorld): Promise<void> {
  world.provider.answer = inTurn(WRITE, 'So be it.');
  const page = openPage(world);
  await send(page, { text: 'Write a note.' });
  await expectValid(world, page.chat.messages);
  const id = toolParts(page.chat.messages)[0]?.approval?.id ?? '';
  await page.chat.addToolApprovalResponse({ id, approved: false });
  await until(() => page.chat.status === 'ready' && textOf(page.chat.lastMessage).endsWith('So be it.'));
  await expectSame(world, page, { approval: { id, approved: false }, state: 'output-denied' });
}

async function approveWithPicture(world: SdkWorld): Promise<void> {
  world.provider.answer = inTurn(WRITE, 'So be it.');
  const first = openPage(world);
  await send(first, { text: 'Write of it.', files: [{ type: 'file', mediaType: 'image/png', url: PNG }] });
  const page = await reloadPage(world, first);
  const id = toolParts(page.chat.messages)[0]?.approval?.id ?? '';
  await page.chat.addToolApprovalResponse({ id, approved: true });
  await until(() => page.chat.status === 'ready' && textOf(page.chat.lastMessage).endsWith('So be it.'));
  assert.deepEqual(page.failures, []);
  await expectSame(world, page, { approval: { id, approved: true }, state: 'output-available' });
}

/** It can no longer be answered, so the call asks for nothing. */
async function stopWaiting(world: SdkWorld): Promise<void> {
  const { page } = await reloadWaiting(world);
  const { runId } = (page.chat.lastMessage?.metadata ?? {}) as { runId?: string };
  await world.service.call('POST', `/api/agent/runs/${runId}/stop`, undefined, world.headers);
  const again = await reloadPage(world, page);
  const [part] = toolParts(await expectKeptValid(world, page.id));
  assert.deepEqual([part?.state, part?.approval], ['output-error', undefined]);
  assert.deepEqual([again.failures, again.requests], [[], [`GET /api/agent/${page.id}/stream 204`]]);
}

/** Holds the run's next step, after an answer through another entry point. */
async function answeredElsewhere(world: SdkWorld, page: SdkPage, approved: boolean) {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  world.provider.answer = inTurn(WRITE, ['So ', 'be ', 'it.']);
  await page.chat.sendMessage({ text: 'Write a note.' });
  const { run } = await readKept(world, page.id);
  world.provider.beforePiece = async () => held;
  const approvalId = run?.approvals?.[0]?.id ?? '';
  const path = `/api/agent/runs/${run?.id}/approvals/${approvalId}`;
  await world.service.call('POST', path, { approved, reason: REASON }, world.headers);
  return {
    approvalId,
    goOn() {
      world.provider.beforePiece = undefined;
      goOn();
    },
  };
}

/** Versions before 7 have no part for the answer, so a stream from its start shows the result of the call. */
async function joinAnswered(world: SdkWorld, approved: boolean): Promise<void> {
  const page = openPage(world, { saysVersion: world.version === 5 });
  const { goOn, approvalId } = await answeredElsewhere(world, page, approved);
  const { messages } = await readKept(world, page.id);
  const again = openPage(world, { id: page.id, messages });
  const joined = again.chat.resumeStream();
  await until(() => isSettled(again));
  goOn();
  await joined;
  assert.deepEqual(again.failures, []);
  const [part] = toolParts(again.chat.messages);
  assert.deepEqual(
    [part?.state, part?.approval],
    [approved ? 'output-available' : 'output-error', undefined],
  );
  if (!approved) assert.match(part?.errorText ?? '', new RegExp(REASON));
  await expectValid(world, again.chat.messages);
  assert.equal(textOf(again.chat.lastMessage), 'I write it.So be it.');
  const [kept] = toolParts((await readKept(world, page.id)).messages);
  assert.deepEqual(kept?.approval, { id: approvalId, approved, reason: REASON });
}

function isSettled({ chat }: SdkPage): boolean {
  return toolParts(chat.messages).some(({ state }) => state.startsWith('output-'));
}

/** Version 5 gets a data part, and answers over the API; 7 gets the answer. */
async function saysItsVersion(world: SdkWorld): Promise<void> {
  const page = openPage(world, { saysVersion: true });
  const { goOn, approvalId } = await answeredElsewhere(world, page, false);
  assert.deepEqual(page.failures, []);
  const asked = JSON.stringify(page.chat.lastMessage?.parts);
  assert.match(asked, world.version === 5 ? /data-approval-request/ : /approval-requested/);
  assert.match(asked, new RegExp(approvalId));
  const { messages } = await readKept(world, page.id);
  const again = openPage(world, { id: page.id, messages, saysVersion: true });
  const joined = again.chat.resumeStream();
  await until(() => isSettled(again));
  goOn();
  await joined;
  assert.deepEqual(again.failures, []);
  await expectValid(world, again.chat.messages);
  const [part] = toolParts(again.chat.messages);
  if (world.version === 7) {
    assert.deepEqual(part?.approval, { id: approvalId, approved: false, reason: REASON });
    assert.equal(part?.state, 'output-denied');
  } else assert.match(part?.errorText ?? '', new RegExp(REASON));
  assert.equal(textOf(again.chat.lastMessage), 'I write it.So be it.');
}

async function until(holds: () => boolean): Promise<void> {
  await eventually(async () => holds(), Boolean);
}
