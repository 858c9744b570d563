import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IndexState } from '../../../lib/indexing/schema.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { dumpIndex } from '../../support/index-dump.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace, waitForSync } from '../../support/sync.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const provider = await startFakeOpenai();
afterAll(() => provider.stop());
const EMBEDDING = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'test' };
const service = await startService(EMBEDDING);

async function fill({ root }: TestWorkspace, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  await sleep(50); // longer than the time resolution within which a change could be missed
}

async function makeFilled(files: Record<string, string | Uint8Array>, host: Service = service) {
  const workspace = await makeWorkspace(host);
  await fill(workspace, files);
  return workspace;
}

function startSync(id: string) {
  return service.call<{ syncId: string }>('POST', `/api/workspaces/${id}/sync`);
}

function readSync(id: string, host: Service = service) {
  return host.call<IndexState>('GET', `/api/workspaces/${id}/sync`);
}

async function found(workspaceId: string, query: string): Promise<string[]> {
  const path = `/api/workspaces/${workspaceId}/search?q=${encodeURIComponent(query)}`;
  const { status, body } = await service.call<{ path: string; text: string }[]>('GET', path);
  if (status !== 200) throw new Error(`search answered ${status}: ${JSON.stringify(body)}`);
  const passages = body.filter(({ text }) => text.includes(query)); // vectors also find merely similar text
  return [...new Set(passages.map((passage) => passage.path))].sort();
}

beforeEach(() => {
  provider.embeddingFailure = undefined;
  provider.embeddedTexts = 0;
  provider.beforeVectors = undefined;
});

describe('POST /api/workspaces/{workspaceId}/sync', () => {
  it('joins the running sync, and starts another sync when it is over', async () => {
    const { id } = await makeFilled({ 'a.md': 'alpha', 'b.md': 'beta' });
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();
    provider.beforeVectors = () => asked;
    const answers = await Promise.all(Array.from({ length: 10 }, () => startSync(id)));
    goOn();
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map(({ body }) => body.syncId)).size).toBe(1);
    const done = await waitForSync(service, id);
    expect(done).toMatchObject({ syncId: answers[0]?.body.syncId, newCount: 2, done: 2 });
    const { body } = await startSync(id);
    expect(body.syncId).not.toBe(done.syncId);
    await waitForSync(service, id);
  });

  it('embeds neither unchanged files nor moved or copied ones', async () => {
    const files = Array.from({ length: 40 }, (_, index) => [`d/f${index}.md`, `note number ${100 + index}`]);
    const workspace = await makeFilled(Object.fromEntries(files));
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ newCount: 40 });
    expect(provider.embeddedTexts).toBe(40);
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ unchangedCount: 40, total: 40 });
    await rename(join(workspace.root, 'd'), join(workspace.root, 'e'));
    await cp(join(workspace.root, 'e'), join(workspace.root, 'copy'), { recursive: true });
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ newCount: 80, removedCount: 40 });
    // One more call per further sync, which compares the model's vectors with those in the index.
    expect(provider.embeddedTexts).toBe(42);
  });

  it('reports a file that fails, indexes the others, and retries it', async () => {
    const workspace = await makeFilled({ 'broken.pdf': 'not a PDF', 'a.md': 'alpha' });
    const state = await syncWorkspace(service, workspace.id);
    expect(state).toMatchObject({ status: 'ready', newCount: 1, failedCount: 1, done: 2 });
    expect(state.errors).toEqual([{ path: 'broken.pdf', error: expect.stringContaining('PDF') }]);
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ failedCount: 1, unchangedCount: 1 });
    await fill(workspace, { 'broken.pdf': '' });
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ failedCount: 1 });
  });

  it('embeds in a later sync the files that the embedding service rejected', async () => {
    const workspace = await makeFilled({ 'a.md': 'alpha' });
    provider.embeddingFailure = 'unauthorized';
    const state = await syncWorkspace(service, workspace.id);
    expect(state.errors).toEqual([{ path: 'a.md', error: expect.stringContaining('Embedding failed.') }]);
    expect(JSON.stringify(state)).not.toContain('sk-');
    provider.embeddingFailure = undefined;
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ updatedCount: 1, errors: [] });
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ unchangedCount: 1 });
  });

  it('embeds everything again for another model, even after a keyword-only index', async () => {
    let host = await startService();
    const { dataDir } = host;
    const { id } = await makeFilled({ 'a.md': 'alpha', 'b.md': 'beta' }, host);
    expect(await syncWorkspace(host, id)).toMatchObject({ newCount: 2, embedding: null });
    for (const EMBEDDING_MODEL of ['vendor/model', 'vendor_model']) {
      await host.stop();
      provider.embeddedTexts = 0;
      host = await startService({ ...EMBEDDING, EMBEDDING_MODEL, DATA_DIR: dataDir });
      expect(await syncWorkspace(host, id)).toMatchObject({ updatedCount: 2, embedding: EMBEDDING_MODEL });
      expect(provider.embeddedTexts).toBe(2);
    }
    await host.stop();
    const { rows } = await dumpIndex(dataDir, id);
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(rows.map(() => expect.objectContaining({ vector: expect.any(Array) })));
  });

  it.each([
    ['an unknown workspace', randomUUID(), 404],
    ['an invalid ID', 'x', 404],
  ])('rejects %s', async (_what, id, status) => {
    for (const answer of [await startSync(id), await readSync(id)]) {
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ error: expect.stringContaining('workspace') });
    }
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('returns 405 for %s', async (method) => {
    const { id } = await makeWorkspace(service);
    expect(await service.call(method, `/api/workspaces/${id}/sync`)).toMatchObject({ status: 405 });
  });
});

