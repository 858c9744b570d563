import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { UpstreamFailed } from '../../../lib/errors.ts';
import { markdown } from '../../../lib/formats/markdown.ts';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { touchIndex } from '../../../lib/indexing/enqueue.ts';
import { handleIndexMessage } from '../../../lib/indexing/handle-index-message.ts';
import type { CommitMessage } from '../../../lib/indexing/messages.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import { indexedFiles } from '../../../lib/indexing/schema.ts';
import { startSync } from '../../../lib/indexing/sync.ts';
import { embeddingSpaceOf } from '../../../lib/passages/embedding-space.ts';
import { indexes, readSearchSpace } from '../../../lib/passages/search-space.ts';
import { closeOwnFolders } from '../../../lib/paths/own-folders.ts';
import { startPipeline, takeAll } from '../../support/pipeline.ts';

const pipeline = await startPipeline();
const { ports, embedder, drain, takeResults } = pipeline;
const SPACE = embeddingSpaceOf(embedder);
/** Long enough for several passages. */
const LONG = 'A sentence about rivers and mountains. '.repeat(120);

async function makeWorkspace(files: Record<string, string> = {}) {
  const workspace = await pipeline.makeWorkspace();
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
  return workspace;
}

async function touch(id: string, ...paths: string[]) {
  await touchIndex(ports.indexQueue, id, paths);
}

beforeEach(async () => {
  embedder.fail = false;
  embedder.dimensions = 384;
  embedder.embeddedTexts = 0;
  await takeAll(ports.indexQueue);
  await takeAll(ports.commitQueue);
});

