import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Citation } from '../../../lib/api-contract/citation.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const QUESTION = 'When was the Firth bridge opened?';
const UNKNOWN = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';
const ONLY_ADMINS = [{ subject: 'someone-else', role: 'viewer' }];

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
let ann: TestCaller;
let ben: TestCaller;
let first: string;
let second: string;
let count = 0;

async function fill(text: string): Promise<string> {
  const { id, root } = await makeWorkspace(admin);
  await writeFile(join(root, 'bridge.md'), text);
  await syncWorkspace(admin, id);
  return id;
}

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const embedding = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'test' };
  const settings = { ...embedding, PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' };
  service = await startService({ ...settings, TITLES: 'off' });
  admin = await makeCaller(service, 'admin');
  ann = await makeCaller(service, 'member');
  ben = await makeCaller(service, 'member');
  first = await fill('The Firth bridge was opened in 1890.\n');
  provider.answer = () => 'It was opened in 1890 [1]. It was opened in 1891 [2].';
});

beforeEach(async () => {
  second = await fill('The Firth bridge was opened in 1891, says another book.\n');
});

const body = (fields: Loose) => ({
  messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
  ...fields,
});

function chat(fields: Loose, caller = ann) {
  return caller.call<Loose>('POST', '/api/chat', body(fields));
}

/** Returns the data of the stream's parts of a type. */
function partsOf(stream: string, type: string): Loose[] {
  const lines = stream.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice(6))).filter((part) => part.type === type);
}

function ask(id: string, caller = ann, ids = [first, second]) {
  return chat({ id, workspaceIds: ids }, caller);
}

const newName = () => `chat-${++count}`;

describe('POST /api/chat with workspaceIds', () => {
  it('cites files of the same name in the workspace of each passage', async () => {
    const { status, bytes } = await chat({ workspaceIds: [first, second] });
    expect(status).toBe(200);
    const cited: Citation[] = partsOf(bytes.toString(), 'data-citation').map(({ data }) => data);
    expect(cited.map(({ path }) => path)).toEqual(['bridge.md', 'bridge.md']);
    for (const { workspaceId, quote, stale } of cited)
      expect([quote, stale]).toEqual([
        expect.stringContaining(workspaceId === first ? '1890' : '1891'),
        false,
      ]);
    expect(new Set(cited.map(({ workspaceId }) => workspaceId))).toEqual(new Set([first, second]));
  });

  it('calls the model and the embedder as often for 20 workspaces as for one', async () => {
    const more = await Promise.all(Array.from({ length: 18 }, (_, at) => fill(`River ${at} flows.\n`)));
    const costs: number[][] = [];
    const times: number[] = [];
    for (const ids of [[first], [first, second, ...more]]) {
      await chat({ workspaceIds: ids });
      const before = [provider.chatRequests, provider.embeddingRequests];
      const started = performance.now();
      await chat({ workspaceIds: ids });
      times.push(Math.round(performance.now() - started));
      costs.push([provider.chatRequests - (before[0] ?? 0), provider.embeddingRequests - (before[1] ?? 0)]);
    }
    expect(costs).toEqual([
      [1, 1],
      [1, 1],
    ]);
    process.stdout.write(`an answer from 1 and 20 workspaces: ${times.join(' and ')} ms\n`);
  });

  it.each([
    ['both fields', () => ({ workspaceId: first, workspaceIds: [first] }), 'workspaceId'],
    ['neither field', () => ({}), 'workspaceId'],
    ['an empty list', () => ({ workspaceIds: [] }), 'workspaceIds'],
    ['21', () => ({ workspaceIds: Array.from({ length: 21 }, () => first) }), 'workspaceIds'],
    ['paths', () => ({ workspaceIds: [first], paths: ['a'] }), 'paths'],
  ])('refuses %s', async (_, fields, field) => {
    const { status, headers } = await chat(fields());
    expect([status, headers['x-error-field']]).toEqual([400, field]);
  });

  it('answers in the same way for an unknown workspace and for one without access, and stores and asks nothing', async () => {
    await admin.call('PUT', `/api/workspaces/${second}/members`, ONLY_ADMINS);
    const bound = await makeCaller(service, 'member', '--workspaces', first);
    const before = [provider.chatRequests, provider.embeddingRequests];
    const answers = [
      await ask('hidden', ann, [first, UNKNOWN]),
      await ask('hidden', ann, [first, second]),
      await ask('hidden', ann, [second]),
      await ask('hidden', bound, [first, second]),
    ];
    const shown = answers.map(({ status, headers, body }) => [status, headers['x-error-code'], body]);
    expect(shown).toEqual(shown.map(() => [404, 'workspace_not_found', { error: expect.any(String) }]));
    expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1);
    expect([provider.chatRequests, provider.embeddingRequests]).toEqual(before);
    expect((await ann.call('GET', '/api/conversations/hidden')).status).toBe(404);
  });

  it('refuses a question if the budget of any of the workspaces is used up', async () => {
    await admin.call('PUT', '/api/budgets', [{ scope: 'workspace', id: second, monthlyTokens: 0 }]);
    try {
      const { status, headers } = await chat({ workspaceIds: [first, second] });
      expect([status, headers['x-error-code']]).toEqual([429, 'budget_used_up']);
    } finally {
      await admin.call('PUT', '/api/budgets', []);
    }
  });
});

