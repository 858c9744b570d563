import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { addFileCounts, beginCounting, reliableCounts } from '../../../../lib/indexing/commit/file-counts.ts';
import { touchIndex } from '../../../../lib/indexing/enqueue.ts';
import { readIndexState, readProgress } from '../../../../lib/indexing/read-index-state.ts';
import { filesPartition, indexedFiles, stateOf } from '../../../../lib/indexing/schema.ts';
import { indexes } from '../../../../lib/passages/search-space.ts';
import { startPipeline } from '../../../support/pipeline.ts';
import { killable } from '../../../support/processes/killable.ts';
import { makePdf } from '../../../support/samples/pdf.ts';

const pipeline = await startPipeline();
const { ports, drain, takeResults } = pipeline;
ports.embedder = undefined;

type Scene = Awaited<ReturnType<typeof pipeline.makeWorkspace>>;

async function touch({ id }: Scene, ...paths: string[]) {
  pipeline.now.offsetMs += 100;
  await touchIndex(ports.indexQueue, id, paths);
}

async function counted({ id }: Scene) {
  return (await readIndexState(ports.records, id)).index;
}

/** Returns the files that a full scan of the records finds. */
async function present({ id }: Scene) {
  const found = { searchable: 0, noText: 0, failed: 0 };
  const names = { indexed: 'searchable', skipped: 'noText', failed: 'failed' } as const;
  for await (const file of indexedFiles.all(ports.records, { partition: filesPartition(id) }))
    found[names[stateOf(file)]]++;
  return found;
}

async function isReliable({ id }: Scene) {
  return reliableCounts(await indexes.get(ports.records, { workspaceId: id })) !== undefined;
}

/** Expects the next commit to count all files again, and to find only the new one. */
async function expectOneAfterTouch(workspace: Scene): Promise<void> {
  await workspace.write('b.md', 'a cat');
  await touch(workspace, 'b.md');
  await drain();
  expect(await counted(workspace)).toMatchObject({ searchable: 1 });
  expect(await isReliable(workspace)).toBe(true);
}

