import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../lib/audit/schema.ts';
import { type FakeFeishu, feishuEnvironment, startFakeFeishu } from '../support/fakes/fake-feishu.ts';
import { fakeFile, fakeRepo, startFakeHub } from '../support/fakes/fake-hub.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { feishuMessageEvent } from '../support/fakes/feishu-events.ts';
import type { Answer, Service } from '../support/service.ts';
import { canMount, deadLetters, holdLog, type SmallDisk, startOnSmallDisk } from '../support/small-disk.ts';
import { eventually, syncWorkspace, waitForSync } from '../support/sync.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

const NO_ROOM = { error: 'The disk is full. Free some space, then try again.' };
const TOKEN = 'verification-token';
const OWLS = '# Owls\n\nOwls hunt at night. They see well in the dark.\n';
const ASKED = [{ role: 'user', content: 'When do owls hunt?' }];
/** The Model Context Protocol responds with a stream. */
const TOLD = /The disk is full\. Free some space, then try again\./;

let provider: FakeOpenai;
let feishu: FakeFeishu;
let service: Service;
let disk: SmallDisk;
let workspace: TestWorkspace;
/** IDs and URLs of resources that were created while there was space. */
let made: Record<'note' | 'skill' | 'task' | 'upload' | 'uploadUrl' | 'dataset' | 'token', string>;

async function make<Body = { id: string }>(path: string, body: unknown): Promise<Body> {
  const answer = await service.call<Body>('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.bytes}`);
  return answer.body;
}

function chat(id?: string, parts: unknown[] = []) {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'When?' }, ...parts] };
  return { workspaceId: workspace.id, ...(id !== undefined && { id }), messages: [message] };
}

async function makeThings(): Promise<typeof made> {
  const { id: workspaceId, root } = workspace;
  const [note, skill, task, upload, dataset, token] = await Promise.all([
    make('/api/notes', { workspaceId, title: 'a' }),
    make('/api/skills', { workspaceId, name: 'A skill', systemPrompt: 'Do it.' }),
    make('/api/scheduled-tasks', { workspaceId, ...TASK }),
    make<{ uploadId: string; url: string }>('/api/files/uploads', {
      workspaceId,
      path: 'big.txt',
      size: 9000,
    }),
    make('/api/datasets/import-local', { localPath: root, name: 'own' }),
    make('/api/tokens', { name: 'x', role: 'viewer' }),
    make('/api/chat', chat('kept')),
  ]);
  const ids = { note: note.id, skill: skill.id, task: task.id, dataset: dataset.id, token: token.id };
  return { ...ids, upload: upload.uploadId, uploadUrl: upload.url };
}
const TASK = { name: 'A task', taskType: 'source_sync', schedule: '0 3 * * *' };

function form(): FormData {
  const body = new FormData();
  body.append('workspaceId', workspace.id);
  body.append('path', 'uploaded.txt');
  body.append('file', new Blob(['x'.repeat(9000)]), 'uploaded.txt');
  return body;
}

