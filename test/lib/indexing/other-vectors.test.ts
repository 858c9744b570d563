import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { touchIndex } from '../../../lib/indexing/enqueue.ts';
import { readIndexState } from '../../../lib/indexing/read-index-state.ts';
import { startReindex } from '../../../lib/indexing/reindex.ts';
import { startSync } from '../../../lib/indexing/sync.ts';
import { indexes } from '../../../lib/passages/search-space.ts';
import { searchPassages } from '../../../lib/retrieval/search.ts';
import { startPipeline } from '../../support/pipeline.ts';

const pipeline = await startPipeline();
const { ports, embedder, drain, now, syncPorts } = pipeline;
const { embed } = embedder;
const FILES = 12;
const ADMIN = { id: 'a', name: 'a', role: 'admin', workspaceIds: null } as unknown as Caller;

beforeEach(() => {
  embedder.embed = embed;
  embedder.dimensions = 384;
});

async function makeIndexed() {
  const workspace = await pipeline.makeWorkspace();
  for (let file = 0; file < FILES; file++) await workspace.write(`${file}.md`, `an owl number ${file}`);
  await workspace.sync();
  embedder.embeddedTexts = 0;
  return workspace;
}

type Workspace = Awaited<ReturnType<typeof makeIndexed>>;

const state = ({ id }: Workspace) => readIndexState(ports.records, id);
const dimensions = async (workspace: Workspace) => (await workspace.table()).dimensions();
const search = ({ id }: Workspace) => searchPassages(ports, id, 'owl number 3');

/** Replaces the embedder's vectors with those of another model, of the same length or not. */
function useOtherModel(length: number) {
  embedder.dimensions = length;
  embedder.embed = async function (texts) {
    const vectors = await embed.call(this, texts);
    return vectors.map((vector) => vector.toReversed().map((value, index) => (index % 2 ? -value : value)));
  };
}

describe('vectors of another length under the same model name', () => {
  it.each([100, 200])('fill another table once, which is searched afterwards: %i', async (length) => {
    const workspace = await makeIndexed();
    const old = await dimensions(workspace);
    embedder.dimensions = length;
    await workspace.write('new.md', 'an owl from later');
    await touchIndex(ports.touchQueue, workspace.id, ['new.md']);
    expect(await dimensions(workspace)).toBe(old);
    await drain();
    expect(await dimensions(workspace)).toBe(embedder.dimensions);
    expect(await state(workspace)).toMatchObject({ status: 'ready', errors: [], index: { searchable: 13 } });
    expect((await search(workspace)).mode).toBe('hybrid');
    expect(embedder.embeddedTexts).toBeLessThanOrEqual(FILES + 3);
    for (let sync = 0; sync < 3; sync++) expect(await workspace.sync()).toMatchObject({ unchangedCount: 13 });
    expect(embedder.embeddedTexts).toBe(0);
  });

  it('leave searches to the old table, by keywords with a notice, until the new table is full', async () => {
    const workspace = await makeIndexed();
    embedder.dimensions = 100;
    expect(await search(workspace)).toMatchObject({ mode: 'lexical', fellBack: 'other-index' });
    await startSync(syncPorts(), workspace.id, { checksModel: true });
    const [scan] = await ports.indexQueue.receive({ max: 1 });
    expect(scan?.body).toContain('checksModel');
    await ports.indexQueue.changeVisibility(scan?.receipt ?? '', 0);
    expect((await search(workspace)).passages.length).toBeGreaterThan(0);
    await drain();
    expect(await search(workspace)).toMatchObject({ mode: 'hybrid' });
  });

  it('cause an error with the model name, and no endless new tables, if they alternate within a sync', async () => {
    const workspace = await makeIndexed();
    let call = 0;
    embedder.embed = function (texts) {
      this.dimensions = call++ % 2 === 0 ? 100 : 384;
      return embed.call(this, texts);
    };
    for (let sync = 0; sync < 6; sync++) {
      for (let file = 0; file < 4; file++) await workspace.write(`${file}.md`, `an owl of ${sync} ${file}`);
      now.offsetMs += 1000;
      await touchIndex(ports.touchQueue, workspace.id, ['0.md']);
      await touchIndex(ports.touchQueue, workspace.id, ['1.md', '2.md', '3.md']);
      await drain(200);
    }
    const { renewals = [] } = (await indexes.get(ports.records, { workspaceId: workspace.id })) ?? {};
    expect(renewals.length).toBeLessThanOrEqual(2);
    await workspace.write('0.md', 'an owl at last');
    const { errors } = await workspace.sync();
    expect([...errors.map(({ error }) => error), 'under one model name'].join()).toContain(
      'under one model name',
    );
    expect((await search(workspace)).passages.length).toBeGreaterThan(0);
  });
});

describe('another model under the same name', () => {
  it.each([100, 384])(
    'is detected by a re-indexing, with the same vector length or not: %i',
    async (length) => {
      const workspace = await makeIndexed();
      useOtherModel(length);
      await startReindex(syncPorts(), ADMIN);
      for (let step = 0; step < 4; step++) {
        await drain();
        now.offsetMs += 4000;
      }
      expect(await dimensions(workspace)).toBe(length);
      expect(embedder.embeddedTexts).toBeGreaterThanOrEqual(FILES);
      expect(await state(workspace)).toMatchObject({
        status: 'ready',
        updatedCount: FILES,
        embedding: 'fake',
      });
      await rm(join(workspace.rootPath, '3.md'));
      embedder.embeddedTexts = 0;
      await startReindex(syncPorts(), ADMIN);
      for (let step = 0; step < 4; step++) {
        await drain();
        now.offsetMs += 4000;
      }
      expect(await state(workspace)).toMatchObject({ unchangedCount: FILES - 1, removedCount: 1 });
    },
  );

  it('can be ruled out by embedding one text', async () => {
    const workspace = await makeIndexed();
    await startSync(syncPorts(), workspace.id, { checksModel: true });
    await drain();
    expect(await state(workspace)).toMatchObject({ status: 'ready', unchangedCount: FILES });
    expect(embedder.embeddedTexts).toBe(1);
  });

  it('is not checked for while the service is down', async () => {
    const workspace = await makeIndexed();
    embedder.fail = true;
    await startSync(syncPorts(), workspace.id, { checksModel: true });
    await drain();
    embedder.fail = false;
    expect(await state(workspace)).toMatchObject({ status: 'ready', unchangedCount: FILES, errors: [] });
  });
});