describe('sync', () => {
  it('counts new, changed, unchanged, and deleted files', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'b.md': 'beta', 'c.md': 'gamma' });
    expect(await workspace.sync()).toMatchObject({ status: 'ready', total: 3, done: 3, newCount: 3 });
    await workspace.write('b.md', 'beta two');
    await rm(join(workspace.rootPath, 'c.md'));
    expect(await workspace.sync()).toMatchObject({
      updatedCount: 1,
      unchangedCount: 1,
      removedCount: 1,
      done: 3,
    });
    expect(await workspace.sync()).toMatchObject({ unchangedCount: 2, total: 2, embedding: 'fake' });
    expect(embedder.embeddedTexts).toBe(0);
  });

  it('splits a batch immediately if the reader of a file fails unexpectedly', async () => {
    const workspace = await makeWorkspace({ 'a.txt': 'alpha', 'b.html': '<p>beta</p>', 'c.txt': 'gamma' });
    await startSync(pipeline.syncPorts(), workspace.id);
    const program = process.execPath;
    process.execPath = '/nowhere/node'; // markup files are read in a separate process
    try {
      await commitMessages(ports, await takeResults());
      await commitMessages(ports, await takeResults());
    } finally {
      process.execPath = program;
    }
    const files = (await takeAll(ports.indexQueue)).map(({ body }) => JSON.parse(body).files);
    const paths = files.map((each) => each.map(({ path }: { path: string }) => path));
    expect(paths.sort()).toEqual([['a.txt'], ['b.html'], ['c.txt']]);
  });

  it('reports how many files of the current batch have been read', async () => {
    const workspace = await makeWorkspace();
    for (let file = 0; file < 40; file++) await workspace.write(`${file}.md`, `an owl number ${file}`);
    const clock = ports.clock.now;
    ports.clock.now = () => {
      pipeline.now.offsetMs += 200;
      return clock();
    };
    try {
      await startSync(pipeline.syncPorts(), workspace.id);
      await commitMessages(ports, await takeResults());
      const messages = await takeResults();
      const told = messages.filter((message) => message.kind === 'results' && message.results.length === 0);
      expect(told.length).toBeGreaterThan(1);
      await commitMessages(ports, told.slice(0, -1));
      const { done } = await readIndexState(ports.records, workspace.id);
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(40);
      await commitMessages(ports, messages);
    } finally {
      ports.clock.now = clock;
    }
    expect(await readIndexState(ports.records, workspace.id)).toMatchObject({ status: 'ready', done: 40 });
  });

  it('ends before the writer has finished its waiting work if it finds nothing new', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    await workspace.sync();
    await startSync(pipeline.syncPorts(), workspace.id);
    expect(await takeResults()).toEqual([]);
    const state = await readIndexState(ports.records, workspace.id);
    expect(state).toMatchObject({ status: 'ready', total: 1, done: 1, unchangedCount: 1, newCount: 0 });
  });

  it('reports its progress batch by batch', async () => {
    const files = Array.from({ length: 450 }, (_, index) => [`f${index}.md`, `note number ${index}`]);
    const { id } = await makeWorkspace(Object.fromEntries(files));
    await startSync(pipeline.syncPorts(), id);
    await commitMessages(ports, await takeResults()); // the plan of the scan, which creates the batches
    const done: number[] = [];
    for (const results of await takeResults()) {
      const { status, total, finishedAt, ...state } = await readIndexState(ports.records, id);
      expect({ status, total, finishedAt }).toEqual({ status: 'indexing', total: 450, finishedAt: null });
      done.push(state.done);
      await commitMessages(ports, [results]);
    }
    expect(done).toEqual([0, 200, 400]);
    expect(await readIndexState(ports.records, id)).toMatchObject({ status: 'ready', done: 450 });
  });

  it('recognizes a moved directory, so that nothing is embedded again', async () => {
    const files = Array.from({ length: 60 }, (_, index) => [
      `d/f${index}.md`,
      `${LONG} number ${1000 + index}`,
    ]);
    const workspace = await makeWorkspace(Object.fromEntries(files));
    await workspace.sync();
    const rows = await (await workspace.table()).count();
    await rename(join(workspace.rootPath, 'd'), join(workspace.rootPath, 'e'));
    expect(await workspace.sync()).toMatchObject({ newCount: 60, removedCount: 60, failedCount: 0 });
    expect(embedder.embeddedTexts).toBe(0);
    expect(await (await workspace.table()).count()).toBe(rows);
  });

  it.each([
    ['an older version of its format', { formatVersion: 0 }],
    ['another format', { format: 'text' }],
  ])('reads a file again if it was read by %s', async (_, read) => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'b.md': 'beta' });
    await workspace.sync();
    const id = { workspaceId: workspace.id, path: 'a.md' };
    const known = await indexedFiles.update(ports.records, id, { set: read });
    expect(await workspace.sync()).toMatchObject({ updatedCount: 1, unchangedCount: 1, failedCount: 0 });
    expect(embedder.embeddedTexts).toBe(1);
    expect(await indexedFiles.get(ports.records, id)).toMatchObject({
      ...{ hash: known.hash, format: 'markdown', formatVersion: markdown.version },
    });
    expect(await workspace.sync()).toMatchObject({ unchangedCount: 2 });
  });

  it('copies no rows from a duplicate that was read differently', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    await workspace.sync();
    await indexedFiles.update(
      ports.records,
      { workspaceId: workspace.id, path: 'a.md' },
      { set: { formatVersion: 0 } },
    );
    await workspace.write('copy.md', 'alpha');
    await touch(workspace.id, 'copy.md');
    embedder.embeddedTexts = 0;
    await drain();
    expect(embedder.embeddedTexts).toBe(1);
  });

  it('fails if the directory is missing, and keeps the index', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    await workspace.sync();
    await rename(workspace.rootPath, `${workspace.rootPath}-away`);
    expect(await workspace.sync()).toMatchObject({ status: 'failed' });
    await touch(workspace.id, 'a.md');
    await drain();
    expect(await workspace.found('alpha')).toEqual(['a.md']);
    await rename(`${workspace.rootPath}-away`, workspace.rootPath);
  });

  it('fails immediately for a directory of the service itself', async () => {
    const { id, rootPath, sync } = await makeWorkspace();
    closeOwnFolders({ closed: [rootPath], open: '' });
    try {
      expect(await sync()).toMatchObject({
        status: 'failed',
        errors: [{ error: expect.stringContaining("the service's own") }],
      });
      expect(await readSearchSpace(ports.records, id)).toBeUndefined();
    } finally {
      closeOwnFolders({ closed: [], open: '' });
    }
  });

  it('reports a file whose path is too long for a record, and finishes', async () => {
    const deep = `${Array(5).fill('n'.repeat(240)).join('/')}/x.md`;
    const workspace = await makeWorkspace({ [deep]: 'deep', 'a.md': 'fine' });
    const state = await workspace.sync();
    expect(state).toMatchObject({ status: 'ready', newCount: 1, failedCount: 1 });
    expect(state.errors).toEqual([
      { path: deep.slice(0, 300), error: expect.stringContaining('1000 bytes') },
    ]);
    await touch(workspace.id, deep);
    await drain();
  });

  it('sends the scan again if the process that started it died, and fails a scan that is impossible', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    const syncId = await startSync(pipeline.syncPorts(), workspace.id);
    await takeAll(ports.indexQueue);
    expect(await startSync(pipeline.syncPorts(), workspace.id)).toBe(syncId);
    expect(await takeAll(ports.indexQueue)).toHaveLength(0);
    pipeline.now.offsetMs += 31_000;
    expect(await startSync(pipeline.syncPorts(), workspace.id)).toBe(syncId);
    expect(await takeAll(ports.indexQueue)).toHaveLength(1);
    const scan = { kind: 'scan' as const, workspaceId: workspace.id, syncId };
    await handleIndexMessage(ports, scan, { messageId: '', receiveCount: 4 });
    expect(await readIndexState(ports.records, workspace.id)).toMatchObject({ status: 'failed' });
  });

  it('embeds failed texts later, and makes no further calls after a failure', async () => {
    const files = Array.from({ length: 30 }, (_, index) => [`f${index}.md`, `${LONG.repeat(8)} ${index}`]);
    const workspace = await makeWorkspace(Object.fromEntries(files));
    embedder.fail = true;
    embedder.requests = 0;
    const state = await workspace.sync();
    expect(state.errors).toContainEqual({ path: 'f0.md', error: expect.stringContaining('answered 500') });
    expect(embedder.requests).toBeLessThanOrEqual(4);
    expect(await workspace.found('rivers')).not.toEqual([]);
    embedder.fail = false;
    expect(await workspace.sync()).toMatchObject({ updatedCount: 30, errors: [] });
    expect(await workspace.sync()).toMatchObject({ unchangedCount: 30 });
  });

  it('reports no error for a file that was indexed or removed after the sync', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'b.md': 'beta', 'c.md': 'gamma' });
    const failed = async () =>
      (await readIndexState(ports.records, workspace.id)).errors.map(({ path }) => path).sort();
    embedder.fail = true;
    await workspace.sync();
    expect(await failed()).toEqual(['a.md', 'b.md', 'c.md']);
    embedder.fail = false;
    await rm(join(workspace.rootPath, 'a.md'));
    await workspace.write('b.md', 'beta again');
    await touch(workspace.id, 'a.md', 'b.md');
    await drain();
    expect(await failed()).toEqual(['c.md']);
  });

  it('leaves only the text without a vector that the service rejects', async () => {
    const files = Array.from({ length: 9 }, (_, number) => [`${number}.md`, `fine ${number}`]);
    const workspace = await makeWorkspace(Object.fromEntries([...files, ['long.md', 'too long']]));
    const works = embedder.embed.bind(embedder);
    ports.embedder = {
      ...embedder,
      async embed(texts) {
        const refuses = texts.some((text) => text.includes('too long'));
        if (refuses) throw new UpstreamFailed('upstream_failed', 'too large', { refusedRequest: true });
        return works(texts);
      },
    };
    try {
      expect(await workspace.sync()).toMatchObject({
        status: 'ready',
        errors: [{ path: 'long.md', error: expect.stringContaining('Embedding failed.') }],
      });
    } finally {
      ports.embedder = embedder;
    }
  });

  it('fills another space if the model changed, and searches switch to the space only when it is full', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    ports.embedder = undefined;
    expect(await workspace.sync()).toMatchObject({ newCount: 1, embedding: null });
    ports.embedder = embedder;
    expect(await workspace.sync()).toMatchObject({ updatedCount: 1, embedding: 'fake' });
    expect((await (await workspace.table()).rowsOf('a.md'))[0]?.vector).not.toBeNull();
    expect(await (await ports.vectors.open(workspace.id, 'lexical')).count()).toBe(0);
  });
});