function callTool(name: string, args: Record<string, unknown>) {
  const params = { name, arguments: { workspaceId: workspace.id, ...args } };
  const headers = { accept: 'application/json, text/event-stream' };
  return service.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;
const at = () => ({ workspaceId: workspace.id });
const inWorkspace = (rest: string) => `/api/workspaces/${workspace.id}${rest}`;
const FILE = { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain,owls' };
const SERVER = { name: 'far', url: 'https://93.184.216.34/mcp', headers: { authorization: 'Bearer x' } };

/** Every kind of write; all of them return 507. */
const WRITES: Record<string, (call: Call) => Promise<Answer>> = {
  'a new file': (call) => call('POST', '/api/files/write', { ...at(), path: 'new.md', content: 'x' }),
  'a file that is there': (call) =>
    call('POST', '/api/files/write', { ...at(), path: 'owls.md', content: 'x' }),
  'an upload': (call) => call('POST', '/api/files/upload', form()),
  'a large upload': (call) => call('POST', '/api/files/uploads', { ...at(), path: 'x.txt', size: 9000 }),
  'parts of a large upload': (call) => call('POST', `/api/files/uploads/${made.upload}/parts`),
  'the bytes of a large upload': (call) =>
    call('PUT', made.uploadUrl.slice(service.url.length), 'x'.repeat(9000)),
  'a note': (call) => call('POST', '/api/notes', { ...at(), title: 'x' }),
  'changing a note': (call) => call('PUT', `/api/notes/${made.note}`, { title: 'y' }),
  'a new chat': (call) => call('POST', '/api/chat', chat('new')),
  'a chat that is there': (call) => call('POST', '/api/chat', chat('kept')),
  'a chat with an attachment': (call) => call('POST', '/api/chat', chat('attached', [FILE])),
  'a run of the agent': (call) =>
    call('POST', '/api/agent', { ...at(), cwd: '', mode: 'agent', messages: ASKED }),
  'a run in a conversation': (call) =>
    call('POST', '/api/agent', { ...at(), id: 'run', cwd: '', mode: 'agent', messages: ASKED }),
  'a summary of a conversation': (call) => call('POST', '/api/agent/summarize', { ...at(), messages: ASKED }),
  research: (call) => call('POST', '/api/research', { ...at(), question: 'Owls?' }),
  'changing a conversation': (call) => call('PUT', '/api/conversations/kept', { title: 'x' }),
  'a workspace': (call) => call('POST', '/api/workspaces', { path: 'second' }),
  rules: (call) => call('PUT', inWorkspace('/permissions'), { rules: [] }),
  members: (call) => call('PUT', inWorkspace('/members'), [{ subject: 'x', role: 'admin' }]),
  settings: (call) => call('PUT', '/api/settings', { reportTimezone: 'Europe/Berlin' }),
  budgets: (call) => call('PUT', '/api/budgets', [{ scope: 'service', monthlyUsd: 50 }]),
  'a token': (call) => call('POST', '/api/tokens', { name: 'y', role: 'viewer' }),
  'downloading a dataset': (call) => call('POST', '/api/datasets', { repoId: 'org/owls' }),
  'importing a dataset': (call) =>
    call('POST', '/api/datasets/import-local', { localPath: workspace.root, name: 'two' }),
  'linking a dataset': (call) => call('POST', `/api/datasets/${made.dataset}/workspaces`, at()),
  'a sync': (call) => call('POST', inWorkspace('/sync')),
  'a sync of all workspaces': (call) => call('POST', '/api/system/reindex'),
  'a skill': (call) => call('POST', '/api/skills', { ...at(), name: 'B', systemPrompt: 'Do it.' }),
  'changing a skill': (call) => call('PUT', `/api/skills/${made.skill}`, { isEnabled: false }),
  'a scheduled task': (call) => call('POST', '/api/scheduled-tasks', { ...at(), ...TASK }),
  'changing a scheduled task': (call) => call('PUT', `/api/scheduled-tasks/${made.task}`, { name: 'z' }),
  'running a scheduled task': (call) => call('POST', `/api/scheduled-tasks/${made.task}/run`),
  'a generated note': (call) => call('POST', '/api/generate', { ...at(), type: 'summary' }),
  'a daily report': (call) => call('POST', '/api/daily-report', at()),
  'a weekly report': (call) => call('POST', '/api/weekly-report', at()),
  'an MCP server': (call) => call('POST', inWorkspace('/mcp-servers'), SERVER),
  'a message to a bot': (call) => call('POST', '/api/bot/ima', feishuMessageEvent(TOKEN)),
};

const BIG_BYTES = 3_000_000;
/**
 * Requests that free space use the reserve and are audited: the resource, the action, the free bytes
 * afterward, the request.
 */
const DELETIONS: [string, string, number, (call: Call) => Promise<Answer>][] = [
  [
    'a file',
    'files.delete',
    BIG_BYTES,
    (call) => call('DELETE', '/api/files/delete', { ...at(), path: 'big.md' }),
  ],
  ['a note', 'notes.delete', 0, (call) => call('DELETE', `/api/notes/${made.note}`)],
  ['a conversation', 'conversations.delete', 0, (call) => call('DELETE', '/api/conversations/kept')],
  ['a dataset', 'datasets.delete', 0, (call) => call('DELETE', `/api/datasets/${made.dataset}`)],
  ['a skill', 'skills.delete', 0, (call) => call('DELETE', `/api/skills/${made.skill}`)],
  ['a scheduled task', 'tasks.delete', 0, (call) => call('DELETE', `/api/scheduled-tasks/${made.task}`)],
  ['a token', 'tokens.revoke', 0, (call) => call('DELETE', `/api/tokens/${made.token}`)],
  ['a workspace', 'workspaces.delete', 0, (call) => call('DELETE', inWorkspace(''))],
];

/** Requests that need no space succeed. Their index messages wait until there is space. */
const DONE: Record<string, [number, (call: Call) => Promise<Answer>]> = {
  'moving a file': [
    200,
    (call) => call('POST', '/api/files/rename', { ...at(), oldPath: 'owls.md', newPath: 'night.md' }),
  ],
  'moving it back': [
    200,
    (call) => call('POST', '/api/files/rename', { ...at(), oldPath: 'night.md', newPath: 'owls.md' }),
  ],
  'a chat that is not kept': [200, (call) => call('POST', '/api/chat', chat())],
  'a command': [
    200,
    (call) =>
      call('POST', '/api/terminal/exec', { command: 'mv owls.md a && mv a owls.md', cwd: workspace.root }),
  ],
};

const READS = [
  ...[
    '/api/notes?workspaceId=ID',
    '/api/conversations/kept',
    '/api/workspaces/ID',
    '/api/workspaces/ID/sync',
  ],
  ...['/api/workspaces/ID/search?q=owls', '/api/files/read?workspaceId=ID&path=owls.md', '/api/audit'],
  ...[
    '/api/agent/runs?workspaceId=ID',
    '/api/datasets',
    '/api/usage',
    '/api/system/storage',
    '/api/settings',
  ],
];

// Without permission to mount a disk, this can't be tested; test/lib/known-error.test.ts covers only the
// errors.
(canMount() ? describe : describe.skip)('a full disk', () => {
  let release: () => void;
  let before: string[];
  const call: Call = (method, path, body) => service.call(method, path, body);
  const attempt = async (name: string) =>
    (await WRITES[name]?.(call)) ?? { status: 0, body: 'no such write' };

  beforeAll(async () => {
    const repo = fakeRepo([fakeFile('big.bin', 3_000_000)]);
    const hub = await startFakeHub({ 'org/owls': repo });
    [provider, feishu] = await Promise.all([startFakeOpenai(), startFakeFeishu()]);
    const model = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'test', LLM_MODEL: 'fake' };
    const embedder = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'test', EMBEDDING_MODEL: 'fake' };
    const bot = feishuEnvironment(feishu, TOKEN);
    ({ service, disk } = await startOnSmallDisk(64, {
      ...{ ...model, ...embedder, ...bot, HUB_A_BASE_URL: hub.url, HUB_B_BASE_URL: hub.url },
      LOG_LEVEL: 'error',
    }));
    workspace = await makeWorkspace(service);
    await writeFile(disk.at(`${workspace.root}/owls.md`), OWLS);
    await syncWorkspace(service, workspace.id);
    made = await makeThings();
    before = await disk.entries();
    release = await holdLog(service);
  });
  afterAll(async () => {
    await Promise.all([provider.stop(), feishu.stop()]);
  });
  beforeEach(() => disk.fill());

  it.each(Object.keys(WRITES))(
    'service on a full disk rejects %s with 507 and an explanation',
    async (name) => {
      const answer = await attempt(name);
      expect([answer.status, answer.body]).toEqual([507, NO_ROOM]);
    },
  );

  it.each(Object.entries(DONE))('service on a full disk still does %s', async (_, [status, write]) => {
    expect((await write(call)).status).toBe(status);
  });

  it('service on a full disk reports it to an MCP client', async () => {
    const { status, bytes } = await callTool('write_note', { title: 'x', content: 'y' });
    expect([status, bytes.toString()]).toEqual([200, expect.stringMatching(TOLD)]);
  });

  it('service on a full disk reports it in health', async () => {
    const { body } = await eventually(
      () => call('GET', '/api/health'),
      ({ body }) => (body as { disk: string }).disk === 'full',
    );
    expect(body).toMatchObject({ status: 'degraded', disk: 'full' });
  });

  it.each(READS)('service on a full disk still reads %s', async (path) => {
    expect((await call('GET', path.replace('ID', workspace.id))).status).toBe(200);
  });

  it('service on a full disk leaves no partial file', async () => {
    expect(await disk.entries()).toEqual(before);
  });

  it('service on a full disk works again without a restart once there is space', async () => {
    release();
    disk.free();
    const health = () => call('GET', '/api/health');
    await eventually(health, ({ body }) => (body as { status: string }).status === 'ok');
    for (const name of [
      'a new file',
      'a note',
      'a new chat',
      'a run of the agent',
      'a sync',
      'rules',
      'a message to a bot',
    ])
      expect([name, (await attempt(name)).status < 300]).toEqual([name, true]);
    expect((await waitForSync(service, workspace.id)).status).toBe('ready');
  });

  it('service on a full disk later finishes the sync that it had accepted, without a dead letter', async () => {
    disk.free();
    const { id: workspaceId, root } = await makeWorkspace(service);
    const text = Array.from({ length: 60_000 }, (_, at) => `owl${at} hunts`).join('. ');
    const files = Array.from({ length: 6 }, (_, at) => `${root}/${at}.md`);
    await Promise.all(files.map((file) => writeFile(disk.at(file), `# ${file}\n\n${text}`)));
    disk.fill();
    disk.free(500_000);
    const sync = `/api/workspaces/${workspaceId}/sync`;
    const before = service.output().length;
    expect((await call('POST', sync)).status).toBe(202);
    await eventually(
      async () => service.output().slice(before),
      (output) => /"message":"message failed".*(full|ENOSPC|No space)/.test(output),
    );
    const { body } = await service.call<{ status: string }>('GET', sync);
    expect(['scanning', 'indexing']).toContain(body.status);
    disk.free();
    const ended = await waitForSync(service, workspaceId);
    expect(ended).toMatchObject({ status: 'ready', done: files.length, errors: [] });
    expect(deadLetters(service)).toEqual([]);
  });

  describe('full disk with a held log and no free space', () => {
    let releaseAgain: () => void;
    beforeAll(async () => {
      disk.free();
      await writeFile(disk.at(`${workspace.root}/big.md`), 'x'.repeat(BIG_BYTES));
      releaseAgain = await holdLog(service);
    });
    afterAll(() => releaseAgain());

    it.each(DELETIONS)('still deletes %s, and audits it', async (_, action, freed, remove) => {
      const answer = await remove(call);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      const { body } = await service.call<AuditEntry[]>('GET', `/api/audit?action=${action}`);
      expect(body[0]).toMatchObject({ action, outcome: 'done' });
      await eventually(disk.freeBytes, (bytes) => bytes >= freed);
    });
  });
});
