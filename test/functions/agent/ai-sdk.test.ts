import { beforeEach, describe, expect, it } from '@jest/globals';
import * as sdk from 'ai';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
} from 'ai';
import { type AgentRun, getRun, waitForRun } from '../../support/agent-client.ts';
import type { SdkWorld } from '../../support/ai-sdk/page.ts';
import { stories } from '../../support/ai-sdk/stories.ts';
import { makeAskingWorkspace } from '../../support/ai-sdk/world.ts';
import { makeCaller } from '../../support/callers.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import { type FakeKubernetes, startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { PlainChat, plainState } from '../../support/plain-chat.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const JOB = { name: 'train', command: 'python train.py', image: 'python:3' };

const provider: FakeOpenai = await startFakeOpenai();
whenDone(() => provider.stop());
const cluster: FakeKubernetes = await startFakeKubernetes();
whenDone(() => cluster.stop());
const started = await startService({
  PROVIDER_A_BASE_URL: provider.url,
  KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
  AUTH_MODE: 'token', // without sign-in, a host without a sandbox can't approve anything
});
const { headers, call } = await makeCaller(started, 'admin');
const service: Service = { ...started, call };
const workspace: TestWorkspace = await makeWorkspace(service);

beforeEach(() => {
  provider.paceMs = 0;
  provider.beforePiece = undefined;
});

/** Opens a chat as a page with useChat does. The run ID is in a header of the first response. */
function openChat(messages: UIMessage[] = [], known: { runId?: string | undefined } = {}) {
  const failures: Error[] = [];
  const requests: string[] = [];
  const transport = new DefaultChatTransport({
    api: `${service.url}/api/agent`,
    headers,
    body: { workspaceId: workspace.id, cwd: '' },
    prepareReconnectToStreamRequest: () => ({
      headers,
      api: `${service.url}/api/agent/runs/${known.runId}/stream`,
    }),
    fetch: async (input, init) => {
      requests.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
      const response = await fetch(input, init);
      known.runId = response.headers.get('x-run-id') ?? known.runId;
      return response;
    },
  });
  const chat = new PlainChat({
    transport,
    state: plainState(messages),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => void failures.push(error),
  });
  return { chat, failures, requests, known };
}

type Opened = ReturnType<typeof openChat>;

interface ToolPart {
  type: string;
  state: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string; approved?: boolean };
}

function toolParts({ chat }: Opened): ToolPart[] {
  const parts = (chat.lastMessage?.parts ?? []) as ToolPart[];
  return parts.filter(({ type }) => type.startsWith('tool-'));
}

