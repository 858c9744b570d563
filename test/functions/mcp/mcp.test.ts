import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import type { Role } from '../../../lib/api-contract/roles.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { rootWorkspaceId, workspaces } from '../../../lib/workspaces/schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { ADMIN } from '../../support/tasks.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const BRIDGES = '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n';
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]);

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let other: TestWorkspace;
let asAdmin: Pick<Service, 'call'>;
let records: Records;
const idOf = {} as Record<Role, string>;
const headersOf = {} as Record<'admin' | 'member' | 'viewer' | 'bound', Record<string, string>>;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({
    AUTH_MODE: 'token',
    PROVIDER_A_BASE_URL: provider.url,
    CORS_ORIGINS: 'https://console.example.org',
  });
  const database = openDatabase(service.dataDir);
  whenDone(async () => database.close());
  records = sqliteRecords(database);
  const ports = { records, clock: systemClock };
  const make = async (role: Role, workspaceIds: string[] | null = null) => {
    const { id, secret } = await createToken(ports, ADMIN, { name: role, role, workspaceIds });
    if (workspaceIds === null) idOf[role] = id;
    return { authorization: `Bearer ${secret}` };
  };
  headersOf.admin = await make('admin');
  asAdmin = { call: (method, path, body) => service.call(method, path, body, headersOf.admin) };
  [workspace, other] = [await makeWorkspace(asAdmin, 'library'), await makeWorkspace(asAdmin, 'other')];
  headersOf.member = await make('member');
  headersOf.viewer = await make('viewer');
  headersOf.bound = await make('member', [other.id]);
  await writeFile(join(workspace.root, 'bridges.md'), BRIDGES);
  await writeFile(join(workspace.root, 'ä b%.md'), '# Odd\n\nA name that must be encoded.\n');
  await writeFile(join(workspace.root, 'seal.png'), PICTURE);
  await writeFile(join(other.root, 'tea.md'), '# Tea\n\nGreen tea steams for ninety seconds.\n');
  await Promise.all([syncWorkspace(asAdmin, workspace.id), syncWorkspace(asAdmin, other.id)]);
});

