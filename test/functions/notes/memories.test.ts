import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_FACTS, type Memory } from '../../../lib/memories/schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { readFrames } from '../../support/event-frames.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
let ann: TestCaller;
let ben: TestCaller;
/** The workspace of Ann and Ben. */
let both: string;
/** The workspace of Ann alone. */
let annsOnly: string;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const settings = { PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' };
  service = await startService(settings);
  [admin, ann, ben] = await Promise.all([
    makeCaller(service, 'admin'),
    makeCaller(service, 'member'),
    makeCaller(service, 'member'),
  ]);
  both = await fill(ann, ben);
  annsOnly = await fill(ann);
});

async function fill(...members: TestCaller[]): Promise<string> {
  const { id, root } = await makeWorkspace(admin);
  await writeFile(join(root, 'owls.md'), 'Barn owls hunt at night.\n');
  await syncWorkspace(admin, id);
  const list = members.map(({ id: subject }) => ({ subject, role: 'member' }));
  await admin.call('PUT', `/api/workspaces/${id}/members`, list);
  return id;
}

const of = (workspaceId?: string) =>
  `/api/memories?scope=${workspaceId === undefined ? 'person' : `workspace&workspaceId=${workspaceId}`}`;

const add = (caller: TestCaller, text: unknown, workspaceId?: string, fields = {}) =>
  caller.call<Memory>('POST', of(workspaceId), { text, ...fields });

const list = async (caller: TestCaller, workspaceId?: string) =>
  (await caller.call<Memory[]>('GET', of(workspaceId))).body;

beforeEach(async () => {
  for (const [caller, workspaceId] of [[ann], [ben], [ann, both], [ann, annsOnly]] as [TestCaller, string?][])
    for (const { id } of await list(caller, workspaceId)) await caller.call('DELETE', `/api/memories/${id}`);
});

describe('/api/memories', () => {
  it('adds, lists, changes, and deletes a fact', async () => {
    const { status, body } = await add(ben, ' I use\nSI units. ');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      scope: 'person',
      workspaceId: null,
      text: 'I use SI units.',
      shared: false,
    });
    expect(await list(ben)).toEqual([{ ...body, createdByName: 'a member' }]);
    const path = `/api/memories/${body.id}`;
    const changed = await ben.call<Memory>('PATCH', path, { shared: true, ifUpdatedAt: body.updatedAt });
    expect(changed).toMatchObject({ status: 200, body: { text: 'I use SI units.', shared: true } });
    const late = await ben.call('PATCH', path, { text: 'x', ifUpdatedAt: body.updatedAt });
    expect([late.status, late.headers['x-error-code']]).toEqual([409, 'changed_since_read']);
    expect((await ben.call('DELETE', path)).status).toBe(200);
    const gone = await ben.call('DELETE', path);
    expect([gone.status, gone.headers['x-error-code']]).toEqual([404, 'memory_not_found']);
  });

  it.each([
    ['no scope', () => '/api/memories', { text: 'x' }],
    ['a workspace without its ID', () => '/api/memories?scope=workspace', { text: 'x' }],
    ['a person with a workspace', () => `/api/memories?scope=person&workspaceId=${both}`, { text: 'x' }],
    ['another scope', () => '/api/memories?scope=group', { text: 'x' }],
    ['no text', () => of(), {}],
    ['an unknown field', () => of(), { text: 'x', createdBy: 'ben' }],
    ['an invisible character', () => of(), { text: 'x\u202ey' }],
    ['more than 500 characters', () => of(), { text: 'x'.repeat(501) }],
  ])('refuses %s', async (_what, path, body) => {
    expect((await ann.call('POST', path(), body)).status).toBe(400);
    expect(await list(ann)).toEqual([]);
  });

  it('refuses 10 MB, and a fact over the limit', async () => {
    expect([400, 413]).toContain((await add(ann, 'x'.repeat(10 * 1024 * 1024 - 1000))).status);
    const eve = await makeCaller(service, 'viewer');
    for (let at = 0; at < MAX_FACTS; at++) expect((await add(eve, `Fact ${at}.`)).status).toBe(201);
    const over = await add(eve, 'One more.');
    expect([over.status, over.headers['x-error-code']]).toEqual([409, 'too_many_memories']);
    expect(await list(eve)).toHaveLength(MAX_FACTS);
  });
});

let asked = 0;

/** Sends a chat, and returns what the model was sent, and the metadata of the answer. */
async function chat(caller: TestCaller, fields: Record<string, unknown>) {
  provider.lastChat = undefined;
  const parts = [{ type: 'text', text: 'When do owls hunt?' }];
  const messages = [{ id: `q${++asked}`, role: 'user', parts }];
  const answer = await caller.call<string>('POST', '/api/chat', { messages, ...fields });
  expect(answer.status).toBe(200);
  const finish = readFrames(answer.body).parts.find(({ type }) => type === 'finish') as {
    messageMetadata?: { memories?: unknown };
  };
  return { prompt: promptSent(), memories: finish?.messageMetadata?.memories };
}

const promptSent = () => JSON.stringify(provider.lastChat?.messages);

