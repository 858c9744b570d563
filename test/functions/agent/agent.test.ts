import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentRun, getRun, readStream, type StreamRead } from '../../support/agent-client.ts';
import { FAILURES_TOLD, type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const HELLO = [{ role: 'user', content: 'Hello.' }];
const JOB = { name: 'train', command: 'python train.py' };

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let outside: string;

beforeAll(async () => {
  provider = await startFakeOpenai({ answer: () => 'Hello to you.' });
  whenDone(() => provider.stop());
  const env = {
    PROVIDER_A_BASE_URL: provider.url,
    PROVIDER_A_API_KEY: 'sk-very-secret',
    AGENT_MAX_STEPS: '4',
  };
  service = await startService(env);
  workspace = await makeWorkspace(service);
  outside = await tempFolder();
  await mkdir(join(workspace.root, 'sub/deep'), { recursive: true });
  await writeFile(join(workspace.root, 'sub/a.txt'), 'The answer is 42.\n');
  await symlink(outside, join(workspace.root, 'out'));
});
afterEach(() => {
  provider.answer = () => 'Hello to you.';
  provider.failure = undefined;
  provider.rawChunks = undefined;
});

function ask(fields: Record<string, unknown> = {}): Promise<StreamRead> {
  const body = { workspaceId: workspace.id, cwd: '', messages: HELLO, ...fields };
  return readStream(service, '/api/agent', { body });
}

function partsOf({ frames }: StreamRead) {
  return frames.map(({ part }) => part);
}

function runIdOf({ headers }: StreamRead): string {
  return headers.get('x-run-id') ?? '';
}

function toolNames(): string[] {
  return (provider.lastChat?.tools ?? []).map(
    (tool) => (tool as { function: { name: string } }).function.name,
  );
}

function systemPrompt(): string {
  return String(provider.lastChat?.messages[0]?.content);
}

describe('POST /api/agent', () => {
  it('returns a stream with the ID of its run', async () => {
    const read = await ask();
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-run-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-request-id': expect.any(String),
    });
    expect(read.done).toBe(true);
    expect(await getRun(service, runIdOf(read))).toEqual({
      id: runIdOf(read),
      workspaceId: workspace.id,
      kind: 'agent',
      origin: 'api',
      mode: 'agent',
      title: 'Hello.',
      request: 'Hello.',
      conversationId: runIdOf(read),
      status: 'done',
      steps: 1,
      error: null,
      failedCalls: 0,
      changes: null,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    });
  });

  it('reads and changes files of the workspace', async () => {
    provider.answer = inTurn(
      {
        calls: [
          { name: 'grep', input: { pattern: '42' } },
          { name: 'writeFile', input: { path: 'b.txt', content: 'It is 42.\n' } },
          { name: 'bash', input: { command: 'cat sub/a.txt && exit 3' } },
        ],
      },
      'It is 42.',
    );
    const parts = partsOf(await ask());
    const outputs = parts.filter(({ type }) => type === 'tool-output-available').map(({ output }) => output);
    expect(outputs).toHaveLength(3);
    expect(outputs).toContainEqual(expect.objectContaining({ stdout: 'The answer is 42.\n', exitCode: 3 }));
    expect(await readFile(join(workspace.root, 'b.txt'), 'utf8')).toBe('It is 42.\n');
  });

  it('uses the provider and model of the request', async () => {
    const parts = partsOf(await ask({ provider: 'a', model: 'mine' }));
    expect(provider.lastChat?.model).toBe('mine');
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { provider: 'a', model: 'mine' } });
  });

  it('offers all tools in agent mode, and three tools in plan and ask mode', async () => {
    await ask();
    expect(toolNames()).toEqual([
      'readFile',
      'listDirectory',
      'grep',
      'writeFile',
      'editFile',
      'bash',
      'searchWorkspace',
      'searchArticles',
      'readPaper',
      'research',
      'verifyDraft',
      'getSkill',
      'cluster',
      'submitJob',
      'collectJobResults',
      'rememberFact',
    ]);
    for (const mode of ['plan', 'ask']) {
      await ask({ mode });
      expect(toolNames()).toEqual(['readFile', 'listDirectory', 'grep']);
    }
  });

  it('ends with tool-calls after the maximum number of steps', async () => {
    let round = 0;
    provider.answer = () => ({ calls: [{ name: 'readFile', input: { path: `${++round}.txt` } }] });
    const read = await ask();
    expect(partsOf(read).at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' });
    expect(await getRun(service, runIdOf(read))).toMatchObject({ status: 'done', steps: 4 });
  });

  it('refuses the third identical call in a row', async () => {
    provider.answer = () => ({ calls: [{ name: 'listDirectory', input: {} }] });
    const types = partsOf(await ask()).map(({ type }) => type);
    expect(types.filter((type) => type === 'tool-output-available')).toHaveLength(2);
    expect(types.filter((type) => type === 'tool-output-error')).toHaveLength(2);
  });

  it.each(['plan', 'ask'])('changes nothing in %s mode, whatever the model calls', async (mode) => {
    const before = await hashTree(workspace.root);
    await ask();
    const names = toolNames().filter((name) => !['readFile', 'listDirectory', 'grep'].includes(name));
    const input = { path: 'evil.txt', content: 'x', ...JOB };
    const exact: Record<string, unknown> = {
      writeFile: { path: 'evil.txt', content: 'x' },
      editFile: { path: 'sub/a.txt', edits: [{ oldText: '42', newText: '43' }] },
      bash: { command: 'touch evil.txt; rm -r sub' },
      cluster: { action: 'apply', manifest: 'kind: Pod' },
      submitJob: JOB,
    };
    provider.answer = inTurn(
      { calls: names.map((name) => ({ name, input: exact[name] ?? input })) },
      'Tried all.',
    );
    const read = await ask({ mode });
    const parts = partsOf(read);
    const refusals = parts.filter(({ type }) => type === 'tool-output-error');
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(refusals).toHaveLength(names.length);
    for (const { errorText } of refusals)
      expect(errorText).toMatch(/^The tool "\w+" doesn't exist here\. Available tools: readFile,/);
    expect(parts.filter(({ type }) => type === 'tool-approval-request')).toEqual([]);
    expect(parts.filter(({ type }) => type === 'tool-output-available')).toEqual([]);
    expect(await hashTree(workspace.root)).toBe(before);
    expect(await getRun(service, runIdOf(read))).toMatchObject({ status: 'done', mode });
  });

  it.each(FAILURES_TOLD)(
    'returns an error part and a failed run if the provider fails: %s',
    async (failure, text) => {
      provider.failure = failure;
      const read = await ask();
      expect(read.status).toBe(200);
      expect(partsOf(read).slice(-2)).toEqual([
        { type: 'error', errorText: expect.stringMatching(text) },
        { type: 'data-error', data: expect.objectContaining({ code: expect.any(String) }) },
      ]);
      expect(read.done).toBe(true);
      expect(await getRun(service, runIdOf(read))).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(text),
        finishedAt: expect.any(String),
      });
      expect(read.text + service.output()).not.toContain('very-secret');
    },
  );

  it.each([
    ['invalid JSON', ['this is no JSON']],
    ['a list instead of a chunk', [[1, 2]]],
    ['only the end', ['[DONE]']],
  ])('returns an error part and a failed run if the stream is malformed: %s', async (_, chunks) => {
    provider.rawChunks = chunks;
    const read = await ask();
    expect(partsOf(read).slice(-2)).toMatchObject([{ type: 'error' }, { type: 'data-error' }]);
    expect(await getRun(service, runIdOf(read))).toMatchObject({ status: 'failed' });
  });
});