/** Opens the protocol's own client: the revision without sessions, or that of 2025. */
async function connect(
  who: keyof typeof headersOf = 'member',
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: headersOf[who] };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`), { requestInit }));
  whenDone(() => client.close());
  return client;
}

interface ToolText {
  text: string;
  isError: boolean;
  structured: Record<string, unknown> | undefined;
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown>,
  options = {},
): Promise<ToolText> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: input }, options);
  const texts = (content as { text: string }[]).map(({ text }) => text);
  return {
    text: texts.join('\n'),
    isError: isError ?? false,
    structured: structuredContent as ToolText['structured'],
  };
}

describe.each(['auto', 'legacy'] as const)('MCP client (%s)', (mode) => {
  it('lists the tools, and reads files from a list', async () => {
    const client = await connect('member', mode);
    expect(client.getServerVersion()?.name).toBe('workspace-research-service');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'search')?.annotations).toMatchObject({ readOnlyHint: true });
    expect(tools.find(({ name }) => name === 'write_file')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
    const { structured } = await call(client, 'list_workspaces', {});
    expect(structured?.workspaces).toContainEqual({ id: workspace.id, name: 'library', index: 'ready' });
    const found = await call(client, 'search', { workspaceId: workspace.id, query: 'Firth bridge' });
    expect(found.text).toContain('2467 metres');
    const file = await call(client, 'read_file', { workspaceId: workspace.id, path: 'bridges.md' });
    expect(file.text).toContain('opened in 1890');
  });

  it('asks a question, and gets progress and an answer with checked citations', async () => {
    provider.answer = (request) => {
      const number = /number="(\d+)" file="bridges.md"/.exec(String(request.messages.at(-1)?.content))?.[1];
      return `It is 2467 metres long [${number}]. ${'And so on. '.repeat(60)}`;
    };
    const heard: string[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => heard.push(message ?? '');
    const client = await connect('viewer', mode);
    const question = 'How long is the Firth bridge?';
    const { text, structured } = await call(
      client,
      'ask',
      { workspaceId: workspace.id, question },
      { onprogress },
    );
    expect(structured?.citations).toEqual([
      expect.objectContaining({ path: 'bridges.md', quote: 'It is 2467 metres long.', verified: true }),
    ]);
    expect(text).toMatch(/Sources:\n\[\d+\] bridges.md:3 "It is 2467 metres long."/);
    expect(heard).toEqual(expect.arrayContaining(['searching', 'writing']));
    const elsewhere = await call(client, 'ask', { workspaceId: workspace.id, question, paths: ['tea.md'] });
    expect(JSON.stringify(elsewhere.structured?.citations)).not.toContain('bridges.md');
  });

  it('searches and asks several workspaces, with the workspace of each result', async () => {
    const client = await connect();
    const workspaceIds = [workspace.id, other.id];
    const found = await call(client, 'search', { workspaceIds, query: 'bridge or tea?', limit: 12 });
    for (const id of workspaceIds) expect(found.text).toContain(id);
    const { structured, text } = await call(client, 'ask', {
      workspaceIds,
      question: 'When did the bridge open?',
    });
    expect(structured).toMatchObject({ citations: [{ workspaceId: workspace.id, path: 'bridges.md' }] });
    expect(text).toContain(`${workspace.id}/bridges.md`);
  });

  it.each(['search', 'ask'])('%s treats a workspace without access like an unknown one', async (name) => {
    const bound = await connect('bound');
    const asked = { [name === 'ask' ? 'question' : 'query']: 'tea?' };
    const send = (id: string) => call(bound, name, { ...asked, workspaceIds: [other.id, id] });
    const [hidden, unknown] = [await send(workspace.id), await send('unknown')];
    expect([hidden.isError, hidden.text]).toEqual([true, unknown.text]);
    const both = await call(bound, name, { ...asked, workspaceId: other.id, workspaceIds: [other.id] });
    expect([both.isError, both.text]).toEqual([true, expect.stringContaining('workspaceId')]);
  });

  it('asks with a judge if the workspace enables it, unless the call disables it', async () => {
    provider.answer = ({ messages }) => {
      const number = /number="(\d+)" file="bridges.md"/.exec(String(messages.at(-1)?.content))?.[1];
      return number === undefined
        ? '{"verdicts":[{"number":1,"says":"yes","why":"It says so."}]}'
        : `It is 2467 metres long [${number}].`;
    };
    const client = await connect('viewer', mode);
    const supportOf = async (fields = {}) => {
      const input = { workspaceId: workspace.id, question: 'How long is the Firth bridge?', ...fields };
      const { structured } = await call(client, 'ask', input);
      return (structured as { citations: { support: string }[] }).citations[0]?.support;
    };
    const put = (citationJudge: unknown) =>
      asAdmin.call('PUT', `/api/workspaces/${workspace.id}/settings`, { citationJudge });
    await put('on');
    expect([await supportOf(), await supportOf({ judge: false })]).toEqual(['full', 'unjudged']);
    await put(null);
    expect(await supportOf()).toBe('unjudged');
  });

  it('reads files as resources, and skills as prompts', async () => {
    const client = await connect('member', mode);
    const { resources } = await client.listResources();
    const odd = resources.find(({ name }) => name === 'ä b%.md');
    expect(odd?.uri).toBe(`workspace://${workspace.id}/%C3%A4%20b%25.md`);
    expect(resources.map(({ name }) => name)).toContain('tea.md');
    const read = await client.readResource({ uri: odd?.uri ?? '' });
    expect(read.contents).toEqual([
      expect.objectContaining({ mimeType: 'text/markdown', text: expect.stringContaining('encoded') }),
    ]);
    const uri = `workspace://${workspace.id}/seal.png`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'image/png', blob: PICTURE.toString('base64') }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === 'code-walkthrough')?.arguments).toContainEqual(
      expect.objectContaining({ name: 'target', required: true }),
    );
    const { messages } = await client.getPrompt({ name: 'code-walkthrough', arguments: { target: 'src/x' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('src/x') } },
    ]);
  });
});