describe('the number of files in the index', () => {
  it('is zero before the first indexing', async () => {
    const workspace = await pipeline.makeWorkspace();
    expect(await counted(workspace)).toEqual({ searchable: 0, noText: 0, failed: 0, skipped: 0 });
    await workspace.sync();
    expect(await counted(workspace)).toEqual({ searchable: 0, noText: 0, failed: 0, skipped: 0 });
  });

  it('includes files that are added, changed, and removed without a sync', async () => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.sync(); // of the empty folder, as the console does for a new workspace
    await workspace.write('a.md', 'an owl');
    await workspace.write('b.md', 'a cat');
    await workspace.write('scan.pdf', makePdf(['']));
    await workspace.write('broken.pdf', 'not a PDF');
    await workspace.write('picture.png', 'x');
    await touch(workspace, 'a.md', 'b.md', 'scan.pdf', 'broken.pdf', 'picture.png');
    await drain();
    expect(await counted(workspace)).toEqual({ searchable: 2, noText: 1, failed: 1, skipped: 1 });
    await workspace.write('broken.pdf', makePdf(['repaired']));
    await rm(join(workspace.rootPath, 'a.md'));
    await rm(join(workspace.rootPath, 'picture.png'));
    await touch(workspace, 'a.md', 'broken.pdf', 'picture.png');
    await drain();
    expect(await counted(workspace)).toEqual({ searchable: 2, noText: 1, failed: 0, skipped: 0 });
    expect(await workspace.sync()).toMatchObject({
      index: { searchable: 2, noText: 1, failed: 0, skipped: 0 },
    });
    const [progress] = await readProgress(ports.records, [workspace.id]);
    expect(progress?.index).toEqual({ searchable: 2, noText: 1, failed: 0 });
  });

  it('is correct after a commit that is killed at any call', async () => {
    let lives = 0;
    for (let died = true; died; lives++) {
      const workspace = await pipeline.makeWorkspace();
      for (const name of ['kept', 'gone', 'broken'])
        await workspace.write(`${name}.pdf`, makePdf([`the ${name} owl`]));
      await workspace.sync();
      await rm(join(workspace.rootPath, 'gone.pdf'));
      await workspace.write('broken.pdf', 'not a PDF');
      await workspace.write('new.md', 'a new owl');
      await touch(workspace, 'gone.pdf', 'broken.pdf', 'new.md');
      const messages = [...(await takeResults()), ...(await takeResults())]; // the touch is split into parts
      const mortal = killable(ports, ['records', 'vectors', 'indexQueue', 'maintainQueue'], lives);
      const run = commitMessages(mortal.ports, messages).catch(() => undefined);
      died = await Promise.race([mortal.died.then(() => true), run.then(() => false)]);
      mortal.bury();
      await run;
      pipeline.now.offsetMs += 120_000; // past the lease
      await commitMessages(ports, messages);
      await drain();
      const held = await counted(workspace);
      expect({ lives, held }).toEqual({ lives, held: { ...(await present(workspace)), skipped: 0 } });
      expect({ lives, isReliable: await isReliable(workspace) }).toEqual({ lives, isReliable: true });
      expect(held).toEqual({ searchable: 2, noText: 0, failed: 1, skipped: 0 });
    }
    expect(lives).toBeGreaterThan(15);
  });

  it('is counted again after a commit that was killed before counting', async () => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.write('a.md', 'an owl');
    await workspace.sync();
    await indexedFiles.delete(ports.records, { workspaceId: workspace.id, path: 'a.md' });
    await indexes.update(ports.records, { workspaceId: workspace.id }, { add: { rows: 0, commits: 1 } });
    expect(await counted(workspace)).toMatchObject({ searchable: 0 });
    await expectOneAfterTouch(workspace);
  });

  it('needs no write for an edit, and one write for a file whose state changes', async () => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.write('a.md', 'an owl');
    await workspace.sync();
    const writes = async () => {
      const asked: string[] = [];
      const records = new Proxy(ports.records, {
        get(target, name) {
          if (/put|update|delete|add/i.test(String(name))) asked.push(String(name));
          return Reflect.get(target, name);
        },
      });
      await commitMessages({ ...ports, records }, await takeResults());
      return asked.length;
    };
    await workspace.write('a.md', 'two owls');
    await touch(workspace, 'a.md');
    const forEdit = await writes();
    await workspace.write('b.md', 'a cat');
    await touch(workspace, 'b.md');
    expect(await writes()).toBe(forEdit + 1);
  });

  it('is counted again after a writer was paused past its lease', async () => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.write('a.md', 'an owl');
    await workspace.sync();
    const { records } = ports;
    await beginCounting(records, workspace.id, 'late-write');
    const gains = { searchable: 1, textless: 0, failed: 0 };
    expect(
      await addFileCounts(records, workspace.id, { rows: 1 }, { gains, counting: 'mine' }),
    ).toBeUndefined();
    await indexedFiles.delete(records, { workspaceId: workspace.id, path: 'a.md' });
    await expectOneAfterTouch(workspace);
  });

  it('costs a request the same number of reads, however many files there are', async () => {
    const workspace = await pipeline.makeWorkspace();
    for (let number = 0; number < 20; number++) await workspace.write(`${number}.md`, `owl ${number}`);
    await workspace.write('picture.png', 'x');
    const reads = async () => {
      const asked = { get: 0, query: 0, others: 0 };
      const records = new Proxy(ports.records, {
        get(target, name) {
          asked[name === 'get' || name === 'query' ? name : 'others']++;
          return Reflect.get(target, name);
        },
      });
      await readIndexState(records, workspace.id);
      return asked;
    };
    expect(await reads()).toEqual({ get: 7, query: 2, others: 0 });
    await workspace.sync();
    expect(await reads()).toEqual({ get: 7, query: 1, others: 0 });
  });
});