/** Secrets of each owner, in the order of `found`. */
const SECRETS = ['ANN-PRIVATE', 'ANN-SHARED', 'BEN-PRIVATE', 'OF-BOTH', 'OF-ANNS'];
const found = (prompt: string) => SECRETS.filter((secret) => prompt.includes(secret));

describe('facts in prompts', () => {
  beforeEach(async () => {
    await add(ann, 'ANN-PRIVATE: I use SI units.');
    await add(ann, 'ANN-SHARED: I read German.', undefined, { shared: true });
    await add(ben, 'BEN-PRIVATE: Answer in one sentence.');
    await add(ann, 'OF-BOTH: Site B is the tower.', both);
    await add(ann, 'OF-ANNS: Site C is the barn.', annsOnly);
  });

  it('are those of the person and of the workspaces of the question', async () => {
    const one = await chat(ann, { workspaceId: both });
    expect(found(one.prompt)).toEqual(['ANN-PRIVATE', 'ANN-SHARED', 'OF-BOTH']);
    expect(one.memories).toEqual({ person: 2, workspace: 1, leftOut: 0 });
    expect(found((await chat(ben, { workspaceId: both })).prompt)).toEqual(['BEN-PRIVATE', 'OF-BOTH']);
    const several = await chat(ann, { workspaceIds: [both, annsOnly] });
    expect(found(several.prompt)).toEqual(['ANN-PRIVATE', 'ANN-SHARED', 'OF-BOTH', 'OF-ANNS']);
    const none = await chat(admin, { workspaceId: annsOnly });
    expect([found(none.prompt), none.memories]).toEqual([
      ['OF-ANNS'],
      { person: 0, workspace: 1, leftOut: 0 },
    ]);
  });

  it('follow the passages in the last message, so that rules and earlier messages stay the same', async () => {
    const id = 'cached';
    await chat(ann, { workspaceId: both, id });
    const [system, asked] = provider.lastChat?.messages ?? [];
    const text = String(asked?.content);
    expect(text).toMatch(/<\/passage-(\w{16})>\n\n<facts-\1>\n[\s\S]*<\/facts-\1>\n\nWhen do owls hunt\?$/);
    await add(ann, 'Later: I use feet.');
    await chat(ann, { workspaceId: both, id });
    expect(provider.lastChat?.messages[0]).toEqual(system);
    expect(String(provider.lastChat?.messages[1]?.content)).toBe('When do owls hunt?');
  });

  it('of the person are only the shared ones in a shared conversation', async () => {
    await chat(ann, { workspaceId: both, id: 'shown' });
    await ann.call('PUT', '/api/conversations/shown', { shared: true });
    expect(found((await chat(ann, { workspaceId: both, id: 'shown' })).prompt)).toEqual([
      'ANN-SHARED',
      'OF-BOTH',
    ]);
  });

  it('of the person are only the shared ones in agent runs, which others can read', async () => {
    const body = { workspaceId: both, cwd: '', messages: [{ role: 'user', content: 'When do owls hunt?' }] };
    const { status, frames } = await readStream(service, '/api/agent', { body, headers: ann.headers });
    expect(status).toBe(200);
    expect(found(promptSent())).toEqual(['ANN-SHARED', 'OF-BOTH']);
    const finish = frames.map(({ part }) => part).find(({ type }) => type === 'finish');
    expect(finish).toMatchObject({ messageMetadata: { memories: { person: 1, workspace: 1, leftOut: 0 } } });
    expect(provider.lastChat?.messages.at(-1)?.content).toMatch(
      /^<facts-\w{16}>[\s\S]*\n\nWhen do owls hunt\?$/,
    );
  });

  it('are also those of the caller of the OpenAI-compatible API', async () => {
    const body = { model: `workspace:${both}`, messages: [{ role: 'user', content: 'When do owls hunt?' }] };
    expect((await ben.call('POST', '/api/openai/v1/chat/completions', body)).status).toBe(200);
    expect(found(promptSent())).toEqual(['BEN-PRIVATE', 'OF-BOTH']);
  });

  it('are listed only for those who may see them', async () => {
    const texts = async (caller: TestCaller, workspaceId?: string) =>
      found(JSON.stringify(await list(caller, workspaceId)));
    expect(await texts(ben)).toEqual(['BEN-PRIVATE']);
    expect(await texts(admin)).toEqual([]);
    expect([await texts(ben, both), await texts(ann, annsOnly)]).toEqual([['OF-BOTH'], ['OF-ANNS']]);
    const refused = await ben.call('GET', of(annsOnly));
    expect([refused.status, found(JSON.stringify(refused.body))]).toEqual([403, []]);
  });

  it('are no sources: an answer that states one and cites a number has no citation with its words', async () => {
    const { answer } = provider;
    provider.answer = () => 'Site B is the tower [1]. Site B is the tower [2].';
    const messages = [{ role: 'user', content: 'What is site B?' }];
    const { body } = await ann.call<string>('POST', '/api/chat', { workspaceId: both, messages });
    provider.answer = answer;
    const cited = readFrames(body).parts.filter(({ type }) => type === 'data-citation');
    for (const { data } of cited)
      expect(data).toMatchObject({ path: 'owls.md', quote: expect.not.stringContaining('tower') });
    expect(body).not.toContain('"support":"full"');
  });
});