describe('offered tools and workspaces', () => {
  it("exclude writing tools for a viewer, who can't call them either", async () => {
    const client = await connect('viewer');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['list_workspaces', 'ask', 'search', 'read_file', 'list_notes']),
    );
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/write|run_/)]));
    const input = { workspaceId: workspace.id, path: 'x.md', content: 'x' };
    await expect(call(client, 'write_file', input)).rejects.toThrow(/The tool "write_file" does not exist/);
  });

  it('include only workspaces whose member list contains the caller', async () => {
    const client = await connect('member');
    const listed = (members: object[]) => asAdmin.call('PUT', `/api/workspaces/${other.id}/members`, members);
    const write = { workspaceId: other.id, path: 'list.md', content: 'x' };
    await listed([{ subject: idOf.member, role: 'viewer' }]);
    expect((await call(client, 'read_file', { workspaceId: other.id, path: 'tea.md' })).isError).toBe(false);
    expect((await call(client, 'write_file', write)).text).toContain(
      'needs the role member in this workspace',
    );
    await listed([{ subject: 'another', role: 'member' }]);
    expect((await call(client, 'read_file', { workspaceId: other.id, path: 'tea.md' })).isError).toBe(true);
    expect((await call(client, 'list_workspaces', {})).text).not.toContain(other.id);
    const { resources } = await client.listResources();
    expect(JSON.stringify(resources)).not.toContain(other.id);
    expect(resources.length).toBeGreaterThan(0);
    await listed([]);
    expect((await call(client, 'read_file', { workspaceId: other.id, path: 'tea.md' })).isError).toBe(false);
  });

  it('exclude a root if the member list of a folder in it excludes the caller', async () => {
    const client = await connect('member');
    const rootPath = dirname(other.root);
    const root = {
      id: rootWorkspaceId(rootPath),
      name: 'All',
      rootPath,
      createdAt: new Date().toISOString(),
    };
    await workspaces.create(records, root);
    await syncWorkspace(asAdmin, root.id);
    const seen = async () => JSON.stringify((await client.listResources()).resources);
    expect(await seen()).toContain(`${root.id}/other/tea.md`);
    const members = [{ subject: 'another', role: 'member' as const }];
    await workspaces.update(records, other, { set: { members } });
    expect(await seen()).not.toContain('tea.md');
    await workspaces.update(records, other, { set: { members: [] } });
    await workspaces.delete(records, root);
  });

  it('include only the workspaces of a workspace-scoped token', async () => {
    const client = await connect('bound');
    expect((await call(client, 'list_workspaces', {})).structured?.workspaces).toEqual([
      expect.objectContaining({ id: other.id }),
    ]);
    expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(['tea.md']);
    for (const [name, input] of [
      ['search', { query: 'x' }],
      ['ask', { question: 'x?' }],
      ['read_file', { path: 'bridges.md' }],
      ['write_file', { path: 'x.md', content: 'x' }],
      ['list_notes', {}],
      ['write_note', { title: 'x' }],
      ['run_agent', { request: 'Look.' }],
      ['run_skill', { skill: 'code-walkthrough', parameters: { target: 'x' } }],
      ['start_research', { question: 'x?' }],
      ['verify', { text: 'Owls hunt.' }],
    ] as const) {
      const answer = await call(client, name, { ...input, workspaceId: workspace.id });
      expect([name, answer]).toEqual([
        name,
        { isError: true, text: "This token doesn't include this workspace." },
      ]);
    }
    const uri = `workspace://${workspace.id}/bridges.md`;
    await expect(client.readResource({ uri })).rejects.toThrow("This token doesn't include this workspace.");
    const prompt = { name: `${workspace.id}/some-skill`, arguments: {} };
    await expect(client.getPrompt(prompt)).rejects.toThrow('This prompt does not exist.');
  });
});