/** Hashes the names, types, and contents of everything in a folder. */
async function hashTree(root: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }));
  for (const { path, entry } of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${path}\0${entry.isDirectory()}\0`);
    if (entry.isFile()) hash.update(await readFile(path));
  }
  return hash.digest('hex');
}

describe('messages of POST /api/agent', () => {
  it('may have content or parts, unknown keys, and unknown kinds of parts', async () => {
    const messages = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'One.' },
          { type: 'hologram', data: 1 },
        ],
        id: 'm',
        extra: 1,
      },
      { role: 'assistant', content: 'Two.', metadata: { any: 1 } },
      { role: 'user', content: 'Three.' },
    ];
    expect((await ask({ messages, id: 'c', trigger: 'submit-message', messageId: null })).status).toBe(200);
    expect(provider.lastChat?.messages.slice(1)).toEqual([
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three.' },
    ]);
  });

  it('become instructions at the end of the prompt if their role is system', async () => {
    await ask({ messages: [{ role: 'system', content: 'Speak like a pirate.' }, ...HELLO] });
    expect(systemPrompt()).toMatch(/# Additional instructions from the client\n\nSpeak like a pirate\.$/);
    expect(provider.lastChat?.messages).toHaveLength(2);
  });

  it('show the model the calls of earlier runs, including denied and unfinished calls', async () => {
    const part = {
      type: 'tool-readFile',
      toolCallId: '1',
      state: 'output-available',
      input: { path: 'a' },
      output: { content: 'x' },
    };
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: 'Look.' },
      part,
      { ...part, toolCallId: '2', state: 'output-error', output: undefined, errorText: 'not there' },
      { ...part, toolCallId: '3', state: 'approval-requested', output: undefined },
      { ...part, toolCallId: '4', state: 'input-streaming', input: undefined, output: undefined },
      { type: 'step-start' },
      { type: 'text', text: 'Seen.' },
    ];
    await ask({ messages: [...HELLO, { role: 'assistant', parts }, ...HELLO] });
    const sent = provider.lastChat?.messages.slice(2, -1) ?? [];
    expect(sent.map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'Look.'],
      ['tool', '{"content":"x"}'],
      ['tool', 'not there'],
      ['tool', 'This call was not run.'],
      ['assistant', 'Seen.'],
    ]);
  });

  it.each<[string, Record<string, unknown>, number, RegExp]>([
    ['no messages', { messages: undefined }, 400, /messages/],
    ['an empty list', { messages: [] }, 400, /messages/],
    ['a string instead of messages', { messages: 'hi' }, 400, /messages/],
    ['an unknown role', { messages: [{ role: 'tool', content: 'hi' }] }, 400, /role/],
    ['a message without text', { messages: [{ role: 'user' }] }, 400, /content or parts/],
    [
      'an empty request',
      { messages: [{ role: 'user', content: ' \n' }] },
      400,
      /^messages must end with a message that has text\./,
    ],
    [
      'a request with only missing files',
      { messages: [{ role: 'user', parts: [{ type: 'file', url: 'x' }] }] },
      400,
      /^messages has a url that must be a data: URL, workspace: with the path/,
    ],
    [
      "the assistant's message last",
      { messages: [...HELLO, { role: 'assistant', content: 'x' }] },
      400,
      /user/,
    ],
    ['only system messages', { messages: [{ role: 'system', content: 'x' }] }, 400, /user/],
    ['too many messages', { messages: Array(401).fill(HELLO[0]) }, 400, /messages/],
    [
      'a request that is too long',
      { messages: [{ role: 'user', content: 'x'.repeat(100_001) }] },
      400,
      /100000/,
    ],
    ['an unknown field', { modle: 'x' }, 400, /modle/],
    ['an unknown mode', { mode: 'boss' }, 400, /mode/],
    ['a model without a provider', { model: 'x' }, 400, /together/],
    ['an unknown provider', { provider: 'd', model: 'x' }, 400, /provider/],
    ['a provider without a key', { provider: 'b', model: 'x' }, 503, /Anthropic isn't connected/],
    ['no workspace', { workspaceId: undefined }, 400, /workspaceId/],
    ['an unknown workspace', { workspaceId: 'nope' }, 404, /workspace/],
    ['an unknown skill', { skillId: 'nope' }, 404, /skill/],
    ["values that aren't an object", { skillId: 'x', paramValues: 'y' }, 400, /paramValues/],
  ])('are rejected with %s', async (_, fields, status, error) => {
    const body = { workspaceId: workspace.id, cwd: '', messages: HELLO, ...fields };
    const answer = await service.call('POST', '/api/agent', body);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { error: expect.stringMatching(error) },
    });
  });

  it("are rejected if the body isn't JSON, or if the method isn't POST", async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await service.call('POST', '/api/agent', '{"messages', headers)).status).toBe(400);
    expect((await service.call('GET', '/api/agent')).status).toBe(405);
  });
});

describe('cwd', () => {
  it.each<[string, (root: string) => string, string]>([
    ['empty', () => '', '.'],
    ['a dot', () => '.', '.'],
    ['relative', () => 'sub', 'sub'],
    ['relative, with redundant parts', () => './sub//deep/', 'sub/deep'],
    ['the root', (root) => root, '.'],
    ['the root with a slash', (root) => `${root}/`, '.'],
    ['absolute', (root) => `${root}/sub/deep`, 'sub/deep'],
  ])('may be %s', async (_, cwd, place) => {
    expect((await ask({ cwd: cwd(workspace.root) })).status).toBe(200);
    expect(systemPrompt()).toContain(`relative to ${JSON.stringify(place)} in it`);
  });

  it('is the folder in which tools work', async () => {
    provider.answer = inTurn(
      {
        calls: [
          { name: 'bash', input: { command: 'pwd' } },
          { name: 'readFile', input: { path: 'a.txt' } },
        ],
      },
      'Done.',
    );
    const outputs = partsOf(await ask({ cwd: 'sub' })).filter(({ type }) => type === 'tool-output-available');
    expect(outputs).toHaveLength(2);
    expect(JSON.stringify(outputs)).toContain(`${workspace.root}/sub\\n`);
    expect(JSON.stringify(outputs)).toContain('The answer is 42.');
  });

  it.each<[string, (root: string) => unknown]>([
    ['missing', () => undefined],
    ['a number', () => 7],
    ['above the workspace', () => '..'],
    ['above it after a detour', () => 'sub/../..'],
    ['another folder', () => '/etc'],
    ['the root directory', () => '/'],
    ['a folder whose name starts like the root', (root) => `${root}-evil`],
    ['above the root, absolute', (root) => `${root}/..`],
    ['the root within another path', (root) => `sub${root}/deep`],
    ['a link to the outside', () => 'out'],
    ['a missing folder', () => 'nowhere'],
    ['a file', () => 'sub/a.txt'],
    ['with NUL', () => 'sub\0'],
    ['too long', () => 'x/'.repeat(3000)],
  ])('is rejected if it is %s', async (_, cwd) => {
    const body = { workspaceId: workspace.id, messages: HELLO, cwd: cwd(workspace.root) };
    const { status, body: answer } = await service.call('POST', '/api/agent', body);
    expect({ status, body: answer }).toEqual({ status: 400, body: { error: expect.stringMatching(/^cwd/) } });
  });
});

describe('skill', () => {
  async function makeSkill(fields: Record<string, unknown> = {}) {
    const made = await service.call<{ id: string }>('POST', '/api/skills', {
      workspaceId: workspace.id,
      name: crypto.randomUUID(),
      systemPrompt: 'Look for {{what}}, {{times}} times.',
      parameters: [
        { name: 'what', label: 'What', type: 'string', required: true },
        { name: 'times', label: 'Times', type: 'number', required: false, defaultValue: 2 },
      ],
      ...fields,
    });
    expect(made.status).toBe(201);
    return made.body.id;
  }

  it('is used with its values inserted, and restricts the tools', async () => {
    const skillId = await makeSkill({ allowedTools: ['readFile', 'bash'] });
    provider.answer = inTurn(
      { calls: [{ name: 'writeFile', input: { path: 'evil.txt', content: '' } }] },
      'Done.',
    );
    const parts = partsOf(await ask({ skillId, paramValues: { what: 'owls {{times}}' } }));
    expect(systemPrompt()).toContain('# Skill to follow\n\nLook for owls {{times}}, 2 times.');
    expect(toolNames()).toEqual(['readFile', 'bash']);
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        errorText: expect.stringMatching(/The tool "writeFile" doesn't exist/),
      }),
    );
    await ask({ skillId, paramValues: { what: 'owls' }, mode: 'ask' });
    expect(toolNames()).toEqual(['readFile']);
  });

  it('may allow no tool at all', async () => {
    const skillId = await makeSkill({ allowedTools: [] });
    await ask({ skillId, paramValues: { what: 'owls' } });
    expect(provider.lastChat?.tools).toBeUndefined();
  });

  it('is found by its slug if it is built in', async () => {
    const { body } = await service.call<{ slug: string; parameters: { required: boolean }[] }[]>(
      'GET',
      '/api/skills',
    );
    const plain = body.find(({ parameters }) => parameters.every(({ required }) => !required));
    expect((await ask({ skillId: plain?.slug })).status).toBe(200);
  });

  it.each<[string, unknown, RegExp]>([
    ['a missing value', undefined, /what is required/],
    ['an empty value', { what: '' }, /what is required/],
    ['a value of another type', { what: 'x', times: 'many' }, /times must be a number/],
    [
      'an unknown value',
      { what: 'x', colour: 'red' },
      /^paramValues doesn't fit the skill: colour isn't a parameter of this/,
    ],
    ['a value that is too long', { what: 'x'.repeat(10_001) }, /what/],
    [
      'too many values',
      Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, 1])),
      /paramValues/,
    ],
  ])('is rejected with %s', async (_, paramValues, error) => {
    const skillId = await makeSkill();
    const body = { workspaceId: workspace.id, cwd: '', messages: HELLO, skillId, paramValues };
    const answer = await service.call('POST', '/api/agent', body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
  });

  it('returns 404 in another workspace, and 409 if it is disabled', async () => {
    const other = await makeWorkspace(service);
    const body = { workspaceId: other.id, cwd: '', messages: HELLO, paramValues: { what: 'x' } };
    expect((await service.call('POST', '/api/agent', { ...body, skillId: await makeSkill() })).status).toBe(
      404,
    );
    const skillId = await makeSkill({ isEnabled: false });
    expect(
      (await service.call('POST', '/api/agent', { ...body, workspaceId: workspace.id, skillId })).status,
    ).toBe(409);
  });
});

describe('GET /api/agent/runs', () => {
  const list = (query: string) => service.call<AgentRun[]>('GET', `/api/agent/runs?${query}`);

  it('lists the runs of a workspace, newest first', async () => {
    const { id: workspaceId } = await makeWorkspace(service);
    const first = runIdOf(await ask({ workspaceId }));
    const done = runIdOf(await ask({ workspaceId }));
    provider.failure = 'server-error';
    const failed = runIdOf(await ask({ workspaceId, mode: 'ask' }));
    const { body } = await list(`workspaceId=${workspaceId}`);
    expect(body.map(({ id, status, mode, approvals }) => [id, status, mode, approvals])).toEqual([
      [failed, 'failed', 'ask', undefined],
      [done, 'done', 'agent', undefined],
      [first, 'done', 'agent', undefined],
    ]);
    expect(new Set(body.map(({ origin }) => origin))).toEqual(new Set(['api']));
    const { body: found } = await list(`workspaceId=${workspaceId}&status=failed`);
    expect(found.map(({ id }) => id)).toEqual([failed]);
    const { body: reports } = await list(`workspaceId=${workspaceId}&kind=research`);
    expect(reports).toEqual([]);
    const page = await list(`workspaceId=${workspaceId}&limit=2`);
    const cursor = String(page.headers['x-next-cursor']);
    const { body: rest } = await list(
      `workspaceId=${workspaceId}&limit=2&cursor=${encodeURIComponent(cursor)}`,
    );
    expect([...page.body, ...rest].map(({ id }) => id)).toEqual([failed, done, first]);
  });

  it.each([
    ['', 400, /workspaceId/],
    ['workspaceId=nope', 404, /workspace/],
    ['workspaceId=nope&status=asleep', 400, /status/],
    ['workspaceId=nope&kind=chat', 400, /kind/],
    ['workspaceId=nope&limit=0', 400, /limit/],
    ['workspaceId=nope&limit=1001', 400, /limit/],
  ])('rejects ?%s', async (query, status, error) => {
    expect(await list(query)).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });

  it.each([
    ['GET', ''],
    ['GET', '/stream'],
    ['POST', '/stop'],
  ])('returns 404 for an unknown run: %s {runId}%s', async (method, path) => {
    const answer = await service.call(method, `/api/agent/runs/${crypto.randomUUID()}${path}`);
    expect(answer).toMatchObject({ status: 404, body: { error: 'This run does not exist.' } });
  });
});

describe('POST /api/agent/summarize', () => {
  const summarize = (fields: Record<string, unknown> = {}, by: Service = service) =>
    by.call<Record<string, string>>('POST', '/api/agent/summarize', {
      workspaceId: workspace.id,
      messages: HELLO,
      ...fields,
    });

  it('returns a preview and stores nothing', async () => {
    provider.answer = () => '  # What was said\n\nHello.\n';
    const { status, body } = await summarize({ preview: true, trigger: 'clear' });
    expect(status).toBe(200);
    expect(body).toEqual({
      title: expect.stringMatching(/^Conversation memory - \d{4}-\d\d-\d\d \d\d:\d\d$/),
      content: '# What was said\n\nHello.',
    });
  });

  it('stores the summary as a note of type memory', async () => {
    const { status, body } = await summarize({ trigger: 'overflow' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      workspaceId: workspace.id,
      type: 'memory',
      title: expect.stringMatching(/^Conversation summary/),
      content: 'Hello to you.',
      reportDate: null,
    });
  });

  it('sends text, calls, and the start of each result, and asks for the requested language', async () => {
    const part = {
      type: 'tool-bash',
      toolCallId: '1',
      state: 'output-available',
      input: { command: 'ls' },
      output: 'x'.repeat(5000),
    };
    await summarize({
      preview: true,
      locale: 'de',
      messages: [...HELLO, { role: 'assistant', parts: [part] }],
    });
    const sent = String(provider.lastChat?.messages.at(-1)?.content);
    expect(sent).toContain('user: Hello.');
    expect(sent).toContain('[bash {"command":"ls"}]');
    expect(sent).toContain('locale "de"');
    expect(sent.length).toBeLessThan(1000);
    expect(toolNames()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, number, RegExp]>([
    ['no messages', { messages: undefined }, 400, /messages/],
    ['an empty list', { messages: [] }, 400, /messages/],
    ['an unknown field', { sessionName: 'x' }, 400, /sessionName/],
    ['a string for preview', { preview: 'yes' }, 400, /preview/],
    ['an unknown workspace', { workspaceId: 'nope' }, 404, /workspace/],
  ])('rejects %s', async (_, fields, status, error) => {
    expect(await summarize(fields)).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });

  it('returns 502 if the model fails or returns nothing', async () => {
    provider.answer = () => ' ';
    expect(await summarize()).toMatchObject({
      status: 502,
      body: { error: expect.stringMatching(/returned no text/) },
    });
    provider.failure = 'cut';
    expect((await summarize()).status).toBe(502);
  });
});
