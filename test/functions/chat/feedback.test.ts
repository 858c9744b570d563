import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import yauzl from 'yauzl';
import { documentOf, readDocuments, readQueries } from '../../eval/beir/collection.ts';
import { runCollections } from '../../eval/beir/run-collections.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const QUESTION = 'When was the Firth bridge opened?';
const SENTENCE = 'The Firth bridge was opened in 1890.';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
let ann: TestCaller;
let ben: TestCaller;
let workspaceId: string;
let count = 0;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  provider.answer = () => 'It was opened in 1890 [1].';
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
  admin = await makeCaller(service, 'admin');
  ann = await makeCaller(service, 'member');
  ben = await makeCaller(service, 'member');
  const { id, root } = await makeWorkspace(admin);
  await writeFile(join(root, 'bridge.md'), `${SENTENCE}\n`);
  await syncWorkspace(admin, id);
  workspaceId = id;
});
afterEach(() => void jest.restoreAllMocks());

/** Asks a question in a new conversation of the caller, and returns the path of the answer's feedback. */
async function ask(caller: TestCaller, text = QUESTION) {
  const id = `rated-${++count}`;
  const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text }] }];
  const { status } = await caller.call('POST', '/api/chat', { workspaceId, id, messages });
  expect(status).toBe(200);
  const { body } = await caller.call<Loose>('GET', `/api/conversations/${id}`);
  const messageId = body.messages[1].id as string;
  return { id, messageId, path: `/api/conversations/${id}/messages/${messageId}/feedback` };
}

async function listed(query = ''): Promise<Loose[]> {
  const { status, body } = await admin.call<Loose[]>('GET', `/api/feedback${query}`);
  expect(status).toBe(200);
  return body;
}

async function listedOf(id: string): Promise<Loose[]> {
  return (await listed()).filter(({ conversationId }) => conversationId === id);
}

async function readZip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const pieces = await Array.fromAsync(await zip.openReadStreamPromise(entry));
    entries.set(entry.fileName, Buffer.concat(pieces).toString());
  }
  return entries;
}

describe('feedback on an answer', () => {
  it('is given, changed, and withdrawn by its person, and shows administrators this answer only', async () => {
    const { id, messageId, path } = await ask(ann);
    const given = await ann.call<Loose>('PUT', path, { rating: 'up', reasons: ['correct', 'clear'] });
    expect(given).toMatchObject({ status: 200, body: { messageId, rating: 'up', comment: '' } });
    const changed = { rating: 'down', reasons: ['wrong_passages'], comment: ' An old version. ' };
    expect((await ann.call('PUT', path, changed)).status).toBe(200);
    const own = await ann.call<Loose[]>('GET', `/api/conversations/${id}/feedback`);
    expect(own.body).toEqual([
      { messageId, ...changed, comment: 'An old version.', updatedAt: expect.any(String) },
    ]);
    const [shown, ...others] = await listedOf(id);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ personId: ann.id, personName: 'a member', rating: 'down', workspaceId });
    expect(shown.model).toEqual(expect.any(String));
    expect(shown.shared).toEqual({
      question: QUESTION,
      answer: 'It was opened in 1890 [1].',
      passages: [
        {
          workspaceId,
          path: 'bridge.md',
          startLine: 1,
          endLine: 1,
          quote: SENTENCE,
          support: expect.any(String),
        },
      ],
    });
    expect((await admin.call('GET', `/api/conversations/${id}`)).status).toBe(404);
    expect((await ann.call('DELETE', path)).status).toBe(200);
    expect((await ann.call('DELETE', path)).status).toBe(200);
    expect(await listedOf(id)).toEqual([]);
  });

  it('of a reader shows the question only while its owner shares the conversation', async () => {
    const { id, path } = await ask(ann);
    const refused = await ben.call('PUT', path, { rating: 'up' });
    expect([refused.status, refused.headers['x-error-code']]).toEqual([404, 'conversation_not_found']);
    await ann.call('PUT', `/api/conversations/${id}`, { shared: true });
    expect((await ben.call('PUT', path, { rating: 'up' })).status).toBe(200);
    expect((await listedOf(id))[0].shared.question).toBe(QUESTION);
    await ann.call('PUT', `/api/conversations/${id}`, { shared: false });
    expect((await listedOf(id))[0]).toMatchObject({ personId: ben.id, rating: 'up', shared: null });
    const exported = await admin.call('GET', '/api/feedback/export');
    expect((await readZip(exported.bytes)).get('feedback/feedback.jsonl')).not.toContain(id);
    expect((await ann.call('DELETE', `/api/conversations/${id}`)).status).toBe(200);
    expect(await listedOf(id)).toEqual([]);
  });

  it.each([
    ['an unknown rating', { rating: 'maybe' }, 'rating'],
    ['a reason for another rating', { rating: 'up', reasons: ['incorrect'] }, 'reasons'],
    ['a reason twice too often', { rating: 'up', reasons: Array(7).fill('clear') }, 'reasons'],
    ['a long comment', { rating: 'up', comment: 'x'.repeat(2001) }, 'comment'],
    ['an unknown field', { rating: 'up', stars: 5 }, 'stars'],
  ])('is refused with %s', async (_what, body, field) => {
    const { id, messageId } = await ask(ann);
    const answer = await ann.call('PUT', `/api/conversations/${id}/messages/${messageId}/feedback`, body);
    expect([answer.status, answer.headers['x-error-field']]).toEqual([400, field]);
  });

  it('needs an answer, not a question', async () => {
    const { id } = await ask(ann);
    const { status, headers } = await ann.call('PUT', `/api/conversations/${id}/messages/q/feedback`, {
      rating: 'up',
    });
    expect([status, headers['x-error-code']]).toEqual([404, 'answer_not_found']);
  });
});

