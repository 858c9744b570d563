import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitMessages } from '../../lib/indexing/commit/commit.ts';
import { touchIndex } from '../../lib/indexing/enqueue.ts';
import { readIndexState } from '../../lib/indexing/read-index-state.ts';
import { startSync } from '../../lib/indexing/sync.ts';
import { searchPassages } from '../../lib/retrieval/search.ts';
import { searchNotices } from '../../lib/retrieval/search-notices.ts';
import type { Pipeline } from '../support/pipeline.ts';

interface Lossy {
  pipeline: Pipeline;
  /** Removes files below a workspace's tables, like an operator. */
  lose: (workspaceId: string) => Promise<void>;
  /** If the table's record still exists, a search fails. It never silently finds nothing. */
  searchFails?: boolean;
}

const FILES = Object.fromEntries(
  Array.from({ length: 450 }, (_, index) => [`f${index}.md`, `note number n${index}x`]),
);
const PATHS = Object.keys(FILES).sort();

/** The result of a sync for an index with a lost table, wherever tables are stored. */
export function describeLostTables(name: string, open: () => Promise<Lossy>): void {
  describe(`${name}: lost table`, () => {
    let pipeline: Pipeline;
    let lose: Lossy['lose'];
    let searchFails: boolean;
    beforeAll(async () => {
      ({ pipeline, lose, searchFails = false } = await open());
    });

    async function indexedWorkspace(files: Record<string, string> = { 'a.md': 'alpha', 'b.md': 'beta' }) {
      const workspace = await pipeline.makeWorkspace();
      for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
      expect(await workspace.sync()).toMatchObject({ status: 'ready', newCount: Object.keys(files).length });
      return workspace;
    }

    const search = async (workspaceId: string, question: string) => {
      const { records, vectors, embedder, clock } = pipeline.ports;
      const found = await searchPassages({ records, vectors, embedder, clock }, workspaceId, question);
      const notices = [...searchNotices(false, found)].map(({ code }) => code);
      return { notices, paths: [...new Set(found.passages.map(({ path }) => path))].sort() };
    };

    async function expectTold(workspaceId: string) {
      if (searchFails) await expect(search(workspaceId, 'alpha')).rejects.toThrow('Not found');
      else expect(await search(workspaceId, 'alpha')).toEqual({ notices: ['index-building'], paths: [] });
    }

    async function expectWhole(workspaceId: string, paths: string[]) {
      const { records, vectors } = pipeline.ports;
      const { embedding } = await readIndexState(records, workspaceId);
      expect(embedding).toBe('fake');
      const held = new Set<string>();
      const table = await vectors.open(workspaceId, pipeline.syncPorts().space);
      for await (const some of table.passages()) for (const { path } of some) held.add(path);
      expect([...held].sort()).toEqual(paths);
      expect(await table.count()).toBe(paths.length);
    }

    it('is noticed by the next sync, which indexes every file again, once', async () => {
      const workspace = await indexedWorkspace();
      expect(await search(workspace.id, 'alpha')).toMatchObject({ paths: expect.arrayContaining(['a.md']) });
      await lose(workspace.id);
      await expectTold(workspace.id);
      expect(await workspace.sync()).toMatchObject({ status: 'ready', updatedCount: 2, unchangedCount: 0 });
      await expectWhole(workspace.id, ['a.md', 'b.md']);
      expect(await search(workspace.id, 'alpha')).toMatchObject({ paths: expect.arrayContaining(['a.md']) });
      expect(await workspace.sync()).toMatchObject({ status: 'ready', unchangedCount: 2, updatedCount: 0 });
      expect(pipeline.embedder.embeddedTexts).toBe(0);
    });

    it('is noticed even if a file change has created a new table', async () => {
      const workspace = await indexedWorkspace();
      await lose(workspace.id);
      await workspace.write('b.md', 'beta two');
      await touchIndex(pipeline.ports.touchQueue, workspace.id, ['b.md']);
      await pipeline.drain();
      await expectWhole(workspace.id, ['b.md']);
      expect(await workspace.sync()).toMatchObject({ updatedCount: 1, unchangedCount: 1 });
      await expectWhole(workspace.id, ['a.md', 'b.md']);
    });

    it("doesn't keep a file marked as unchanged since before the loss", async () => {
      const workspace = await indexedWorkspace();
      await touchIndex(pipeline.ports.touchQueue, workspace.id, ['a.md', 'b.md']);
      const results = await pipeline.takeResults();
      await lose(workspace.id);
      for (const message of results) await commitMessages(pipeline.ports, [message]);
      await pipeline.drain();
      await expectWhole(workspace.id, ['a.md', 'b.md']);
    });

    it('is completely rebuilt by the next sync, even if the first one is killed after any commit', async () => {
      const workspace = await indexedWorkspace(FILES);
      await lose(workspace.id);
      for (const commits of [0, 1, 2]) {
        pipeline.now.offsetMs += 100;
        await startSync(pipeline.syncPorts(), workspace.id);
        await commitMessages(pipeline.ports, await pipeline.takeResults()); // the plan
        const results = await pipeline.takeResults();
        expect(results.length).toBeGreaterThan(commits);
        await commitMessages(pipeline.ports, results.slice(0, commits));
        // No process continues it.
        await pipeline.ports.records.delete({ partition: 'SYNC', sort: workspace.id });
        if (commits < 2) await lose(workspace.id);
      }
      expect(await workspace.sync()).toMatchObject({ status: 'ready', total: 450, failedCount: 0 });
      await expectWhole(workspace.id, PATHS);
      expect(await workspace.sync()).toMatchObject({ unchangedCount: 450 });
    });

    it("keeps its rows if it only seemed lost, because NFS shows another host's files late", async () => {
      const workspace = await indexedWorkspace();
      await workspace.write('b.md', 'beta two');
      await touchIndex(pipeline.ports.touchQueue, workspace.id, ['b.md']);
      const results = await pipeline.takeResults();
      const vectors = { ...pipeline.ports.vectors, has: async () => false };
      await commitMessages({ ...pipeline.ports, vectors }, results);
      await expectWhole(workspace.id, ['a.md', 'b.md']);
      expect(await workspace.sync()).toMatchObject({ status: 'ready', unchangedCount: 2 });
      expect(pipeline.embedder.embeddedTexts).toBe(0);
    });

    it.each(['clear', 'open'] as const)(
      'is repaired when the writer dies at its first `%s`',
      async (step) => {
        const workspace = await indexedWorkspace();
        await lose(workspace.id);
        await startSync(pipeline.syncPorts(), workspace.id);
        await commitMessages(pipeline.ports, await pipeline.takeResults());
        const results = await pipeline.takeResults();
        const dying = dyingAfter(pipeline.ports.vectors, step);
        await expect(commitMessages({ ...pipeline.ports, vectors: dying }, results)).rejects.toThrow(
          'killed',
        );
        await commitMessages(pipeline.ports, results);
        await pipeline.drain();
        await expectWhole(workspace.id, ['a.md', 'b.md']);
        expect(await workspace.sync()).toMatchObject({ status: 'ready', unchangedCount: 2 });
      },
    );
  });
}

/** Makes the given step, or a write for `open`, kill the process. */
function dyingAfter(vectors: Pipeline['ports']['vectors'], step: 'clear' | 'open'): typeof vectors {
  const killed = () => Promise.reject(new Error('killed'));
  if (step === 'clear') return { ...vectors, clear: (...place) => vectors.clear(...place).then(killed) };
  return {
    ...vectors,
    async open(workspaceId, space) {
      const table = await vectors.open(workspaceId, space);
      return { ...table, write: (rows, trims) => table.write(rows, trims).then(killed) };
    },
  };
}
