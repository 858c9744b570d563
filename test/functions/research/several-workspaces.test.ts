import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Research } from '../../../lib/research/request-schema.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const QUESTION = 'When was the Firth bridge opened?';
const UNKNOWN = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
let ann: TestCaller;
let ben: TestCaller;
let first: TestWorkspace;
let second: TestWorkspace;
let count = 0;

/** The name of a workspace is that of its folder. */
async function fill(name: string, text: string): Promise<TestWorkspace> {
  const made = await makeWorkspace(admin, `${name}-${++count}`);
  await writeFile(join(made.root, 'bridge.md'), text);
  await syncWorkspace(admin, made.id);
  return made;
}

beforeAll(async () => {
  provider = await startFakeOpenai({ answer: researchAnswer() });
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token', TITLES: 'off' });
  admin = await makeCaller(service, 'admin');
  ann = await makeCaller(service, 'member');
  ben = await makeCaller(service, 'member');
  first = await fill('records', 'The Firth bridge was opened in 1890.\n');
});

beforeEach(async () => {
  second = await fill('letters', 'The Firth bridge was opened in 1891, says another book.\n');
});

afterEach(async () => {
  await hide([]);
});

/** Lets only these people read the second workspace. */
function hide(members: unknown) {
  return admin.call('PUT', `/api/workspaces/${second.id}/members`, members);
}

const onlyAnn = () => [{ subject: ann.id, role: 'member' }];

async function waitFor(path: string, caller = ann): Promise<Loose> {
  return eventually(
    async () => (await caller.call<Loose>('GET', path)).body,
    ({ status }) => ['done', 'failed', 'stopped'].includes(status),
  );
}

function start(path: string, fields: Loose, caller = ann) {
  return caller.call<Loose>('POST', path, { workspaceIds: [first.id, second.id], ...fields });
}

async function report(fields: Loose = {}): Promise<Research> {
  const { status, body } = await start('/api/research', { question: QUESTION, depth: 'quick', ...fields });
  expect([status, body]).toMatchObject([202, { runId: expect.any(String) }]);
  return waitFor(`/api/research/${body.runId}`);
}

async function check(): Promise<Loose> {
  const text = 'The Firth bridge was opened in 1890. The Firth bridge was opened in 1891.';
  const { status, body } = await start('/api/verify', { text, shared: true, judge: false });
  expect([status, body]).toMatchObject([202, { runId: expect.any(String) }]);
  return waitFor(`/api/verify/${body.runId}`);
}

/** All ways to read a run of this kind. */
function reads(kind: 'research' | 'verify', id: string): [string, string, unknown?][] {
  return [
    ['GET', `/api/${kind}/${id}`],
    ['GET', `/api/${kind}/${id}/export`],
    ['GET', `/api/agent/runs/${id}`],
    ['GET', `/api/agent/runs/${id}/stream`],
    ['GET', `/api/agent/runs/${id}/changes`],
    ['POST', `/api/agent/runs/${id}/stop`],
    ...(kind === 'research'
      ? ([
          ['POST', `/api/research/${id}/continue`, { question: 'Who built it?' }],
          ['POST', `/api/research/${id}/refresh`, {}],
          ['GET', `/api/conversations/${id}`],
        ] as [string, string, unknown][])
      : ([['DELETE', `/api/verify/${id}`]] as [string, string][])),
  ];
}

async function listed(caller: TestCaller): Promise<string[]> {
  const { body } = await caller.call<Loose[]>('GET', `/api/agent/runs?workspaceId=${first.id}&limit=100`);
  return body.map(({ id }) => id);
}

async function activity(caller: TestCaller): Promise<string> {
  const { bytes } = await caller.call('GET', `/api/workspaces/${first.id}/activity?limit=100`);
  return bytes.toString();
}