function textOf({ chat }: Opened): string {
  return (chat.lastMessage?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** A chat whose run waits for approval to submit a job. */
async function openWaiting(): Promise<Opened & { approvalId: string }> {
  cluster.objects = [];
  provider.answer = inTurn({ text: 'I submit it.', calls: [{ name: 'submitJob', input: JOB }] }, 'So be it.');
  const opened = openChat();
  await opened.chat.sendMessage({ text: 'Train the model.' });
  expect(opened.failures).toEqual([]);
  return { ...opened, approvalId: toolParts(opened)[0]?.approval?.id ?? '' };
}

/** The stored messages are the messages that the page shows, including tools and their results. */
async function expectKept({ chat, known }: Opened, fields: Record<string, unknown>): Promise<void> {
  const { body } = await call<{ messages: UIMessage[] }>('GET', `/api/conversations/${chat.id}`);
  expect(body).toMatchObject(fields);
  const shown = (messages: UIMessage[]): unknown =>
    JSON.parse(
      JSON.stringify(
        messages.map(({ id, role, parts }) => ({ id: role === 'user' ? undefined : id, parts })),
        (name, value: unknown) => (name === 'state' ? undefined : value),
      ),
    );
  expect(shown(body.messages)).toEqual(shown(chat.messages));
  expect(await getRun(service, known.runId ?? '')).toMatchObject({ conversationId: chat.id });
}

async function settled(opened: Opened, suits: (opened: Opened) => boolean) {
  await eventually(
    async () => opened.chat.status === 'ready' && suits(opened),
    (ready) => ready,
  );
  expect(opened.failures).toEqual([]);
}

describe('useChat of the AI SDK', () => {
  it('shows a run with tool calls', async () => {
    provider.answer = inTurn(
      {
        text: 'I write it.',
        calls: [
          { name: 'writeFile', input: { path: 'notes/a.md', content: '# A\n' } },
          { name: 'removeEverything', input: {} },
          { name: 'readFile', input: { path: 'missing.md' } },
        ],
      },
      { calls: [{ name: 'readFile', input: { path: 'notes/a.md' } }] },
      'It is written.',
    );
    const opened = openChat();
    await opened.chat.sendMessage({ text: 'Write a note.' });
    expect(opened.failures).toEqual([]);
    expect(toolParts(opened).map(({ type, state }) => `${type} ${state}`)).toEqual([
      'tool-writeFile output-available',
      'tool-removeEverything output-error',
      'tool-readFile output-error',
      'tool-readFile output-available',
    ]);
    expect(toolParts(opened)[0]).toMatchObject({
      input: { path: 'notes/a.md' },
      output: { path: 'notes/a.md', size: 4 },
    });
    expect(textOf(opened)).toBe('I write it.It is written.');
    expect(opened.chat.lastMessage?.metadata).toMatchObject({
      runId: opened.known.runId,
      steps: 3,
      provider: 'a',
    });
    expect(await getRun(service, opened.known.runId ?? '')).toMatchObject({ status: 'done', steps: 3 });
  });

  it('continues a conversation over several messages, with the results of its tools', async () => {
    provider.answer = inTurn({ calls: [{ name: 'listDirectory', input: {} }] }, 'A folder.', 'As I said.');
    const opened = openChat();
    await opened.chat.sendMessage({ text: 'What is there?' });
    await opened.chat.sendMessage({ text: 'Say it again.' });
    const roles = provider.lastChat?.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(textOf(opened)).toBe('As I said.');
    await expectKept(opened, { kind: 'agent', mode: 'agent', title: 'What is there?', messageCount: 4 });
    await opened.chat.sendMessage({ text: 'What was there?', messageId: opened.chat.messages[0]?.id ?? '' });
    expect(opened.failures).toEqual([]);
    await expectKept(opened, { title: 'What was there?', messageCount: 2 });
  });

  it('executes a call that the next message approves', async () => {
    const opened = await openWaiting();
    expect(toolParts(opened)[0]).toMatchObject({ state: 'approval-requested', input: { ...JOB, gpus: 0 } });
    expect(await getRun(service, opened.known.runId ?? '')).toMatchObject({
      status: 'waiting',
      approvals: [{ id: opened.approvalId, toolName: 'submitJob', input: expect.objectContaining(JOB) }],
    });
    await opened.chat.addToolApprovalResponse({ id: opened.approvalId, approved: true });
    await settled(opened, (now) => textOf(now).endsWith('So be it.'));
    expect(toolParts(opened)).toEqual([
      expect.objectContaining({
        state: 'output-available',
        output: expect.objectContaining({ name: 'train' }),
      }),
    ]);
    expect(opened.requests).toEqual(['POST /api/agent', 'POST /api/agent']);
  });

  it('skips a call that the next message denies', async () => {
    const opened = await openWaiting();
    await opened.chat.addToolApprovalResponse({ id: opened.approvalId, approved: false, reason: 'too dear' });
    await settled(opened, (now) => textOf(now).endsWith('So be it.'));
    expect(toolParts(opened)).toEqual([expect.objectContaining({ state: 'output-denied' })]);
    const told = provider.lastChat?.messages.find(({ role }) => role === 'tool');
    expect(told?.content).toMatch(/^The person denied this call, so it was not run\. They said: "too dear"/);
  });

  it('shows the result of an approval that was given through the API', async () => {
    const opened = await openWaiting();
    const { runId = '' } = opened.known;
    const path = `/api/agent/runs/${runId}/approvals/${opened.approvalId}`;
    const answer = await service.call<AgentRun>('POST', path, { approved: true });
    expect(answer.status).toBe(200);
    await waitForRun(service, runId, 'done');
    const later = openChat(opened.chat.messages.slice(0, 1), { runId });
    await later.chat.resumeStream();
    expect(later.failures).toEqual([]);
    expect(toolParts(later)).toEqual([expect.objectContaining({ state: 'output-available' })]);
    expect(textOf(later)).toBe('I submit it.So be it.');
  });

  it('resumes after a lost connection, and in a reloaded page', async () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at} `);
    const { promise: cut, resolve: goOn } = Promise.withResolvers<void>();
    provider.beforePiece = async (number) => (number > 5 ? cut : undefined);
    provider.answer = () => words;
    const first = openChat();
    void first.chat.sendMessage({ text: 'Tell me.' });
    await eventually(
      async () => textOf(first),
      (text) => text.includes('word3'),
    );
    await first.chat.stop(); // closes the connection, without an effect on the run
    expect(textOf(first)).not.toContain('word29');
    goOn();
    const second = openChat(first.chat.messages.slice(0, 1), first.known);
    await second.chat.resumeStream();
    expect(second.failures).toEqual([]);
    expect(textOf(second)).toBe(words.join(''));
    expect(second.requests).toEqual([`GET /api/agent/runs/${first.known.runId}/stream`]);
  });

  it('is notified of a stop', async () => {
    provider.paceMs = 20;
    provider.answer = () => Array.from({ length: 10_000 }, () => 'word ');
    const opened = openChat();
    const sent = opened.chat.sendMessage({ text: 'Tell me.' });
    await eventually(
      async () => textOf(opened),
      (text) => text.includes('word'),
    );
    await service.call('POST', `/api/agent/runs/${opened.known.runId}/stop`);
    await sent;
    expect(opened.chat.status).toBe('ready');
    expect(await waitForRun(service, opened.known.runId ?? '', 'stopped')).toMatchObject({ error: null });
    await eventually(
      async () => provider.openChats,
      (count) => count === 0,
    );
  });

  it('shows a failure of the model', async () => {
    provider.answer = () => 'Half of an answer.';
    provider.failure = 'cut';
    const opened = openChat();
    await opened.chat.sendMessage({ text: 'Tell me.' });
    provider.failure = undefined;
    expect(opened.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(/The OpenAI-compatible endpoint/),
    ]);
    expect(await getRun(service, opened.known.runId ?? '')).toMatchObject({ status: 'failed' });
  });
});

it('readUIMessageStream accepts every part of a run', async () => {
  const calls = [
    { name: 'listDirectory', input: {} },
    { name: 'nothing', input: '{' },
  ];
  provider.answer = inTurn({ text: 'Look.', calls }, 'Seen.');
  const transport = new DefaultChatTransport({
    api: `${service.url}/api/agent`,
    headers,
    body: { workspaceId: workspace.id, cwd: '', mode: 'ask' },
  });
  const stream = await transport.sendMessages({
    chatId: 'c',
    messageId: undefined,
    trigger: 'submit-message',
    abortSignal: undefined,
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Look.' }] }],
  });
  const failures: unknown[] = [];
  let last: UIMessage | undefined;
  const onError = (error: unknown) => void failures.push(error);
  for await (const message of readUIMessageStream({ stream, onError })) last = message;
  expect(failures).toEqual([]);
  const types = ['step-start', 'text', 'tool-listDirectory', 'tool-nothing', 'step-start', 'text'];
  expect(last?.parts.map(({ type }) => type)).toEqual(types);
});

/** The lane `test:ai-sdk` runs the same tests with versions 5 and 6, and with longer chats. */
describe('page with version 7 of the AI SDK', () => {
  const told = stories.filter(({ name, versions }) => versions.includes(7) && !name.startsWith('a chat'));
  it.each(told)('$name', async ({ tell }) => {
    const workspaceId = await makeAskingWorkspace(service);
    const world: SdkWorld = { sdk, version: 7, service: started, headers, workspaceId, provider };
    await tell(world);
  });
});

it.each(['99', '8', '4', 'seven', '7, 7'])(
  'POST /api/agent rejects a stream for version %s',
  async (version) => {
    const body = JSON.stringify({
      workspaceId: workspace.id,
      cwd: '',
      messages: [{ role: 'user', content: 'x' }],
    });
    const sent = { ...headers, 'content-type': 'application/json', 'x-ai-sdk-version': version };
    const answer = await fetch(`${service.url}/api/agent`, { method: 'POST', headers: sent, body });
    expect([answer.status, answer.headers.get('x-error-code'), answer.headers.get('x-error-field')]).toEqual([
      400,
      'ai_sdk_version_unsupported',
      'x-ai-sdk-version',
    ]);
  },
);