describe('GET /api/feedback', () => {
  it('returns pages, newest first, by rating, only to administrators of all workspaces', async () => {
    const answers = [await ask(ann), await ask(ann), await ask(ann)];
    for (const { path } of answers) await ann.call('PUT', path, { rating: 'up' });
    await ann.call('PUT', answers[1]?.path ?? '', { rating: 'down' });
    const first = await admin.call<Loose[]>('GET', '/api/feedback?limit=1');
    const cursor = first.headers['x-next-cursor'];
    const rest = await listed(`?cursor=${cursor}`);
    const ids = answers.map(({ id }) => id).reverse();
    expect([...first.body, ...rest].map(({ conversationId }) => conversationId).slice(0, 3)).toEqual(ids);
    expect((await listed('?rating=down')).map(({ conversationId }) => conversationId)).toEqual([ids[1]]);
    const bound = await makeCaller(service, 'admin', '--workspaces', workspaceId);
    for (const path of ['/api/feedback', '/api/feedback/export'])
      for (const caller of [ann, bound]) expect((await caller.call('GET', path)).status).toBe(403);
  });
});

describe('GET /api/feedback/export', () => {
  it('returns a collection that `npm run eval -- --beir` measures', async () => {
    const { path } = await ask(ann, `${QUESTION} For the collection.`);
    expect((await ann.call('PUT', path, { rating: 'up', reasons: ['good_passages'] })).status).toBe(200);
    const exported = await admin.call('GET', '/api/feedback/export?format=beir&rating=up');
    expect(exported.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringContaining('feedback.zip'),
    });
    const beir = await tempFolder();
    for (const [name, text] of await readZip(exported.bytes)) {
      await mkdir(dirname(join(beir, name)), { recursive: true });
      await writeFile(join(beir, name), text);
    }
    const folder = join(beir, 'feedback');
    const queries = await readQueries(folder);
    const query = queries.find(({ text }) => text.endsWith('For the collection.'));
    const documents = await readDocuments(folder);
    const relevant = [...(query?.judgments.keys() ?? [])];
    expect(relevant).toHaveLength(1);
    expect(documents.find((row) => documentOf(row.path) === relevant[0])?.text).toContain(SENTENCE);
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await runCollections({ beir, baselines: [] }, await tempFolder());
    const printed = print.mock.calls.flat().join('\n');
    expect(printed).toContain(`feedback: ${queries.length} queries, ${documents.length} passages`);
    const entries = await admin.call<Loose[]>('GET', '/api/audit?action=feedback');
    expect(entries.body[0]).toMatchObject({ action: 'feedback.export', outcome: 'done' });
  });
});