describe('report about several workspaces', () => {
  it('quotes files of the same path in the workspace of each, and becomes no note', async () => {
    const { status, workspaceId, workspaceIds, evidence, noteId, sections, runId } = await report();
    expect([status, noteId, workspaceId]).toEqual(['done', null, first.id]);
    expect(workspaceIds).toEqual([first.id, second.id]);
    expect(sections.length).toBeGreaterThan(0);
    const year = (of: string) => (of === first.id ? '1890' : '1891');
    for (const { workspaceId: of = '', path, quote, verified } of evidence)
      expect([path, quote, verified]).toEqual(['bridge.md', expect.stringContaining(year(of)), true]);
    expect(new Set(evidence.map((each) => each.workspaceId))).toEqual(new Set([first.id, second.id]));
    for (const { id } of [first, second])
      expect((await ann.call<Loose[]>('GET', `/api/notes?workspaceId=${id}`)).body).toEqual([]);
    const text = (await ann.call('GET', `/api/research/${runId}/export`)).bytes.toString();
    for (const { root } of [first, second]) expect(text).toContain(`${basename(root)}/bridge.md`);
  });

  it('is hidden in every way from people who may not read all of them now', async () => {
    const { runId } = await report();
    await ann.call('PUT', `/api/conversations/${runId}`, { shared: true });
    expect((await ben.call('GET', `/api/research/${runId}`)).status).toBe(200);
    expect(await listed(ben)).toContain(runId);
    await hide(onlyAnn());
    for (const [method, path, sent] of reads('research', runId))
      expect([path, (await ben.call(method, path, sent)).status]).toEqual([path, 404]);
    expect(await listed(ben)).not.toContain(runId);
    expect(await activity(ben)).not.toContain(QUESTION);
    expect((await ann.call('GET', `/api/research/${runId}`)).status).toBe(200);
    await hide([{ subject: ben.id, role: 'member' }]);
    for (const [method, path, sent] of reads('research', runId))
      expect([path, (await ann.call(method, path, sent)).status]).toEqual([path, 404]);
  });

  it('waits unseen while its starter may not read one of them', async () => {
    const { body } = await start('/api/research', { question: QUESTION, approvePlan: true });
    const path = `/api/agent/runs/${body.runId}`;
    const waiting = await eventually(
      async () => (await ann.call<Loose>('GET', path)).body,
      ({ status }) => status === 'waiting',
    );
    const { body: states } = await ann.call<Loose[]>('GET', '/api/workspaces?with=state&limit=200');
    const waits = (all: Loose[]) =>
      all.find(({ id }) => id === first.id).state.waiting.map(({ id }: Loose) => id);
    expect(waits(states)).toContain(waiting.id);
    await hide([{ subject: ben.id, role: 'member' }]);
    expect(
      waits((await ann.call<Loose[]>('GET', '/api/workspaces?with=state&limit=200')).body),
    ).not.toContain(waiting.id);
    expect((await ann.call('POST', `/api/research/${body.runId}/plan`, {})).status).toBe(404);
    await hide([]);
    expect((await ann.call('POST', `/api/research/${body.runId}/plan`, {})).status).toBe(200);
    expect(await waitFor(path)).toMatchObject({ status: 'done' });
  });

  it('is continued and refreshed in the same workspaces', async () => {
    const { runId, evidence } = await report();
    await writeFile(
      join(second.root, 'bridge.md'),
      'The Firth bridge was opened in 1892, says a third book.\n',
    );
    await syncWorkspace(admin, second.id);
    const { body } = await ann.call<Loose>('POST', `/api/research/${runId}/refresh`, {});
    const now: Research = await waitFor(`/api/research/${body.runId}`);
    expect([now.status, now.workspaceIds, now.conversationId]).toEqual([
      'done',
      [first.id, second.id],
      runId,
    ]);
    const quotes = (of: string, all: Research['evidence']) =>
      all.filter(({ workspaceId }) => workspaceId === of).map(({ quote }) => quote);
    expect(quotes(first.id, now.evidence)).toEqual(quotes(first.id, evidence));
    expect(quotes(second.id, now.evidence)).toEqual([expect.stringContaining('1892')]);
  });

  it('is refused like an unknown workspace where the caller is no member, and by the budget of any', async () => {
    const wish = { question: QUESTION };
    await hide(onlyAnn());
    const hidden = await start('/api/research', wish, ben);
    const unknown = await start('/api/research', { ...wish, workspaceIds: [first.id, UNKNOWN] }, ben);
    expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
    for (const path of ['/api/verify', '/api/research'])
      expect((await start(path, { ...wish, workspaceId: first.id })).status).toBe(400);
    await admin.call('PUT', '/api/budgets', [{ scope: 'workspace', id: second.id, monthlyTokens: 0 }]);
    try {
      const { status, headers } = await start('/api/research', wish);
      expect([status, headers['x-error-code']]).toEqual([429, 'budget_used_up']);
    } finally {
      await admin.call('PUT', '/api/budgets', []);
    }
  });

  it('is deleted with any of its workspaces', async () => {
    const { runId } = await report();
    expect((await admin.call('DELETE', `/api/workspaces/${second.id}`)).status).toBe(200);
    for (const path of [`/api/research/${runId}`, `/api/agent/runs/${runId}`, `/api/conversations/${runId}`])
      expect((await ann.call('GET', path)).status).toBe(404);
    for (const caller of [ann, admin]) expect(await listed(caller)).not.toContain(runId);
  });
});

