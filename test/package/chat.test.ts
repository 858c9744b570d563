import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { IndexState } from '../../lib/indexing/schema.ts';
import { answerText, readFrames } from '../support/event-frames.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { eventually } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { type Deployment, deploy, PROVIDER_KEY, putProviderKey } from './deployment.ts';
import { drainQueues } from './queue-pump.ts';

const SYNC = '/api/workspaces/{workspaceId}/sync';
const MAX_PRELUDE = 16 * 1024;

let provider: FakeOpenai;
let deployment: Deployment;
let workspaceId: string;
let state: IndexState;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  await putProviderKey();
  deployment = await deploy({ PROVIDER_A_BASE_URL: provider.url, EMBEDDING_MODEL: 'text-embedding-3-small' });
  const folder = join(deployment.mount, 'workspaces/bridges');
  await mkdir(folder);
  await writeFile(
    join(folder, 'firth.md'),
    '# Firth\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n',
  );
  await writeFile(join(folder, 'tay.txt'), 'The Tay bridge fell in a storm in 1879.\n');
  workspaceId = await createWorkspace('bridges');
  state = await syncWorkspace();
}, 180_000);

afterEach(() => {
  provider.failure = undefined;
  provider.beforePiece = undefined;
});

async function createWorkspace(path: string): Promise<string> {
  const request = { method: 'POST', resource: '/api/workspaces', body: { path } };
  const { status, body } = await deployment.call<{ id: string }>('workspaces', request);
  expect(status).toBe(201);
  return body.id;
}

/**
 * Goes from the request over both queues and their workers to the finished index. Every step is a packaged
 * function.
 */
async function syncWorkspace(): Promise<IndexState> {
  const params = { workspaceId };
  await deployment.call('indexing', { method: 'POST', resource: SYNC, params });
  await drainQueues(deployment, ['IndexQueue', 'TouchQueue', 'CommitQueue', 'MaintainQueue']);
  return (await deployment.call<IndexState>('indexing', { method: 'GET', resource: SYNC, params })).body;
}

async function ask(fields: Record<string, unknown> = {}, onText?: (text: string) => void) {
  const messages = [{ role: 'user', content: 'When was the Firth bridge opened?' }];
  const body = { workspaceId, messages, ...fields };
  return deployment.stream('chat', { method: 'POST', resource: '/api/chat', body }, onText);
}

describe('the packaged workers', () => {
  it('index a workspace from its scan to its last commit', async () => {
    expect(state).toMatchObject({ status: 'ready', newCount: 2, failedCount: 0, errors: [] });
    expect(state.embedding).not.toBeNull();
  });

  it('read the provider key from the secret store', () => {
    expect(provider.embeddedTexts).toBeGreaterThan(0);
    expect(provider.lastHeaders.authorization).toBe(`Bearer ${PROVIDER_KEY}`);
  });
});