describe('late or duplicate message', () => {
  it('omits a deleted file even if a slow read of it ends after the deletion', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'tmp.md': 'temporary secret' });
    await touch(workspace.id, 'tmp.md');
    const slow = await takeResults();
    await rm(join(workspace.rootPath, 'tmp.md'));
    const removed = { outcome: 'removed' as const, path: 'tmp.md', readAt: ports.clock.now() };
    const removal: CommitMessage = {
      kind: 'results',
      workspaceId: workspace.id,
      space: SPACE,
      results: [removed],
    };
    await commitMessages(ports, [removal]);
    await commitMessages(ports, slow);
    expect(await workspace.found('secret')).toEqual([]);
  });

  it('creates one row per ID if the same results arrive twice', async () => {
    const workspace = await makeWorkspace({ 'b.md': LONG });
    await touch(workspace.id, 'b.md');
    const results = await takeResults();
    await commitMessages(ports, [...results, ...results]);
    const once = await (await workspace.table()).rowsOf('b.md');
    expect(new Set(once.map(({ chunk }) => chunk)).size).toBe(once.length);
    await commitMessages(ports, results);
    expect(await (await workspace.table()).rowsOf('b.md')).toEqual(once);
  });

  it('reads a copy again if the rows of the other file are missing, and finishes', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'gamma', 'b.md': 'gamma' });
    await touch(workspace.id, 'a.md');
    await drain();
    await (await workspace.table()).write([], [{ path: 'a.md', keepBelow: 0 }]);
    await touch(workspace.id, 'b.md');
    expect(await drain(20)).toBeLessThan(20);
    expect(await workspace.found('gamma')).toEqual(['b.md']);
  });

  it('does not treat a file as unchanged if it changed in the meantime', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'first' });
    await touch(workspace.id, 'a.md');
    await drain();
    await touch(workspace.id, 'a.md');
    const unchanged = await takeResults();
    expect(unchanged[0]).toMatchObject({ results: [{ outcome: 'unchanged' }] });
    const known = await indexedFiles.get(ports.records, { workspaceId: workspace.id, path: 'a.md' });
    if (known === undefined) throw new Error('a.md is not indexed');
    await indexedFiles.putMany(ports.records, [{ ...known, hash: 'other', readAt: known.readAt - 1 }]);
    await commitMessages(ports, unchanged);
    await drain();
    const after = await indexedFiles.get(ports.records, { workspaceId: workspace.id, path: 'a.md' });
    expect(after?.hash).toBe(known.hash);
  });

  it('leaves no rows of a large file that shrinks after half of it was committed', async () => {
    const paragraphs = Array.from(
      { length: 1200 },
      (_, index) => `Paragraph ${index}. ${LONG.slice(0, 1300)}`,
    );
    const workspace = await makeWorkspace({ 'big.md': paragraphs.join('\n\n') });
    await touch(workspace.id, 'big.md');
    const parts = await takeResults();
    expect(parts.length).toBeGreaterThan(1);
    await commitMessages(ports, parts.slice(0, 1));
    expect(await (await workspace.table()).count()).toBe(1000);
    await workspace.write('big.md', 'small now');
    expect(await workspace.sync()).toMatchObject({ status: 'ready', failedCount: 0 });
    expect(await (await workspace.table()).count()).toBe(1);
  });

  it('counts a batch once, or only its parts if it was split', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'b.md': 'beta' });
    const syncId = await startSync(pipeline.syncPorts(), workspace.id);
    const [scan] = await takeAll(ports.indexQueue);
    const delivery = { messageId: '', receiveCount: 1 };
    await handleIndexMessage(ports, JSON.parse(scan?.body ?? ''), delivery);
    const [files] = await takeAll(ports.indexQueue);
    const batch = JSON.parse(files?.body ?? '');
    await handleIndexMessage(ports, batch, delivery);
    await handleIndexMessage(ports, batch, { ...delivery, receiveCount: 3 });
    await drain();
    const state = await readIndexState(ports.records, workspace.id);
    expect(state).toMatchObject({ syncId, status: 'ready', newCount: 2, done: 2 });
  });

  it('writes nothing after the deletion of the workspace', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    await touch(workspace.id, 'a.md');
    const results = await takeResults();
    await commitMessages(ports, [{ kind: 'drop', workspaceId: workspace.id }, ...results]);
    expect(await indexes.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
    expect(await (await ports.vectors.open(workspace.id, SPACE)).count()).toBe(0);
  });
});