describe('check about several workspaces', () => {
  it('finds evidence in each, and names the workspaces in its export', async () => {
    const { runId, sentences } = await check();
    const cited = sentences.map(({ citations }: Loose) => citations.map((each: Loose) => each.workspaceId));
    expect(cited).toEqual([
      expect.arrayContaining([first.id, second.id]),
      expect.arrayContaining([first.id, second.id]),
    ]);
    const text = (await ann.call('GET', `/api/verify/${runId}/export`)).bytes.toString();
    for (const { root } of [first, second]) expect(text).toContain(`${basename(root)}/bridge.md`);
  });

  it('is hidden in every way from people who may not read all of them now', async () => {
    const { runId } = await check();
    expect((await ben.call('GET', `/api/verify/${runId}`)).status).toBe(200);
    await hide(onlyAnn());
    for (const [method, path, sent] of reads('verify', runId))
      expect([path, (await ben.call(method, path, sent)).status]).toEqual([path, 404]);
    expect(await listed(ben)).not.toContain(runId);
    expect(await activity(ben)).not.toContain('was opened');
  });
});

describe('MCP tools with workspaceIds', () => {
  const tool = async (name: string, given: Loose, caller = ann) => {
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    return (await service.call('POST', '/api/mcp', sent, { ...caller.headers, ...headers })).bytes.toString();
  };
  const runIn = (answer: string) => /runId\\*":\\*"([0-9a-f-]{36})/.exec(answer)?.[1];

  it.each([
    ['start_research', 'get_report', { question: QUESTION, depth: 'quick' }],
    ['verify', 'get_verification', { text: 'The Firth bridge was opened in 1891.', judge: false }],
  ])('%s starts a run that only people who can read all of them get', async (start, get, wanted) => {
    const runId = runIn(await tool(start, { ...wanted, workspaceIds: [first.id, second.id] }));
    const text = await eventually(
      () => tool(get, { runId }),
      (answer) => answer.includes('done'),
    );
    expect(text).toContain(`${basename(second.root)}/bridge.md`);
    if (get === 'get_report') expect(await tool(get, { runId }, ben)).toContain('1891');
    await hide(onlyAnn());
    expect(await tool(get, { runId }, ben)).toContain('does not exist');
  });
});

describe('broken citations of an answer about several workspaces', () => {
  it('are listed in the workspace of the file, only for people who can read all', async () => {
    provider.answer = () => 'It was opened in 1890 [1]. It was opened in 1891 [2].';
    const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: QUESTION }] }];
    await start('/api/chat', { id: 'bridges', messages });
    await ann.call('PUT', '/api/conversations/bridges', { shared: true });
    await rm(join(second.root, 'bridge.md'));
    await writeFile(join(second.root, 'other.md'), 'A book about bridges.\n');
    await syncWorkspace(admin, second.id);
    const list = async (caller: TestCaller, of = second) => {
      const { body } = await caller.call<Loose[]>('GET', `/api/workspaces/${of.id}/broken-citations`);
      return body;
    };
    const broken = await eventually(
      () => list(ann),
      (all) => all.length > 0,
    );
    const document = { kind: 'answer', id: 'bridges', workspaceId: first.id };
    expect(broken).toMatchObject([{ document, reason: 'deleted', citation: { path: 'bridge.md' } }]);
    expect(broken[0].citation.quote).toContain('1891');
    expect(await list(ben)).toHaveLength(1);
    expect(await list(ann, first)).toEqual([]);
    await admin.call('PUT', `/api/workspaces/${first.id}/members`, onlyAnn());
    expect(await list(ben)).toEqual([]);
    await admin.call('PUT', `/api/workspaces/${first.id}/members`, []);
    provider.answer = researchAnswer();
    expect((await ann.call('DELETE', '/api/conversations/bridges')).status).toBe(200);
    expect(await list(ann)).toEqual([]);
  });
});