describe('the packaged chat', () => {
  it('answers with a citation, through the metadata prelude', async () => {
    const { contentType, prelude, bodyAt, text } = await ask();
    expect(contentType).toBe('application/vnd.awslambda.http-integration-response');
    expect(bodyAt).toBeLessThanOrEqual(MAX_PRELUDE);
    expect(prelude).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
    const { parts, last } = readFrames(text);
    expect(last).toBe('data: [DONE]');
    expect(parts.find(({ type }) => type === 'data-citation')?.data).toMatchObject({
      path: 'firth.md',
      quote: 'The Firth bridge was opened in 1890.',
      startLine: 3,
      verified: true,
      stale: false,
    });
    const metadata = { retrieval: { mode: 'hybrid' } };
    expect(parts.at(-1)).toMatchObject({ type: 'finish', messageMetadata: metadata });
  });

  it('streams the words of the model one by one, as they arrive', async () => {
    const words = Array.from({ length: 12 }, (_, index) => `word${index} `);
    provider.answer = () => words;
    let arrived = '';
    // The model waits until its words have arrived, so an answer that is held back never ends.
    provider.beforePiece = async (number) => {
      const said = words[Math.min(number, words.length) - 2]?.trim() ?? '';
      await eventually(
        async () => arrived,
        (text) => text.includes(said),
      );
    };
    const { text } = await ask({}, (more) => {
      arrived += more;
    });
    expect(answerText(readFrames(text).parts)).toBe(words.join(''));
  });

  it.each(['cut', 'error-frame', 'server-error'] as const)(
    'adds an error event to a failed answer: %s',
    async (failure) => {
      provider.failure = failure;
      const { prelude, text } = await ask();
      expect(prelude.statusCode).toBe(200);
      const { parts, last } = readFrames(text);
      expect(parts.slice(-2)).toEqual([
        { type: 'error', errorText: expect.any(String) },
        { type: 'data-error', data: { code: expect.any(String) } },
      ]);
      expect(last).toBe('data: [DONE]');
      expect((await deployment.instance('chat')).output() + text).not.toContain(PROVIDER_KEY);
    },
  );

  it.each([
    ['a wrong body', { messages: 'hi' }, 400, /messages/],
    ['an unknown workspace', { workspaceId: 'nope' }, 404, /workspace/],
    ['a provider without a key', { provider: 'b', model: 'x' }, 503, /Anthropic isn't connected/],
  ])('refuses %s as JSON, through the same prelude', async (_, fields, status, error) => {
    const { contentType, prelude, text } = await ask(fields);
    expect(contentType).toBe('application/vnd.awslambda.http-integration-response');
    expect(prelude).toMatchObject({ statusCode: status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(error) });
  });

  it('reads its file system, and requests no record that its role may not read', () => {
    expect(deployment.records.refusals).toEqual([]);
  });

  it('continues after failures, and the same instance answers the next question', async () => {
    provider.failure = 'cut';
    await ask();
    provider.failure = undefined;
    expect(readFrames((await ask()).text).parts.at(-1)).toMatchObject({ type: 'finish' });
  });
});

describe('the packaged generate', () => {
  it('reads the index on its file system, and writes a note', async () => {
    const body = { workspaceId, type: 'summary' };
    const request = { method: 'POST', resource: '/api/generate', body };
    const { prelude, text } = await deployment.stream('generate', request);
    expect([prelude.statusCode, text]).toEqual([201, expect.stringContaining(workspaceId)]);
    expect(deployment.records.refusals).toEqual([]);
  });
});

describe('the packaged agent', () => {
  const RUN = '/api/agent/runs/{runId}';
  let runId: string;

  beforeAll(async () => {
    const rules = [{ tool: 'writeFile', pattern: '**', action: 'ask' }];
    const resource = '/api/workspaces/{workspaceId}/permissions';
    await deployment.call('workspaces', {
      method: 'PUT',
      resource,
      params: { workspaceId },
      body: { rules },
    });
  });

  function read(after: number) {
    const query = { after: String(after) };
    return deployment.stream('agent', { method: 'GET', resource: `${RUN}/stream`, params: { runId }, query });
  }

  it('ends the streams of a run that waits for a person, because Lambda bills them without a reader', async () => {
    const write = { name: 'writeFile', input: { path: 'a.md', content: 'Owls.' } };
    provider.answer = inTurn({ calls: [write] }, 'It is written.');
    const messages = [{ role: 'user', content: 'Write.' }];
    const body = { workspaceId, cwd: '', messages };
    const started = await deployment.stream('agent', { method: 'POST', resource: '/api/agent', body });
    runId = started.prelude.headers['x-run-id'] ?? '';
    const { text } = await read(0);
    expect(text).toMatch(/"tool-approval-request".*\n\nretry: 2000\n\n$/s);
    const last = Math.max(...[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)));
    const since = performance.now();
    expect((await read(last)).text).toBe('retry: 2000\n\n');
    process.stderr.write(`a stream of a waiting run: ${Math.round(performance.now() - since)} ms\n`);
    const params = { runId, approvalId: await approvalId() };
    const resource = `${RUN}/approvals/{approvalId}`;
    await deployment.stream('agent', { method: 'POST', resource, params, body: { approved: true } });
    await drainQueues(deployment, ['AgentQueue']);
    expect((await read(last)).text).toMatch(/It is written\..*data: \[DONE\]/s);
  });

  async function approvalId(): Promise<string> {
    const { text } = await deployment.stream('agent', { method: 'GET', resource: RUN, params: { runId } });
    return (JSON.parse(text) as { approvals: { id: string }[] }).approvals[0]?.id ?? '';
  }
});