describe('GET /api/workspaces/{workspaceId}/sync', () => {
  it('is idle before the first sync, and returns its counts afterwards', async () => {
    const files = Array.from({ length: 400 }, (_, index) => [`f${index}.md`, `note number ${index}`]);
    const { id } = await makeFilled(Object.fromEntries(files));
    expect(await readSync(id)).toMatchObject({
      status: 200,
      body: { status: 'idle', syncId: null, total: 0 },
    });
    await startSync(id);
    const state = await waitForSync(service, id);
    expect(state).toMatchObject({ status: 'ready', total: 400, done: 400, finishedAt: expect.any(String) });
  });
});

describe('GET /api/workspaces/{workspaceId}/files', () => {
  const list = (id: string, query: string) =>
    service.call<{ path: string; reason?: string }[]>('GET', `/api/workspaces/${id}/files${query}`);

  it('lists the indexed files and, by page, the skipped ones with the reason', async () => {
    const { id } = await makeFilled({ 'a.md': '# Alpha', 'b.doc': 'x', 'c.jpg': 'x', 'd.pdf': 'no PDF' });
    expect(await syncWorkspace(service, id)).toMatchObject({ newCount: 1, skippedCount: 2, failedCount: 1 });
    const { body, headers } = await list(id, '?state=skipped&limit=1');
    expect(body).toEqual([{ path: 'b.doc', size: 1, state: 'skipped', reason: 'kind', kind: 'doc' }]);
    const cursor = encodeURIComponent(String(headers['x-next-cursor']));
    expect((await list(id, `?state=skipped&cursor=${cursor}`)).body).toMatchObject([{ path: 'c.jpg' }]);
    expect((await list(id, '?state=failed')).body).toMatchObject([{ path: 'd.pdf', reason: 'broken' }]);
    expect((await list(id, '?state=indexed')).body).toMatchObject([
      { path: 'a.md', kind: 'markdown', title: 'Alpha' },
    ]);
    expect((await list(id, `?state=failed&cursor=${cursor}`)).status).toBe(400);
  });

  it.each([
    ['no state', '', 400],
    ['an unknown state', '?state=new', 400],
    ['an invalid limit', '?state=failed&limit=0', 400],
    ['a cursor from another list', '?state=indexed&cursor=x', 400],
  ])('rejects %s', async (_what, query, status) => {
    const { id } = await makeWorkspace(service);
    expect(await list(id, query)).toMatchObject({ status, body: { error: expect.any(String) } });
    expect(await list(randomUUID(), '?state=failed')).toMatchObject({ status: 404 });
  });
});

describe('changes through the API', () => {
  it('are found without a sync after a write, a move, and a deletion', async () => {
    const { id } = await makeWorkspace(service);
    await service.call('POST', '/api/files/write', {
      workspaceId: id,
      path: 'x/a.md',
      content: 'a walrus sings',
    });
    await eventually(
      () => found(id, 'walrus'),
      (paths) => paths.join() === 'x/a.md',
    );
    await service.call('POST', '/api/files/rename', { workspaceId: id, oldPath: 'x', newPath: 'y' });
    await eventually(
      () => found(id, 'walrus'),
      (paths) => paths.join() === 'y/a.md',
    );
    await service.call('DELETE', '/api/files/delete', { workspaceId: id, path: 'y' });
    await eventually(
      () => found(id, 'walrus'),
      (paths) => paths.length === 0,
    );
  });

  it('leave nothing in the index of a deleted workspace', async () => {
    const { id } = await makeFilled({ 'a.md': 'alpha' });
    await syncWorkspace(service, id);
    expect((await dumpIndex(service.dataDir, id)).rows).toHaveLength(1);
    expect(await service.call('DELETE', `/api/workspaces/${id}`)).toMatchObject({ status: 200 });
    const dump = () => dumpIndex(service.dataDir, id).catch(() => undefined); // read during the deletion
    const dumped = await eventually(dump, (left) => left?.files.length === 0 && left.rows.length === 0);
    expect(dumped).toEqual({ files: [], rows: [] });
    expect(await readSync(id)).toMatchObject({ status: 404 });
  });
});