describe('tools of a member', () => {
  it('write files like the files API, with an index update and an activity, and never overwrite a change', async () => {
    const client = await connect();
    const file = { workspaceId: workspace.id, path: 'new/owls.md', content: 'Owls hunt at night.\n' };
    const { structured } = await call(client, 'write_file', { ...file, expectedHash: null });
    expect(await readFile(join(workspace.root, 'new/owls.md'), 'utf8')).toBe(file.content);
    expect(await call(client, 'write_file', { ...file, expectedHash: null })).toMatchObject({
      isError: true,
    });
    const next = { ...file, content: 'Owls sleep.\n', expectedHash: structured?.hash };
    expect(await call(client, 'write_file', next)).toMatchObject({ isError: false });
    const search = () => call(client, 'search', { workspaceId: workspace.id, query: 'owls sleep' });
    await eventually(search, ({ text }) => text.includes('new/owls.md'));
    const { body } = await asAdmin.call('GET', `/api/workspaces/${workspace.id}/activity`);
    expect(body).toContainEqual(
      expect.objectContaining({ kind: 'file_written', summary: 'Wrote new/owls.md' }),
    );
  });

  it('store notes', async () => {
    const client = await connect();
    const made = await call(client, 'write_note', {
      workspaceId: workspace.id,
      title: 'On owls',
      content: 'They hunt.',
    });
    const { id } = JSON.parse(made.text) as { id: string };
    await call(client, 'write_note', { noteId: id, content: 'They sleep.' });
    expect((await call(client, 'list_notes', { workspaceId: workspace.id })).text).toContain('On owls');
    expect((await call(client, 'read_note', { noteId: id })).text).toContain('They sleep.');
    expect(await call(client, 'write_note', { title: 'neither' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('one of workspaceId and noteId'),
    });
    for (const input of [{ noteId: id }, { workspaceId: workspace.id, content: 'Untitled.' }])
      expect(await call(client, 'write_note', input)).toMatchObject({
        isError: true,
        text: expect.stringContaining('must have a title, or noteId and content'),
      });
  });

  it('start a research report, and return it', async () => {
    provider.answer = researchAnswer(() => undefined);
    const client = await connect();
    const wanted = { workspaceId: workspace.id, question: 'How long is the Firth bridge?', depth: 'quick' };
    const { runId } = JSON.parse((await call(client, 'start_research', wanted)).text) as { runId: string };
    const { text } = await eventually(
      () => call(client, 'get_report', { runId }),
      (answer) => answer.text.includes('"status":"done"'),
    );
    expect(text).toContain('bridges.md:3');
    const stranger = await call(await connect('bound'), 'get_report', { runId });
    expect(stranger).toMatchObject({ isError: true });
  });

  it('check a draft, and return its verdicts to readers of the workspace', async () => {
    const client = await connect();
    const wanted = { workspaceId: workspace.id, text: 'Penguins file their taxes in April.' };
    const { runId } = JSON.parse((await call(client, 'verify', wanted)).text) as { runId: string };
    const { text } = await eventually(
      () => call(client, 'get_verification', { runId }),
      (answer) => answer.text.includes('"status":"done"'),
    );
    expect(text).toContain('Not in the source');
    const stranger = await call(await connect('bound'), 'get_verification', { runId });
    expect(stranger).toMatchObject({ isError: true });
  });

  it('run a skill with the agent until it finishes', async () => {
    provider.answer = inTurn(
      { calls: [{ name: 'writeFile', input: { path: 'walk.md', content: 'walked' } }] },
      'It is explained.',
    );
    const client = await connect();
    const skill = { workspaceId: workspace.id, skill: 'code-walkthrough', parameters: { target: 'src' } };
    const { text } = await call(client, 'run_skill', skill);
    expect(text).toContain('"status":"done"');
    expect(text).toContain('It is explained.');
    expect(await readFile(join(workspace.root, 'walk.md'), 'utf8')).toBe('walked');
  });

  it('let the agent continue a conversation, and show a failed command', async () => {
    const client = await connect();
    const bash = (command: string) => ({ calls: [{ name: 'bash', input: { command } }] });
    provider.answer = inTurn(bash('exit 3'), 'It fails.', bash('true'), 'It passes.');
    const ask = async (request: string, fields = {}) =>
      ended(await call(client, 'run_agent', { workspaceId: workspace.id, request, ...fields }));
    const failed = await ask('Run the test.');
    expect(failed).toMatchObject({ status: 'done', failedCalls: 1, text: 'It fails.' });
    expect(failed.calls).toMatchObject([{ tool: 'bash', state: 'failed', exitCode: 3 }]);
    const { conversationId } = failed;
    const marked = async () => {
      const path = `/api/conversations/${conversationId}`;
      return (await service.call<{ failed?: boolean }>('GET', path, undefined, headersOf.member)).body.failed;
    };
    expect(await marked()).toBe(true);
    const green = await ask('Correct it.', { conversationId });
    expect(green).toMatchObject({ conversationId, failedCalls: 0, text: 'It passes.' });
    expect(await marked()).toBeUndefined();
    expect(JSON.stringify(provider.lastChat?.messages)).toMatch(/Run the test\..*It fails\..*Correct it\./);
    const [kept, unknown] = [{ conversationId }, { conversationId: workspace.id }];
    const elsewhere = { workspaceId: other.id, request: 'x', ...kept };
    expect((await call(client, 'run_agent', elsewhere)).text).toContain(
      'must be the workspace of the conversation',
    );
    const wrong = { workspaceId: workspace.id, request: 'x', ...unknown };
    expect((await call(client, 'run_agent', wrong)).text).toContain('does not exist');
  });

  it('send a request to the run that works in the conversation', async () => {
    const client = await connect();
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    provider.answer = inTurn('Begun.', { calls: [{ name: 'listDirectory', input: {} }] }, 'With owls.');
    const first = await call(client, 'run_agent', { workspaceId: workspace.id, request: 'Begin.' });
    const { conversationId } = ended(first);
    provider.beforePiece = () => held;
    const input = (request: string) => ({ workspaceId: workspace.id, conversationId, request });
    const working = call(client, 'run_agent', input('Write.'));
    await eventually(
      async () => provider.openChats,
      (open) => open > 0,
    );
    const elsewhere = await call(client, 'run_agent', { ...input('Use tea.'), workspaceId: other.id });
    expect(elsewhere.text).toContain('must be the workspace of the conversation');
    const steered = call(await connect(), 'run_agent', input('Use owls.'));
    const runs = `/api/agent/runs?workspaceId=${workspace.id}&limit=1`;
    const { body } = await asAdmin.call<{ id: string }[]>('GET', runs);
    const queue = `/api/agent/runs/${body[0]?.id}/messages`;
    await eventually(
      () => asAdmin.call<unknown[]>('GET', queue),
      ({ body: sent }) => sent.length === 1,
    );
    provider.beforePiece = undefined;
    goOn();
    const both = [ended(await working), ended(await steered)];
    expect(both).toMatchObject([{ text: 'With owls.' }, { text: 'With owls.', delivered: true }]);
    expect(both[0]?.runId).toBe(both[1]?.runId);
    expect(JSON.stringify(provider.lastChat?.messages)).toContain('Use owls.');
  });

  it('say that the model has a request if its run then waits for an approval', async () => {
    const asking = await makeWorkspace(asAdmin, 'asking');
    const rules = [{ tool: 'bash', pattern: '*', action: 'ask' }];
    await asAdmin.call('PUT', `/api/workspaces/${asking.id}/permissions`, { rules });
    const look = { calls: [{ name: 'listDirectory', input: {} }] };
    provider.answer = inTurn(look, { calls: [{ name: 'bash', input: { command: 'true' } }] });
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    provider.beforePiece = () => held;
    const conversationId = randomUUID();
    const messages = [{ role: 'user', content: 'Begin.' }];
    const body = { workspaceId: asking.id, cwd: '', id: conversationId, messages };
    const stream = readStream(service, '/api/agent', { body, headers: headersOf.member });
    await eventually(
      async () => provider.openChats,
      (open) => open > 0,
    );
    const input = { workspaceId: asking.id, conversationId, request: 'Run it.' };
    const steered = call(await connect(), 'run_agent', input);
    const runs = `/api/agent/runs?workspaceId=${asking.id}`;
    const [run] = (await asAdmin.call<{ id: string }[]>('GET', runs)).body;
    await eventually(
      () => asAdmin.call<unknown[]>('GET', `/api/agent/runs/${run?.id}/messages`),
      ({ body: sent }) => sent.length === 1,
    );
    provider.beforePiece = undefined;
    goOn();
    await stream;
    expect(ended(await steered)).toMatchObject({ status: 'waiting', delivered: true });
    await asAdmin.call('POST', `/api/agent/runs/${run?.id}/stop`);
  });

  it('report each wrong value, and mark the text of files as data', async () => {
    const client = await connect();
    const wrong = await call(client, 'search', { workspaceId: workspace.id, query: '', more: 1 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('query') });
    const { text } = await call(client, 'read_file', { workspaceId: workspace.id, path: 'bridges.md' });
    const [, fence] = /^The text between <(workspace-text-\w+)>/.exec(text) ?? [];
    expect(text.trimEnd().endsWith(`</${fence}>`)).toBe(true);
    const absent = await call(client, 'read_file', { workspaceId: workspace.id, path: 'absent.md' });
    expect(absent.isError).toBe(true);
  });
});

/** Returns the result of a run. */
function ended({ text }: ToolText) {
  const json = /\{.*\}/.exec(text)?.[0] ?? text;
  return JSON.parse(json) as { runId: string; conversationId: string; calls: unknown[] };
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('POST /api/mcp', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.call('POST', '/api/mcp', body, { ...ACCEPT, ...headersOf.member, ...headers });

  it('keeps no session', async () => {
    const { status, headers } = await post(HELLO);
    expect(status).toBe(200);
    expect(headers['mcp-session-id']).toBeUndefined();
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it.each(['GET', 'DELETE'])('returns 405 for %s', async (method) => {
    const { status, headers } = await service.call(method, '/api/mcp', undefined, headersOf.member);
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it('rejects a request from a page of another origin', async () => {
    const { status, body } = await post(HELLO, { origin: 'https://evil.example.com' });
    expect([status, body]).toEqual([403, { error: "This origin isn't listed in CORS_ORIGINS." }]);
    expect((await post(HELLO, { origin: 'https://console.example.org' })).status).toBe(200);
    expect((await post(HELLO, { origin: service.url })).status).toBe(200);
  });

  it.each([
    ['invalid JSON', '{', {}, 400],
    ['deeply nested JSON', '['.repeat(101) + ']'.repeat(101), {}, 400],
    ['a client without stream support', JSON.stringify(HELLO), { accept: 'text/html' }, 406],
    ['another content type', JSON.stringify(HELLO), { 'content-type': 'text/plain' }, 415],
    ['a body that is too large', `"${'x'.repeat(5_300_000)}"`, {}, 413],
  ])('rejects %s', async (_what, body, headers, status) => {
    const refused = await post(body, headers);
    expect(refused.status).toBe(status);
    expect(refused.headers['x-error-code']).toMatch(/^[a-z_]+$/);
  });

  it('rejects subscriptions, because it pushes nothing', async () => {
    const client = await connect();
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
  });

  it('tells a client without a token where to get one', async () => {
    const { status, headers } = await service.call('POST', '/api/mcp', HELLO, ACCEPT);
    expect(status).toBe(401);
    const address = `${service.url}/.well-known/oauth-protected-resource`;
    expect(headers['www-authenticate']).toBe(`Bearer resource_metadata="${address}"`);
    for (const path of ['', '/api/mcp']) {
      const { body } = await service.call('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(body).toEqual({
        resource: `${service.url}/api/mcp`,
        resource_name: 'Workspace Research Service',
        bearer_methods_supported: ['header'],
      });
    }
  });
});