describe('POST /api/openai/v1 with a list of workspaces', () => {
  const messages = [{ role: 'user', content: QUESTION }];
  const complete = (ids: string[], caller = ann) => {
    const model = `workspace:${ids}`;
    return caller.call<Loose>('POST', '/api/openai/v1/chat/completions', { model, messages });
  };

  it('links each citation to the file in its workspace', async () => {
    const { status, body: answer } = await complete([first, second]);
    expect(status).toBe(200);
    const { annotations } = answer.choices[0].message;
    expect(annotations).toHaveLength(2);
    for (const { url_citation: link, x_citation: cited } of annotations)
      expect(link.url).toContain(`/w/${cited.workspaceId}/files?path=bridge.md`);
    expect(new Set(annotations.map((each: Loose) => each.x_citation.workspaceId))).toEqual(
      new Set([first, second]),
    );
  });

  it('answers in the same way for an unknown workspace and for one without access', async () => {
    await admin.call('PUT', `/api/workspaces/${second}/members`, ONLY_ADMINS);
    const [hidden, unknown] = [await complete([first, second]), await complete([first, UNKNOWN])];
    expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
    expect(unknown.status).toBe(404);
  });
});

describe('conversation about several workspaces', () => {
  const reads = (id: string) => [
    ['GET', `/api/conversations/${id}`],
    ['GET', `/api/conversations/${id}?branches=all`],
    ['GET', `/api/conversations/${id}/export`],
    ['GET', `/api/conversations/${id}/stream`],
    ['PUT', `/api/conversations/${id}`, { title: 'mine' }],
    ['POST', `/api/chat/${id}/stop`],
    ['DELETE', `/api/conversations/${id}`],
  ];
  const listed = async (caller: TestCaller, q = '') => {
    const { body } = await caller.call<Loose[]>('GET', `/api/conversations?workspaceId=${first}&q=${q}`);
    return body.map(({ id }) => id);
  };
  const hide = (members: unknown) => admin.call('PUT', `/api/workspaces/${second}/members`, members);

  afterEach(async () => {
    await hide([]);
  });

  it('lists its workspaces, and each question lists its own', async () => {
    const id = newName();
    await chat({ id, workspaceId: first });
    expect((await ann.call<Loose>('GET', `/api/conversations/${id}`)).body.workspaceIds).toBeUndefined();
    await chat({
      id,
      workspaceIds: [first, second],
      messages: body({}).messages.map((each: Loose) => ({ ...each, id: 'q2' })),
    });
    const { body: stored } = await ann.call<Loose>('GET', `/api/conversations/${id}`);
    expect(stored.workspaceIds).toEqual([first, second]);
    expect(stored.messages.map(({ metadata }: Loose) => metadata?.workspaceIds ?? null)).toEqual([
      null,
      null,
      [first, second],
      null,
    ]);
    const cited = stored.messages[3].parts.filter(({ type }: Loose) => type === 'data-citation');
    expect(new Set(cited.map(({ data }: Loose) => data.workspaceId))).toEqual(new Set([first, second]));
  });

  it('is hidden in every way from people who may not read all of them', async () => {
    const id = newName();
    await ask(id);
    await ann.call('PUT', `/api/conversations/${id}`, { shared: true });
    expect((await ben.call('GET', `/api/conversations/${id}`)).status).toBe(200);
    expect(await listed(ben)).toContain(id);
    await hide([{ subject: ann.id, role: 'member' }]);
    for (const [method = '', path = '', sent] of reads(id) as [string, string, unknown][])
      expect([path, (await ben.call(method, path, sent)).status]).toEqual([path, 404]);
    expect((await ben.call('GET', `/api/chat/${id}/stream`)).status).toBe(204);
    expect(await listed(ben)).not.toContain(id);
    expect(await listed(ben, 'opened')).not.toContain(id);
    expect((await ann.call('GET', `/api/conversations/${id}`)).status).toBe(200);
  });

  it('is hidden from its owner, and not continued, once the owner may not read one of them', async () => {
    const id = newName();
    await ask(id);
    await hide(ONLY_ADMINS);
    for (const [method = '', path = '', sent] of reads(id) as [string, string, unknown][])
      expect([path, (await ann.call(method, path, sent)).status]).toEqual([path, 404]);
    expect(await listed(ann)).not.toContain(id);
    const before = provider.chatRequests;
    const { status, headers } = await chat({ id, workspaceId: first });
    expect([status, headers['x-error-code']]).toEqual([404, 'conversation_not_found']);
    expect(provider.chatRequests).toBe(before);
    await hide([]);
    expect((await ann.call('GET', `/api/conversations/${id}`)).status).toBe(200);
  });

  it('is not continued by a run, which works in one workspace', async () => {
    const id = newName();
    await ask(id);
    const sent = { ...body({ id }), workspaceId: first, cwd: '', mode: 'ask' };
    const { status, headers } = await ann.call('POST', '/api/agent', sent);
    expect([status, headers['x-error-code']]).toEqual([400, 'conversation_kind_mismatch']);
  });

  it('is deleted with any of its workspaces', async () => {
    const id = newName();
    await ask(id);
    expect((await admin.call('DELETE', `/api/workspaces/${second}`)).status).toBe(200);
    expect((await ann.call('GET', `/api/conversations/${id}`)).status).toBe(404);
    expect(await listed(ann)).not.toContain(id);
  });
});