describe('changed path', () => {
  it.each(['node_modules', 'node_modules/x/y.md', 'dist', '.git', 'ignored', 'ignored/z.md'])(
    'is skipped as in the walk: %s',
    async (path) => {
      const workspace = await makeWorkspace({
        '.gitignore': 'ignored/\n',
        'node_modules/x/y.md': 'vendored',
        'dist/x.md': 'vendored',
        '.git/x.md': 'vendored',
        'ignored/z.md': 'vendored',
        'a.md': 'alpha',
      });
      await touch(workspace.id, path, 'a.md');
      await drain();
      expect(await workspace.found('vendored alpha')).toEqual(['a.md']);
    },
  );

  it('means the whole workspace if it is the root', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha', 'b/c.md': 'alpha too' });
    await touch(workspace.id, 'a.md');
    await drain();
    await rm(join(workspace.rootPath, 'a.md'));
    await touch(workspace.id, '');
    await drain();
    expect(await workspace.found('alpha')).toEqual(['b/c.md']);
  });

  it('moves a large directory in parts, without embedding it again', async () => {
    const files = Array.from({ length: 300 }, (_, index) => [
      `d/f${index}.md`,
      `note ${1000 + index} of the same size`,
    ]);
    const workspace = await makeWorkspace(Object.fromEntries(files));
    await touch(workspace.id, 'd');
    await drain();
    expect(await (await workspace.table()).count()).toBe(300);
    embedder.embeddedTexts = 0;
    await mkdir(join(workspace.rootPath, 'x'));
    await rename(join(workspace.rootPath, 'd'), join(workspace.rootPath, 'x/e'));
    await touch(workspace.id, 'd', 'x/e');
    await drain();
    const table = await workspace.table();
    expect(await table.count()).toBe(300);
    expect(await table.rowsOf('x/e/f7.md')).toHaveLength(1);
    expect(embedder.embeddedTexts).toBeLessThan(30);
  });

  it('requests maintenance after many commits, in a separate lane', async () => {
    const workspace = await makeWorkspace({ 'a.md': 'alpha' });
    await touch(workspace.id, 'a.md');
    await drain();
    await indexes.update(ports.records, { workspaceId: workspace.id }, { set: { commits: 49 } });
    await workspace.write('a.md', 'alpha two');
    await touch(workspace.id, 'a.md');
    const results = await takeResults();
    await commitMessages(ports, results);
    const asked = { groupId: workspace.id, body: expect.stringContaining(SPACE) };
    expect(await takeAll(ports.maintainQueue)).toMatchObject([asked]);
    expect(await takeAll(ports.commitQueue)).toEqual([]); // it precedes no results
  });
});
